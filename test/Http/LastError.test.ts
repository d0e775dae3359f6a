import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ConnectionId } from "../../src/Domain/Ids.ts"
import { assertError } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { manage, sitesList } from "./Fixture.ts"

const works: Handler = () => ({ body: { siteEntry: [] } })
const cutsOff: Handler = () => (response) => response.destroy()
const refuses: Handler = () => ({ status: 400, body: { error: "invalid_grant" } })
const throttles: Handler = () => ({ status: 429, body: { error: { code: 429 } } })

const lastError = Effect.fnUntraced(function*(id: ConnectionId) {
  const { admin } = yield* TestServer
  const { connections } = yield* admin.managedConnections.list({ query: { limit: 200 } })
  return connections.find((connection) => connection.id === id)?.last_error ?? null
})

layer(TestServer.layer, { excludeTestServices: true })("The last error of a connection", (it) => {
  it.effect("is set by a call that fails because of the connection, and cleared by the next success", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connection: { id }, reader } = yield* seed()
      upstream.handle(cutsOff)
      const before = Date.now()
      yield* assertFails(reader.call.call({ payload: sitesList }), "upstream_unreachable")
      const set = yield* lastError(id)
      assert.strictEqual(set?.code, "upstream_unreachable")
      assert.isAtLeast(set?.at.getTime() ?? 0, before)
      assert.deepStrictEqual((yield* reader.connections.list({ query: {} })).connections[0]?.last_error, set)

      upstream.handle(throttles)
      yield* assertFails(reader.call.call({ payload: sitesList }), "upstream_error", { error: { code: 429 } })
      assert.deepStrictEqual(yield* lastError(id), set)

      upstream.handle(works)
      yield* reader.call.call({ payload: sitesList })
      assert.isNull(yield* lastError(id))
    }))

  it.effect("stays when the cache answers", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connection: { id }, reader } = yield* seed()
      upstream.handle(works)
      yield* reader.call.call({ payload: sitesList })
      upstream.handle(cutsOff)
      yield* assertFails(reader.call.call({ payload: sitesList }), "upstream_unreachable")
      const { cached } = yield* reader.call.call({ payload: { ...sitesList, max_age: 60 } })
      assert.isTrue(cached)
      assert.strictEqual((yield* lastError(id))?.code, "upstream_unreachable")
    }))

  it.effect("is set and cleared by a connection test", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection: { id } } = yield* seed()
      upstream.handle(cutsOff)
      assertError(yield* manage("POST", `/connections/${id}/test`), 502, "upstream_unreachable")
      assert.strictEqual((yield* lastError(id))?.code, "upstream_unreachable")
      upstream.handle(works)
      yield* admin.managedConnections.test({ params: { id } })
      assert.isNull(yield* lastError(id))
    }))

  it.effect("is shown for each connection in connection_ambiguous", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, connection: good, readOnly, reader } = yield* seed({ external_account: "ada@example.com" })
      const dead = yield* connect({ label: "dead", external_account: null })
      upstream.handle(cutsOff)
      yield* assertFails(
        reader.call.call({ payload: { ...sitesList, connection_id: dead.id } }),
        "upstream_unreachable"
      )
      const last_error = yield* lastError(dead.id)
      assertError(yield* call(readOnly, sitesList), 400, "connection_ambiguous", {
        connection_ids: [dead.id, good.id],
        connections: [
          {
            id: dead.id,
            label: "dead",
            external_account: null,
            last_error: { code: "upstream_unreachable", at: last_error?.at.toISOString() }
          },
          { id: good.id, label: good.label, external_account: "ada@example.com", last_error: null }
        ]
      })
    }))

  it.effect("stays on an expired connection until it is reconnected", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection: { id }, reader } = yield* seed({ credentials: expiredGrant("gone") })
      upstream.handle(refuses)
      yield* assertFails(reader.call.call({ payload: sitesList }), "credentials_expired")
      yield* assertFails(reader.call.call({ payload: { ...sitesList, connection_id: id } }), "connection_inactive")
      assert.strictEqual((yield* lastError(id))?.code, "credentials_expired")
      yield* admin.managedConnections.reconnect({ params: { id }, payload: { credentials: freshGrant("back") } })
      assert.isNull(yield* lastError(id))
    }))
})
