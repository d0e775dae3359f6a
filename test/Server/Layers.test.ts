import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Auth } from "../../src/Auth/Auth.ts"
import { Cache } from "../../src/Calls/Cache/Cache.ts"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import type { CallEntry } from "../../src/Domain/Call.ts"
import { KeyId, MemberId } from "../../src/Domain/Ids.ts"
import { JsonText } from "../../src/Domain/JsonText.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { found, given } from "../Security/Secrets.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const options = { excludeTestServices: true }

const FakeProviders = ProviderClient.layerTest(({ endpoint }) => Effect.succeed({ answeredBy: endpoint.id }))

layer(TestServer.make({}, { services: { ProviderClient: FakeProviders } }), options)(
  "A suite without providers",
  (it) => {
    it.effect("has its calls answered by the fake, and nothing is sent", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { readOnly } = yield* seed()
        const answer = yield* server.call(readOnly, { provider: "gsc", endpoint: "sites.list" })
        assert.deepStrictEqual(answer.json.data, { answeredBy: "sites.list" })
        assert.deepStrictEqual(upstream.requests, [])
      }))
  }
)

/** Returns one response for every key. */
const FixedCache = Layer.succeed(Cache, {
  get: () => Effect.succeed(Option.some(JsonText.stringify({ from: "another cache" }))),
  put: () => Effect.void,
  drop: () => Effect.void,
  droppedSince: () => Effect.succeed(false)
})

layer(TestServer.make({}, { services: { Cache: FixedCache } }), options)("A team with its own cache", (it) => {
  it.effect("has calls answered from it, and only when they allow it", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { readOnly } = yield* seed()
      const call = { provider: "gsc", endpoint: "sites.list" }
      const cached = yield* server.call(readOnly, { ...call, max_age: 60 })
      assert.deepStrictEqual([cached.json.cached, cached.json.data], [true, { from: "another cache" }])
      const fresh = yield* server.call(readOnly, call)
      assert.deepStrictEqual([fresh.json.cached, fresh.json.data], [false, { siteEntry: [] }])
    }))

  it.effect("has no cache table touched, and no sweep started", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const sql = yield* SqlClient.SqlClient
      // A sweep at the start deletes this row, which is older than any retention.
      yield* sql`INSERT INTO response_drops (connection_id, dropped_at) VALUES ('old', ${new Date(0)})`
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { readOnly } = yield* seed()
      yield* server.call(readOnly, { provider: "gsc", endpoint: "sites.list", max_age: 60 })
      yield* server.call(readOnly, { provider: "gsc", endpoint: "sites.list" })
      assert.deepStrictEqual(yield* sql`SELECT connection_id FROM responses`, [])
      assert.deepStrictEqual(yield* sql`SELECT connection_id FROM response_drops`, [{ connection_id: "old" }])
    }))
})

const kept: Array<CallEntry> = []

/** Keeps whatever the pipeline hands it. */
const KeepingLog = Layer.effect(
  CallLog,
  Effect.map(CallLog, (log) => ({
    ...log,
    append: (call: CallEntry) => Effect.andThen(Effect.sync(() => void kept.push(call)), log.append(call))
  }))
).pipe(Layer.provide(CallLog.layerMemory))

layer(TestServer.make({}, { services: { CallLog: KeepingLog } }), options)("A team with its own call log", (it) => {
  it.effect("is handed nothing secret, neither of requests nor of answers and errors", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* seed()
      const secrets = {
        refresh_token: given.opaqueRefreshToken,
        nested: JSON.stringify({ access_token: given.opaqueAccessToken }),
        note: `Bearer ${given.accessToken} and ${given.refreshToken}`,
        key: given.unknownApiKey,
        jwt: given.idToken,
        client_secret: given.sitesearchClientSecret
      }
      const call = { provider: "gsc", endpoint: "sites.list" }
      for (const [status, bytes] of [[200, 10], [200, 100_000], [403, 10]] as const) {
        upstream.handle(() => ({ status, body: { ...secrets, filler: "x".repeat(bytes) } }))
        yield* server.call(readOnly, call)
        yield* server.call(readOnly, { ...call, input: { ...secrets, filler: "x".repeat(bytes) } })
      }
      yield* server.request("POST", "/v1/call", { key: readOnly, rawBody: `{"password":"${given.opaqueAccessToken}",` })
      yield* server.call(given.unknownApiKey, { provider: given.accessToken, tool: given.refreshToken })

      assert.lengthOf(kept, 8)
      const everything = kept.map(({ data, ...call }) => `${JSON.stringify(call)}\n${data?.text}`).join("\n")
      assert.include(everything, "[redacted]")
      assert.deepStrictEqual(found(given, everything), [])
    }))
})

describe("A service in memory", () => {
  const key = `oa_${"0".repeat(38)}`
  const principal = {
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
    it.effect("answers, caches and logs a call without any of the five services' tables", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        yield* server.admin("POST", "/connections", {
          provider: "gsc",
          auth_type: "oauth",
          credentials: { refresh_token: "1//refresh-0123456789" },
          label: "Acme"
        })
        const call = { provider: "gsc", endpoint: "sites.list" }
        const first = yield* server.call(key, call)
        assert.deepStrictEqual(first.json.data, { answeredBy: "sites.list" })
        yield* Effect.flatMap(Clock.currentTimeMillis, () => server.call(key, { ...call, max_age: 60 }))
        const logged = yield* server.request("GET", "/v1/logs", { key })
        assert.deepStrictEqual(
          logged.json.calls.map(({ cached, target }: Record<string, unknown>) => [target, cached]),
          [["raw:sites.list", true], ["raw:sites.list", false]]
        )
        for (const table of ["keys", "connections", "responses", "calls"]) {
          assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${sql(table)}`, [], table)
        }
      }))
  })
})
