import { Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { heapFlags, mallocSettings } from "../HeapFlags.ts"
import { startProcess } from "./NodeProcess.ts"

export type Storage =
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "embedded"; readonly folder: string }

const adminToken = randomBytes(32).toString("base64url")
const encryptionKeys = `bench:${randomBytes(32).toString("base64")}`

interface ServiceOptions {
  readonly nodeArgs?: ReadonlyArray<string>
  readonly folder?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

/** Limits that no load meets, so that the governor counts and nothing waits. */
const quotas = JSON.stringify(Object.fromEntries(
  ["gsc.searchanalytics.resource", "gsc.searchanalytics.account", "gsc.searchanalytics.project"]
    .concat(["gsheets.write.account", "gsheets.write.project", "gsheets.read.account", "gsheets.read.project"])
    .map((name) => [name, 1_000_000_000])
))

export const startService = (storage: Storage, upstream: string, { env, folder, nodeArgs = [] }: ServiceOptions = {}) =>
  startProcess({
    folder,
    script: "dist/service/main.js",
    args: ["serve"],
    nodeArgs: [...heapFlags, ...nodeArgs],
    env: {
      PORT: "0",
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      QUOTAS: quotas,
      GSC_BASE_URL: upstream,
      GSHEETS_BASE_URL: upstream,
      GDOCS_BASE_URL: upstream,
      ...(storage.kind === "postgres"
        ? { DATABASE_URL: storage.url, ...mallocSettings.postgres }
        : { DATA_DIR: storage.folder, ...mallocSettings.embedded }),
      ...env
    }
  })

export const Created = Schema.Struct({ id: Schema.String })
export const CreatedKey = Schema.Struct({ ...Created.fields, key: Schema.String })
const CreatedLink = Schema.Struct({ url: Schema.String })
const Calls = Schema.Struct({ calls: Schema.Array(Created), cursor: Schema.NullOr(Schema.String) })

/** Decodes only the fields that are used, because an older version of the service has others. */
const send = Effect.fnUntraced(function*<A>(
  request: HttpClientRequest.HttpClientRequest,
  token: string,
  response: Schema.Decoder<A>
) {
  const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  const sent = yield* client.execute(HttpClientRequest.bearerToken(request, Redacted.make(token)))
  return yield* HttpClientResponse.schemaBodyJson(response)(sent)
})

export const create = Effect.fnUntraced(
  function*<A>(url: string, path: string, body: unknown, response: Schema.Decoder<A>) {
    const request = yield* HttpClientRequest.bodyJson(HttpClientRequest.post(`${url}/admin/v1/${path}`), body)
    return yield* send(request, adminToken, response)
  }
)

const grant = {
  refresh_token: "1//bench-refresh-token-0123456789",
  access_token: "ya29.bench-access-token-0123456789",
  expires_at: "2099-01-01T00:00:00Z"
}

export const makeAccount = Effect.fn("makeAccount")(function*(
  url: string,
  name: string,
  providers: ReadonlyArray<string>
) {
  const client = yield* create(url, "clients", { name }, Created)
  const member = yield* create(url, "members", { email: `${name}@example.com`, client_ids: [client.id] }, Created)
  const created = yield* create(url, "keys", { member_id: member.id, name, access: "read_write" }, CreatedKey)
  for (const provider of providers) {
    const connection = { provider, auth_type: "oauth", credentials: grant, client_id: client.id, label: name }
    yield* create(url, "connections", connection, Created)
  }
  return { key: created.key, keyId: created.id, memberId: member.id, clientId: client.id }
})
export type Account = Effect.Success<ReturnType<typeof makeAccount>>

export const inviteMember = Effect.fn("inviteMember")(function*(url: string, memberId: string) {
  return (yield* create(url, `members/${memberId}/links`, {}, CreatedLink)).url
})

export const countMissing = Effect.fn("countMissing")(function*(
  url: string,
  key: string,
  callIds: ReadonlyArray<string>
) {
  const missing = new Set(callIds)
  const oldest = callIds.toSorted()[0] ?? ""
  let cursor: string | null | undefined
  while (missing.size > 0 && cursor !== null && (cursor === undefined || cursor >= oldest)) {
    const urlParams = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
    const page = yield* send(HttpClientRequest.get(`${url}/v1/logs`, { urlParams }), key, Calls)
    for (const { id } of page.calls) missing.delete(id)
    cursor = page.cursor
  }
  return missing.size
}, Effect.orDie)
