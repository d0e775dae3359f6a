import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { newIdAt } from "../../src/Domain/NewId.ts"
import { sitesList } from "../Http/Fixture.ts"
import { ClickHouseServer } from "../support/ClickHouseServer.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { startServer } from "../support/ServerProcess.ts"

/** Calls of an hour. With `HOUR_OF_CALLS=720000`, 200 in each second, it takes about two minutes. */
const count = Number(process.env["HOUR_OF_CALLS"] ?? 5000)

const minute = 60_000

const pageSize = 10_000

layer(Layer.mergeAll(RealPostgres.layer, LoopbackUpstream.layer, ClickHouseServer.layer), {
  excludeTestServices: true
})(
  "A service whose ClickHouse is away for an hour",
  (it) => {
    it.effect("answers calls, and copies every one of them afterwards", () =>
      Effect.gen(function*() {
        const clickHouse = yield* ClickHouseServer
        yield* clickHouse.stop
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const database = Redacted.value(yield* (yield* RealPostgres).createDatabase)
        const service = yield* startServer(yield* dataFolder, {
          DATABASE_URL: database,
          ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
          ADMIN_TOKEN: randomBytes(32).toString("base64url"),
          CLICKHOUSE_URL: clickHouse.url,
          GSC_BASE_URL: `${upstream.url}/gsc`
        })
        const { connection, member, readOnly } = yield* service.seed()

        // The copy begins with calls that are five minutes old.
        const begin = Date.now() - 66 * minute
        const ids = Array.from({ length: count }, (_, index) =>
          newIdAt("call", Math.floor(begin + index * 60 * minute / count)))
        const sql = new Client({ connectionString: database })
        yield* Effect.promise(async () => {
          await sql.connect()
          for (let first = 0; first < count; first += pageSize) {
            await sql.query(
              `INSERT INTO calls (id, created_at, connection_id, member_id, provider, target, outcome, http_status,
                latency_ms, cost_usd, cached, request, response)
              SELECT id, to_timestamp(floor($3::float8 + (n + $2::int - 1) * $4::float8) / 1000), $5, $6, 'gsc', 'raw:sites.list',
                'ok', 200, 12, 0, false, '{"provider":"gsc"}', '{"call_id":"","data":{}}'
              FROM unnest($1::text[]) WITH ORDINALITY AS given (id, n)`,
              [ids.slice(first, first + pageSize), first, begin, 60 * minute / count, connection.id, member.id]
            )
          }
          await sql.end()
        })

        const ready = Effect.promise(() =>
          service.send("GET", "/readyz", "")
        )
        yield* eventually(ready, ({ text }) => text.includes("clickhouse"))
        assert.strictEqual((yield* ready).status, 200)
        const called = yield* Effect.promise(() => service.send("POST", "/v1/call", readOnly, sitesList))
        assert.strictEqual(called.status, 200, called.text)

        yield* clickHouse.restart
        const copied = Effect.promise(async () => {
          const query = "SELECT toFloat64(count()) AS rows, toFloat64(uniqExact(id)) AS ids, min(id) AS first, " +
            "max(id) AS last FROM openaccounts.calls FORMAT JSONEachRow"
          const { origin } = new URL(clickHouse.url)
          const response = await fetch(origin, { method: "POST", body: query })
          return response.ok ? await response.text() : ""
        })
        const text = yield* eventually(copied, (text) => text.includes(`"ids":${count}`))
        assert.deepStrictEqual(JSON.parse(text), { rows: count, ids: count, first: ids[0], last: ids.at(-1) })
        yield* eventually(ready, ({ text }) => !text.includes("clickhouse"))
      }))
  }
)
