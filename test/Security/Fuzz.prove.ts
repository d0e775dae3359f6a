import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import * as http from "node:http"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import { originsOf } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { reads } from "../Service/EveryOperation.ts"
import { type ApiDocument, readApiDocument } from "../support/ApiDocument.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { type FuzzRequest, requestsTo, requestTo, type Stock } from "./FuzzRequests.ts"
import { hostileProviders } from "./HostileProviders.ts"
import { type Memory, memoryOf, reportsMemory } from "./ProcessMemory.ts"

const batch = 250

/** `memory` is after 10, 40, 70 and 100 % of the requests. */

export const fuzz = Effect.fnUntraced(function*(
  { count, folder, seed, upstream }: {
    readonly count: number
    readonly folder: string
    readonly seed: number
    readonly upstream: LoopbackUpstream["Service"]
  }
) {
  const server = yield* startServer(folder, { ...settings(upstream.url), ...reportsMemory })
  const handler = hostileProviders(seed)
  upstream.handle(() => ({ body: { access_token: "ya29.fuzz-0123456789", expires_in: 3600 } }))
  const document = readApiDocument(
    JSON.parse((yield* Effect.promise(() => server.send("GET", "/openapi.json", ""))).text)
  )
  const stock = yield* stockOf(server, document)
  const arbitrary = requestsTo(stock)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  const complaints: Array<string> = []
  const reached = new Set<string>()
  const memory: Array<Memory> = []

  const tryRequest = (request: FuzzRequest) =>
    Effect.map(Effect.promise(() => send(agent, server.url, request)), (answer) => {
      if (request.operation !== undefined) reached.add(request.operation.name)
      const complaint = complaintOf(document, request, answer)
      if (complaint === undefined) return
      const logged = server.output().split("\n").filter((line) => line.includes(answer.callId || "no call"))
      complaints.push([complaint, describeRequest(request), JSON.stringify(answer).slice(0, 600), ...logged].join("\n"))
    })
  const checks = new Set([0.1, 0.4, 0.7, 1].map((part) => Math.max(batch, Math.ceil(count * part / batch) * batch)))
  const run = { concurrency: 8, discard: true } as const
  for (let done = batch; done - batch < count; done += batch) {
    upstream.handle(handler)
    yield* Effect.forEach(fc.sample(arbitrary, { numRuns: batch, seed: seed + done }), tryRequest, run)
    if (checks.has(done)) memory.push(yield* memoryOf(server))
  }
  // Few random requests leave some operations out.
  const others = document.operations.filter(({ name }) => !reached.has(name)).flatMap((operation) =>
    fc.sample(requestTo(stock, operation).filter((request) => request.operation !== undefined), { numRuns: 1, seed })
  )
  yield* Effect.forEach(others, tryRequest, run)
  agent.destroy()
  return { complaints, memory, server }
})

const settings = (upstream: string) => ({
  ...Object.fromEntries(originsOf(providers).map(({ id, setting }) => [setting, `${upstream}/${id}`])),
  GOOGLE_CLIENT_ID: "fuzz-client-id",
  GOOGLE_CLIENT_SECRET: "fuzz-client-secret",
  ADMIN_TOKEN: "fuzz-admin-token-0123456789-0123456789",
  MAX_REQUEST_BYTES: "2000000"
})

const stockOf = Effect.fnUntraced(function*(server: ServerProcess, { operations }: ApiDocument) {
  const { admin } = server
  const account = { ...keyFile, subject: "a@example.com" }
  const own = yield* server.seed({ auth_type: "service_account", credentials: account })
  const other = yield* server.seed()
  const { key: revokedKey, id: revokedId } = yield* admin.keys.create({
    payload: { member_id: other.member.id, name: "k", access: "read_write" }
  })
  yield* admin.keys.revoke({ params: { id: revokedId } })

  const connection = (provider: string, client_id: string): CreateConnection => ({
    provider,
    client_id,
    label: provider,
    ...(provider === "sitesearch"
      ? { auth_type: "api_key", credentials: { api_key: "0123456789abcdef" } }
      : { auth_type: "service_account", credentials: account })
  })
  const providerIds = providers.map(({ id }) => id)
  const ids: Array<string> = [other.client.id, other.member.id, other.connection.id, revokedId]
  for (const provider of providerIds) {
    if (provider !== "gsc") yield* own.connect(connection(provider, own.client.id))
    ids.push((yield* other.connect(connection(provider, other.client.id))).id)
  }
  const grant = { refresh_token: "1//fuzz", access_token: "ya29.fuzz", expires_at: "2020-01-01T00:00:00Z" }
  const oauth: CreateConnection = {
    provider: "gsc",
    client_id: other.client.id,
    label: "o",
    auth_type: "oauth",
    credentials: grant
  }
  ids.push((yield* admin.managedConnections.create({ payload: oauth })).id)

  const [read = assert.fail("no call")] = reads
  const sampleCall = yield* Effect.promise(() => server.send("POST", "/v1/call", own.readWrite, read))
  ids.push(decodeCallId(sampleCall.text).call_id)
  const inputs = providers.flatMap(({ endpoints, id: provider, tools }) => [
    ...endpoints.map(({ id, input }) => ({ call: { provider, endpoint: id }, schema: jsonSchemaOf(input) })),
    ...tools.map(({ input, name }) => ({ call: { provider, tool: name }, schema: jsonSchemaOf(input) }))
  ])
  const stock: Stock = {
    operations,
    credentials: {
      apiKey: [own.readWrite, own.readOnly, other.readWrite, revokedKey],
      adminToken: [settings("").ADMIN_TOKEN, own.readWrite]
    },
    ids,
    inputs,
    bodies: {
      "POST /admin/v1/clients": [{ name: "c" }],
      "POST /admin/v1/members": [{ email: "c@example.com", name: "C", client_ids: [other.client.id] }],
      "PATCH /admin/v1/members/{id}": [{ name: "D", client_ids: null }],
      "POST /admin/v1/keys": [{ member_id: other.member.id, name: "c", access: "read_write" }],
      "POST /admin/v1/connections": [...providerIds.map((provider) => connection(provider, other.client.id)), oauth],
      "PUT /admin/v1/connections/{id}/credentials": [
        { credentials: account, auth_type: "service_account" },
        { credentials: grant, auth_type: "oauth" },
        { credentials: { api_key: "0123456789abcdef" } }
      ],
      "POST /admin/v1/connect": [{
        provider: "gsc",
        label: "c",
        client_id: other.client.id,
        scopes: ["https://example.com/scope"]
      }]
    }
  }
  return stock
})

const decodeCallId = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ call_id: Schema.String })))

interface Answer {
  readonly status: number
  readonly type: string
  readonly callId: string
  readonly body: string
}

/** A service that hangs answers never. A busy machine may take half a minute. */
const maxAnswerMillis = 120_000

const send = (agent: http.Agent, url: string, { body, headers, method, path }: FuzzRequest): Promise<Answer> =>
  new Promise((resolve) => {
    const none = (error: Error) => resolve({ status: 0, type: "", callId: "", body: error.message })
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { "content-length": body.length }
    const request = http.request(
      { agent, hostname, port, method, path, headers: { ...headers, ...length }, timeout: maxAnswerMillis },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", none)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            callId: String(response.headers["x-call-id"] ?? ""),
            body: Buffer.concat(chunks).toString()
          }))
      }
    )
    request.on("timeout", () => request.destroy(new Error("no answer in two minutes")))
    request.on("error", none)
    request.end(body)
  })

const complaintOf = (document: ApiDocument, { method, operation }: FuzzRequest, answer: Answer): string | undefined => {
  if (answer.status === 0) return `no answer: ${answer.body}`
  if (answer.body.includes("\"code\":\"internal_error\"")) return "internal_error"
  if (!/^call_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(answer.callId)) return "no x-call-id"
  if (method === "HEAD") return answer.body === "" ? undefined : "HEAD with a body"
  const failed = answer.status >= 400
  if (failed && !answer.body.startsWith(`{"call_id":"${answer.callId}",`)) return "another call_id"
  const wrong = failed ? document.errorComplaint(answer.body) : undefined
  if (wrong !== undefined) return wrong
  return operation?.complaint(answer.status, answer.type, answer.body)
}

const describeRequest = ({ body, headers, method, path }: FuzzRequest) =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}\n${body?.toString().slice(0, 1500) ?? ""}`

/** For longer runs: `FUZZ_REQUESTS=100000`, with another `SEED`. */
const count = Number(process.env["FUZZ_REQUESTS"] ?? 500)
const seed = Number(process.env["SEED"] ?? 20_261_121)

describe("Random requests to every endpoint", { timeout: 3_600_000 }, () => {
  it.live("are answered as documented, without an internal error, a crash or a growth of memory", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const { complaints, memory, server } = yield* fuzz({ count, seed, upstream, folder: yield* dataFolder })
      assert.strictEqual(complaints.slice(0, 5).join("\n\n"), "")
      const [early, ...later] = memory.map(({ external, heap }) => heap + external)
      for (const used of later) assert.isBelow(used, (early ?? 0) + 64, "mebibytes after garbage collection")
      yield* server.kill("SIGTERM")
      assert.strictEqual((yield* server.ended).code, 0)
    }).pipe(Effect.scoped))
})
