import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Auth } from "../../src/Auth/Auth.ts"
import { Cache } from "../../src/Calls/Cache/Cache.ts"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../src/Connections/ConnectionTokens.ts"
import { KeyId, MemberId } from "../../src/Domain/Ids.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { header } from "../../src/Providers/RequestAuthentication.ts"
import { entriesIn } from "../../src/Providers/Resources.ts"
import { registrations } from "../../src/Registrations.ts"
import { Vault } from "../../src/Secrets/Vault.ts"
import { sitesList } from "../Http/Fixture.ts"
import { fresh } from "../Sql/OtherInstance.ts"
import { errorIn } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }

const path = Schema.Struct({ id: Schema.String.annotate({ description: "The id of the note." }) })
  .annotate({ description: "URL placeholders." })

const note = { origin, path: "/v1/notes/{id}", writes: true, scopes: [] } as const

const list = endpoint({
  id: "notes.list",
  description: "Lists the notes.",
  method: "GET",
  origin,
  path: "/v1/notes",
  writes: false,
  scopes: [],
  input: Schema.Struct({}),
  resources: entriesIn("notes", "id")
})

const update = endpoint({
  ...note,
  id: "notes.update",
  description: "Changes the title of a note. Writes data.",
  method: "PATCH",
  input: Schema.Struct({
    path,
    body: Schema.Struct({ title: Schema.String.annotate({ description: "The new title." }) })
      .annotate({ description: "The JSON body." })
  }),
  resources: { names: ({ path }) => path.id }
})

const remove = endpoint({
  ...note,
  id: "notes.delete",
  description: "Deletes a note. Writes data.",
  method: "DELETE",
  input: Schema.Struct({ path }),
  resources: { names: ({ path }) => path.id }
})

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ problem: Schema.String }))

const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [list, update, remove],
  tools: [],
  resourceName: (text) => /^\w+$/.test(text) ? text : undefined,
  cheapestRead: list,
  classify: ({ status }) => status < 300 ? "ok" : status === 401 ? "rejected" : "error",
  errorMessage: (body) => Option.getOrUndefined(decodeError(body))?.problem
}

const TestLayer = TestServer.make({}, { providers: [...registrations, { provider: notes }] })

const apiKey = "a-key-of-the-notes-service"

const stored = { notes: [{ id: "1", title: "Buy milk" }, { id: "2", title: "Call Ada" }] }

const respond: Handler = ({ headers, method }) => {
  if (headers["x-notes-key"] !== apiKey) return { status: 401, body: { problem: "Unknown key" } }
  return { body: method === "GET" ? stored : { done: method } }
}

const connect = seed({ provider: "notes", auth_type: "api_key", credentials: { api_key: apiKey }, scopes: [] })

layer(TestLayer, { excludeTestServices: true })("A provider that a team adds", (it) => {
  it.effect("gets PATCH and DELETE requests with the API key in a header", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { writer } = yield* connect
      upstream.handle(respond)
      const call = (endpoint: string, input: object) =>
        writer.call.call({ payload: { provider: "notes", endpoint, input: { ...input } } })
      const updated = yield* call("notes.update", { path: { id: "a/b" }, body: { title: "Call Ada now" } })
      assert.deepStrictEqual(updated.data, { done: "PATCH" })
      const deleted = yield* call("notes.delete", { path: { id: "2" } })
      assert.deepStrictEqual(deleted.data, { done: "DELETE" })
      assert.deepStrictEqual(
        upstream.requests.map(({ body, headers, method, url }) => [method, url, headers["x-notes-key"], body]),
        [
          ["PATCH", "/notes/v1/notes/a%2Fb", apiKey, "{\"title\":\"Call Ada now\"}"],
          ["DELETE", "/notes/v1/notes/2", apiKey, ""]
        ]
      )
    }))

  it.effect("has its errors in the answer and the log, without the API key", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* connect
      upstream.handle(() => ({ status: 409, body: { problem: `Busy with ${apiKey}` } }))
      const failed = yield* server.call(readOnly, { provider: "notes", endpoint: "notes.list" })
      const error = errorIn(failed)
      assert.deepStrictEqual([failed.status, error.code, error.message], [
        409,
        "upstream_error",
        "Notes answered 409: Busy with [redacted]."
      ])
      const logged = yield* server.request("GET", `/v1/logs/${failed.callId}`, { key: readOnly })
      assert.deepInclude(logged.json, { provider: "notes", target: "raw:notes.list", error_code: "upstream_error" })
      assert.notInclude(logged.text, apiKey)
    }))
})

const options = { excludeTestServices: true }

const FakeProviders = ProviderClient.layerTest(({ endpoint }) => Effect.succeed({ answeredBy: endpoint.id }))

const FixedCache = Layer.succeed(Cache, {
  get: () => Effect.succeed(Option.some(JsonText.stringify({ from: "another cache" }))),
  put: () => Effect.void,
  drop: () => Effect.void,
  droppedSince: () => Effect.succeed(false),
  dropOutdated: Effect.void
})

layer(TestServer.make({}, { services: { Cache: FixedCache } }), options)("A replaced Cache", (it) => {
  it.effect("answers calls that allow it with max_age, and no others, without the tables and sweeps of the cache", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const sql = yield* SqlClient.SqlClient
      // A sweep at the start would delete this row, which is older than any retention.
      yield* sql`INSERT INTO response_drops (connection_id, dropped_at) VALUES ('old', ${new Date(0)})`
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { reader } = yield* seed()
      const cached = yield* reader.call.call({ payload: { ...sitesList, max_age: 60 } })
      assert.deepStrictEqual([cached.cached, cached.data], [true, { from: "another cache" }])
      const fresh = yield* reader.call.call({ payload: sitesList })
      assert.deepStrictEqual([fresh.cached, fresh.data], [false, { siteEntry: [] }])
      assert.deepStrictEqual(yield* sql`SELECT connection_id FROM responses`, [])
      assert.deepStrictEqual(yield* sql`SELECT connection_id FROM response_drops`, [{ connection_id: "old" }])
    }))
})

const [k1, k2] = ["k1", "k2"].map((id, byte) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`)

/** Stores the text of an own table, which the first encryption key of an earlier service encrypts. */
const OwnTable = Layer.effect(
  ConnectionTokens,
  Effect.gen(function*() {
    const vault = yield* Vault
    const earlier = yield* fresh(Vault, Vault.layer).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ ENCRYPTION_KEYS: k1 }))
    )
    let stored = earlier.encrypt("own", Redacted.make("a text"))
    const remaining = Effect.sync(() =>
      new Map(stored.encryptionKeyId === vault.keyId ? [] : [[stored.encryptionKeyId, 1]])
    )
    return {
      ...yield* ConnectionTokens,
      reEncryption: {
        remaining,
        reEncrypt: () =>
          Effect.map(Effect.orDie(vault.decrypt("own", stored)), (text) => {
            stored = vault.encrypt("own", text)
            return { rotated: 1, failed: [], cursor: null }
          })
      }
    }
  })
).pipe(Layer.provideMerge(ConnectionRepo.layerMemory))

layer(
  TestServer.make({ ENCRYPTION_KEYS: `${k2},${k1}` }, {
    services: { ConnectionRepo: OwnTable, CallLog: CallLog.layerMemory }
  }),
  options
)("A replaced ConnectionRepo", (it) => {
  it.effect("re-encrypts its own table when the keys are rotated", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const batch = yield* admin.encryption.rotate({ query: {} })
      assert.deepInclude(batch, { key_id: "k2", rotated: 1, remaining: 0, failed: [] })
    }))
})

describe("A service in memory", () => {
  const key = `oa_${"0".repeat(38)}`
  const principal = {
    via: "key" as const,
    connectionIds: null,
    resources: null,
    manage: [],
    manageAs: "member" as const,
    keyId: KeyId.make(`key_${"0".repeat(26)}`),
    memberId: MemberId.make(`mem_${"0".repeat(26)}`),
    access: "read_only" as const,
    clientIds: null
  }
  const services = {
    Auth: Auth.layerMemory([{ key: Redacted.make(key), principal }]),
    ConnectionRepo: ConnectionRepo.layerMemory,
    Cache: Cache.layerMemory,
    CallLog: CallLog.layerMemory,
    ProviderClient: FakeProviders
  }
  layer(TestServer.make({}, { services }), options)((it) => {
    it.effect("answers, caches, logs and counts a call without any of the five services' tables, and sends nothing", () =>
      Effect.gen(function*() {
        const { admin, api } = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const holder = api(key)
        const sql = yield* SqlClient.SqlClient
        yield* admin.managedConnections.create({
          payload: {
            provider: "gsc",
            auth_type: "oauth",
            credentials: { refresh_token: "1//refresh-0123456789" },
            label: "Acme"
          }
        })
        const { data } = yield* holder.call.call({ payload: sitesList })
        assert.deepStrictEqual(data, { answeredBy: "sites.list" })
        yield* holder.call.call({ payload: { ...sitesList, max_age: 60 } })
        const { calls } = yield* holder.logs.list({ query: {} })
        assert.deepStrictEqual(
          calls.map(({ cached, target }) => [target, cached]),
          [["raw:sites.list", true], ["raw:sites.list", false]]
        )
        const { buckets } = yield* holder.stats.read({ query: { group_by: "target" } })
        assert.deepStrictEqual(
          buckets.map(({ cached, calls, group }) => [group, calls, cached]),
          [["raw:sites.list", 2, 1]]
        )
        for (const table of ["keys", "connections", "responses", "calls", "call_stats"]) {
          assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${sql(table)}`, [], table)
        }
        assert.deepStrictEqual(upstream.requests, [])
      }))
  })
})
