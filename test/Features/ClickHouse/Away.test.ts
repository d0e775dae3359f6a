import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newIdAt } from "../../../src/Domain/NewId.ts"
import { sitesList } from "../../Http/Fixture.ts"
import { assertError } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const day = 86_400_000

const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()

layer(TestServer.make({ CLICKHOUSE_URL: "http://u:p@127.0.0.1:1/openaccounts" }), { excludeTestServices: true })(
  "A service whose ClickHouse is away",
  (it) => {
    it.effect("serves calls and their log, says that it is degraded, and 503 only for older calls", () =>
      Effect.gen(function*() {
        const { call, request } = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { readOnly: key } = yield* seed()
        const { callId, status } = yield* call(key, sitesList)
        assert.strictEqual(status, 200)
        const ready = yield* eventually(request("GET", "/readyz"), ({ text }) => text.includes("degraded"))
        assert.strictEqual(ready.status, 200)
        assert.deepStrictEqual(ready.json, { ok: true, degraded: ["clickhouse"] })
        const get = (path: string) => request("GET", path, { key })
        assert.strictEqual((yield* get(`/v1/logs/${callId}`)).status, 200)
        assert.include((yield* get("/v1/logs?format=ndjson")).text, callId)

        // The log has been copied, and its older days are only in ClickHouse.
        yield* sql`UPDATE call_copies SET copied_until = now()`
        const since = new Date(Date.now() - 3_600_000).toISOString()
        assert.include((yield* get(`/v1/logs?since=${since}`)).text, callId)
        assert.strictEqual((yield* get(`/v1/stats?since=${since}`)).status, 200)
        const paths = [
          "/v1/logs",
          `/v1/logs?format=csv&until=${daysAgo(20)}`,
          `/v1/stats?since=${daysAgo(20)}`,
          `/v1/logs/${newIdAt("call", Date.now() - 20 * day)}`
        ]
        for (const path of paths) {
          const answer = yield* get(path)
          assertError(answer, 503, "unavailable", { retry_after_seconds: 10 })
          assert.include(answer.text, "ClickHouse")
          assert.strictEqual(answer.headers.get("retry-after"), "10")
        }
      }))
  }
)
