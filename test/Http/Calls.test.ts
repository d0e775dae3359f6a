import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

layer(TestServer.layer, { excludeTestServices: true })("POST /v1/call", (it) => {
  it.effect("returns the provider's body, and the log has the call", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection, readOnly } = yield* seed()
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const answer = yield* server.call(readOnly, { provider: "gsc", endpoint: "sites.list" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json.data, { siteEntry: [] })
      assert.strictEqual(answer.json.connection_id, connection.id)
      assert.strictEqual(answer.headers.get("x-call-id"), answer.json.call_id)
      const logged = yield* server.request("GET", `/v1/logs/${answer.json.call_id}`, { key: readOnly })
      assert.strictEqual(logged.status, 200)
      assert.strictEqual(logged.json.outcome, "ok")
    }))
})
