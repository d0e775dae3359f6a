import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { randomBytes } from "node:crypto"
import { Api } from "../../src/Api/Api.ts"
import type { MemberId } from "../../src/Domain/Ids.ts"
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

export const startService = (storage: Storage, upstream: string, { env, folder, nodeArgs = [] }: ServiceOptions = {}) =>
  startProcess({
    folder,
    script: "dist/service/main.js",
    args: ["serve"],
    nodeArgs: [
      "--max-semi-space-size=16",
      "--heap-growing-percent=50",
      "--no-allocation-site-pretenuring",
      ...nodeArgs
    ],
    env: {
      PORT: "0",
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      GSC_BASE_URL: upstream,
      GSHEETS_BASE_URL: upstream,
      GDOCS_BASE_URL: upstream,
      ...(storage.kind === "postgres"
        ? { DATABASE_URL: storage.url }
        : { DATA_DIR: storage.folder, MALLOC_MMAP_THRESHOLD_: "4194304" }),
      ...env
    }
  })

export const apiClient = (url: string, key: string) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(Redacted.make(key)))
  })

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
  const admin = yield* apiClient(url, adminToken)
  const client = yield* admin.clients.create({ payload: { name } })
  const member = yield* admin.members.create({ payload: { email: `${name}@example.com`, client_ids: [client.id] } })
  const created = yield* admin.keys.create({ payload: { member_id: member.id, name, access: "read_write" } })
  for (const provider of providers) {
    const connection = { provider, auth_type: "oauth", credentials: grant, client_id: client.id, label: name } as const
    yield* admin.managedConnections.create({ payload: connection })
  }
  return { key: created.key, keyId: created.id, memberId: member.id, clientId: client.id }
})
export type Account = Effect.Success<ReturnType<typeof makeAccount>>

export const inviteMember = Effect.fn("inviteMember")(function*(url: string, memberId: MemberId) {
  const admin = yield* apiClient(url, adminToken)
  const link = yield* admin.members.createLink({ params: { id: memberId } })
  return link.url
})

export const countMissing = Effect.fn("countMissing")(function*(
  url: string,
  key: string,
  callIds: ReadonlyArray<string>
) {
  const api = yield* apiClient(url, key)
  const missing = new Set(callIds)
  const oldest = callIds.toSorted()[0] ?? ""
  let cursor: string | null | undefined
  while (missing.size > 0 && cursor !== null && (cursor === undefined || cursor >= oldest)) {
    const page = yield* api.logs.list({ query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } })
    for (const { id } of page.calls) missing.delete(id)
    cursor = page.cursor
  }
  return missing.size
}, Effect.orDie)
