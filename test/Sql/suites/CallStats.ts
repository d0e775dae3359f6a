import { assert, describe } from "@effect/vitest"
import { Clock, Duration, Effect, Logger, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { partitionOf } from "../../../src/Calls/Log/Storage/LogDay.ts"
import { operator, type Viewer } from "../../../src/Domain/Access/Principal.ts"
import type { CallEntry } from "../../../src/Domain/Calls/Call.ts"
import type { StatsBucket, StatsQuery, StatsRequest } from "../../../src/Domain/Calls/Stats.ts"
import { ConnectionId, GrantId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { eventually } from "../../support/Eventually.ts"
import { newCall, newParty } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import { away, day, hour, idAt, instance, withTime } from "../StatsInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

type Query = StatsQuery & Pick<StatsRequest, "bucket" | "only">

/** Percentiles of stored calls are rounded. */
const figures = (bucket: StatsBucket) => Struct.omit(bucket, ["p50_ms", "p95_ms"])

const reached = <E>(isReached: Effect.Effect<boolean, E>) => TestClock.withLive(eventually(isReached, Boolean))

export const callStats: StorageTests = (it) =>
  describe("statistics", () => {
    it.effect("count every call exactly, before and after its hour is counted, for any part of the time", () =>
      Effect.gen(function*() {
        const now = Math.floor(((yield* Clock.currentTimeMillis) + away) / day) * day + 10.4 * hour
        const { append, count, read } = yield* instance(now, 42)
        const [party, other, second] = [yield* newParty, yield* newParty, yield* newParty]
        const calls: Array<CallEntry> = []
        const grant_id = GrantId.make(yield* newId("gra"))
        for (let number = 0; number < 30; number++) {
          const millis = now - number * 1.3 * hour
          const refused = number % 7 === 0
          const more: Partial<CallEntry> = refused || number % 4 === 0
            ? {
              outcome: "error",
              http_status: 502,
              error_code: refused ? "invalid_input" : "upstream_error",
              cost_usd: 0
            }
            : { cached: number % 3 === 0, cost_usd: 0.1 }
          calls.push(
            yield* newCall(number % 5 === 0 ? other : party, {
              id: yield* idAt(millis),
              provider: number % 2 === 0 ? "gsc" : "ga4",
              ...(number % 3 === 0 ? { connection_id: second.connection_id } : {}),
              ...(number % 2 === 0 ? { grant_id, key_id: null } : {}),
              ...(refused ? { connection_id: null, client_id: null, omitsBodies: true } : {}),
              ...(number % 14 === 0 ? { member_id: null, key_id: null, grant_id: null } : {}),
              ...more
            })
          )
        }
        const plain = yield* fresh(CallLog, CallLog.layerMemory)
        for (const add of [append, plain.append]) yield* Effect.forEach(calls, add, { concurrency: 30, discard: true })

        const connectionIds = [party.connection_id, other.connection_id]
        const viewers: ReadonlyArray<Viewer> = [
          operator,
          party.viewer,
          other.viewer,
          { ...party.viewer, connectionIds },
          { ...party.viewer, clientIds: null, connectionIds },
          { ...other.viewer, connectionIds: [] }
        ]
        const check = Effect.fnUntraced(function*(query: Query, viewers: ReadonlyArray<Viewer>) {
          const whole = { since: new Date(now - 7 * day), until: new Date(now), ...query }
          for (const viewer of viewers) {
            const [counted, expected] = [yield* read(viewer, query), yield* plain.stats(viewer, whole)]
            assert.deepStrictEqual(counted.buckets.map(figures), expected.buckets.map(figures))
            assert.isFalse(counted.truncated)
          }
        })
        const queries: ReadonlyArray<Query> = [
          { bucket: "day" },
          { bucket: "hour", group_by: "provider" },
          { bucket: "day", group_by: "provider", group: "ga4" },
          { bucket: "hour", group_by: "connection", group: party.connection_id },
          { bucket: "day", group_by: "error_code" },
          { bucket: "day", group_by: "connection" },
          { bucket: "day", group_by: "grant" },
          { bucket: "day", only: { key_id: party.key_id } },
          { bucket: "hour", group_by: "key", only: { key_id: other.key_id } },
          { bucket: "day", group_by: "provider", only: { key_id: party.key_id } },
          { bucket: "day", since: new Date(now - 1.6 * day + 1), until: new Date(now - 0.3 * hour) },
          { bucket: "hour", since: new Date(now - 30 * hour), until: new Date(now - 29.5 * hour) },
          { bucket: "hour", since: new Date(now), until: new Date(now) }
        ]
        // Each query for each viewer once, each time for two of them.
        const checkAll = Effect.fnUntraced(function*(time: number) {
          for (const [index, query] of queries.entries()) {
            yield* check(query, viewers.filter((_, viewer) => (viewer + index) % 3 === time))
          }
        })
        yield* checkAll(0)
        yield* count
        yield* checkAll(1)
        yield* count
        yield* Effect.all([count, count, count], { concurrency: "unbounded" })
        yield* checkAll(2)

        const sql = yield* SqlClient.SqlClient
        const [stored] = yield* sql<{ readonly rows: number }>`
          SELECT count(*)::int AS rows FROM call_stats WHERE hours = 24 AND scope = '*' AND dimension = 'all'`
        assert.strictEqual(stored?.rows, 2)
        // Counted days do not need their calls.
        yield* sql`DELETE FROM calls WHERE created_at >= ${new Date(now - 7 * day)} AND created_at < ${new Date(
          now - 12 * hour
        )}`
        yield* check({ bucket: "day", since: new Date(Math.floor(now / day) * day - day) }, viewers)
      }))

    it.effect("count a call once when it ends after its hour and its day were counted", () =>
      Effect.gen(function*() {
        const now = Math.floor(((yield* Clock.currentTimeMillis) + 2 * away) / day) * day + 30 * 60_000
        const { appendLate, count, countAt, read } = yield* instance(now, 24)
        const sql = yield* SqlClient.SqlClient
        const party = yield* newParty
        const only = { key_id: party.key_id }
        const total = Effect.forEach(
          [{ bucket: "hour" }, { bucket: "day" }, { bucket: "day", group_by: "target", only }] as const,
          (query) =>
            Effect.map(read(party.viewer, query), ({ buckets }) => buckets.reduce((sum, { calls }) => sum + calls, 0))
        )
        yield* count
        const calls = yield* Effect.forEach(
          [20, 2, 0.7],
          (hours) => Effect.flatMap(idAt(now - hours * hour), (id) => newCall(party, { id }))
        )
        for (const [index, call] of calls.entries()) {
          yield* appendLate(call, 21 * hour)
          assert.deepStrictEqual(yield* total, [index + 1, index + 1, index + 1])
        }
        yield* countAt(now + hour)
        assert.deepStrictEqual(yield* total, [3, 3, 3])
        assert.deepStrictEqual(yield* sql`SELECT id FROM late_calls`, [])
        yield* countAt(now + 25 * hour)
        assert.deepStrictEqual(yield* total, [3, 3, 3])

        // Longer than a day, such as that of a computer that slept.
        yield* appendLate(yield* newCall(party, { id: yield* idAt(now - 3 * hour) }), 28 * hour)
        yield* countAt(now + 25 * hour)
        assert.deepStrictEqual(yield* total, [4, 4, 4])
        yield* countAt(now + 26 * hour)
        assert.deepStrictEqual(yield* total, [4, 4, 4])
        assert.deepStrictEqual(yield* sql`SELECT id FROM late_calls`, [])
      }))

    it.effect("have latencies within 5 %, and at most 1000 buckets", () =>
      Effect.gen(function*() {
        const now = (yield* Clock.currentTimeMillis) + 4 * away
        const { append, count, read } = yield* instance(now, 3)
        const party = yield* newParty
        const start = Math.floor(now / hour) * hour - 2 * hour
        const connectionIds = yield* Effect.replicateEffect(
          Effect.map(newId("con"), (id) => ConnectionId.make(id)),
          1001
        )
        const appendOne = Effect.fnUntraced(function*(connection_id: ConnectionId, index: number) {
          const number = index + 1
          const id = yield* idAt(start + number)
          yield* append(yield* newCall(party, { id, connection_id, latency_ms: number, target: `tool:${number}` }))
        })
        yield* Effect.forEach(connectionIds, appendOne, { concurrency: 100, discard: true })
        yield* append(yield* newCall(party, { id: yield* idAt(start + hour), latency_ms: 0.5 }))
        const granted = { ...party.viewer, connectionIds: [...connectionIds, party.connection_id] }
        for (const _ of ["before", "after"]) {
          const { buckets: [bucket, quick] } = yield* read(party.viewer, { bucket: "hour" })
          assert.closeTo(bucket?.p50_ms ?? NaN, 501, 501 * 0.05)
          assert.closeTo(bucket?.p95_ms ?? NaN, 951, 951 * 0.05)
          assert.closeTo(quick?.p50_ms ?? NaN, 0.5, 0.5 * 0.05)
          const { buckets, truncated } = yield* read(party.viewer, { bucket: "hour", group_by: "target" })
          assert.deepStrictEqual([buckets.length, truncated], [1000, true])
          for (const viewer of [party.viewer, granted]) {
            const whole = yield* read(viewer, { bucket: "hour" })
            assert.deepStrictEqual([whole.truncated, ...whole.buckets.map(({ calls }) => calls)], [false, 1001, 1])
            const each = yield* read(viewer, { bucket: "hour", group_by: "connection" })
            assert.deepStrictEqual([each.buckets.length, each.truncated], [1000, true])
          }
          yield* count
        }
      }))

    it.effect("are counted, and partitions and keys of the log are kept, also after the database has failed", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const warnings = new Set<string>()
        let now = yield* Clock.currentTimeMillis
        const { countedUntil } = yield* instance(now, 0)
        const log = yield* fresh(CallLog, CallLog.layer).pipe(
          Effect.provide(Logger.layer([Logger.make(({ message }) => void warnings.add(String([message].flat()[0])))])),
          withTime(() => now, Duration.millis(10))
        )
        const { id } = yield* Effect.tap(newCall(yield* newParty), log.append)

        yield* sql`ALTER SCHEMA public RENAME TO away`
        yield* reached(Effect.sync(() => warnings.size === 4))
        yield* sql`ALTER SCHEMA away RENAME TO public`
        yield* sql`DELETE FROM log_keys`
        now += day
        yield* reached(Effect.gen(function*() {
          const keys = yield* sql`SELECT FROM log_keys JOIN calls ON log_key_id = log_keys.id WHERE calls.id = ${id}`
          const partitions = yield* sql`SELECT FROM pg_class WHERE relname = ${partitionOf(now + 7 * day)}`
          return keys.length === 1 && partitions.length === 1 && (yield* countedUntil) > now - 2 * hour
        }))
      }))
  })
