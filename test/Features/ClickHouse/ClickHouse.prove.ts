import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Duration, Effect, Exit, Layer, Option, Redacted, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { statsOf } from "../../../src/Calls/Log/Stats/MemoryStats.ts"
import { LogBodies } from "../../../src/Calls/Log/Storage/LogBodies.ts"
import { keepPartitions } from "../../../src/Calls/Log/Storage/Partitions.ts"
import { toLoggedCall } from "../../../src/Calls/Log/ToLoggedCall.ts"
import { operator, seesCall, type Viewer } from "../../../src/Domain/Access/Principal.ts"
import { type CallEntry, type CallFilter, matchesFilter } from "../../../src/Domain/Calls/Call.ts"
import type { StatsBucket, StatsRequest } from "../../../src/Domain/Calls/Stats.ts"
import { CallId } from "../../../src/Domain/Ids.ts"
import { idMillis, newIdAt } from "../../../src/Domain/NewId.ts"
import { makeCopier } from "../../../src/Features/ClickHouse/CallCopier.ts"
import { ClickHouse } from "../../../src/Features/ClickHouse/ClickHouse.ts"
import { ClickHouseLog } from "../../../src/Features/ClickHouse/ClickHouseLog.ts"
import { copiedUntil, CopyProgress } from "../../../src/Features/ClickHouse/CopyProgress.ts"
import { localRetention } from "../../../src/Features/ClickHouse/Settings.ts"
import { Vault } from "../../../src/Secrets/Vault.ts"
import { Database } from "../../../src/Sql/Database.ts"
import { DataDir } from "../../../src/Sql/DataDir.ts"
import { at } from "../../Sql/At.ts"
import { newCall, newParty, newRead, report } from "../../Sql/NewCall.ts"
import { StoredLog } from "../../Sql/StoredLog.ts"
import { ClickHouseServer } from "../../support/ClickHouseServer.ts"
import { dataFolder } from "../../support/DatabaseTemplate.ts"
import { plainCall } from "../../support/PlainCall.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

const day = 86_400_000
const minute = 60_000
/** Near the real time, because ClickHouse deletes by its own clock. */
const start = Math.floor(Date.now() / day - 50) * day
const end = start + 24 * day + 10 * 3_600_000

const settings = (more: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(
      ClickHouseServer,
      ({ url }) =>
        ConfigProvider.layer(
          ConfigProvider.fromUnknown({ CLICKHOUSE_URL: url, ENCRYPTION_KEYS: `k1:${"A".repeat(43)}=`, ...more })
        )
    )
  )

const Engine = Layer.unwrap(Effect.map(ClickHouseServer, ({ url }) => ClickHouse.layer(Redacted.make(url))))

const Server = Layer.unwrap(
  Effect.flatMap(
    RealPostgres,
    ({ createDatabase }) =>
      Effect.map(createDatabase, (url) => Database.layerServer({ url, timeout: Duration.minutes(1) }))
  )
).pipe(Layer.provide(RealPostgres.layer))

const Embedded = Layer.unwrap(Effect.map(dataFolder, (folder) => Database.layerEmbedded(join(folder, "db"))))

const world = <E>(
  database: Layer.Layer<SqlClient.SqlClient | Database, E, NodeServices.NodeServices>,
  more: Readonly<Record<string, string>> = {}
) =>
  Layer.mergeAll(database, Engine, settings(more), Vault.layer.pipe(Layer.provide([DataDir.layer, settings(more)])))
    .pipe(Layer.provideMerge(Layer.mergeAll(ClickHouseServer.layer, NodeServices.layer)))

/** The log at a time. Its partitions are made then. */
const logAt = (millis: number) =>
  Layer.build(Layer.fresh(ClickHouseLog.pipe(Layer.provide([StoredLog, LogBodies.layer]), Layer.provide(CopyProgress))))
    .pipe(
      at(millis),
      Effect.map(Context.get(CallLog)),
      Effect.map((log): CallLog["Service"] => ({
        // Calls of the history end at their own time. Later ones are announced as late.
        append: (call) => log.append(call).pipe(at(call.request === "late" ? millis : idMillis(call.id))),
        list: (viewer, filter, page) => log.list(viewer, filter, page).pipe(at(millis)),
        find: (viewer, id) => log.find(viewer, id).pipe(at(millis)),
        stats: (viewer, request) => log.stats(viewer, request).pipe(at(millis)),
        isDegraded: log.isDegraded ?? Effect.succeed(false)
      }))
    )

const copyAt = (millis: number) => Effect.flatMap(makeCopier, (copy) => copy).pipe(at(millis))

const sweepAt = (millis: number) =>
  Effect.flatMap(localRetention, (local) =>
    Effect.forEach(
      ["calls", "refused_calls"] as const,
      (table) => keepPartitions(table, local, { retention: Duration.days(90), until: copiedUntil })
    )).pipe(Effect.scoped, at(millis))

const idAt = (millis: number) => CallId.make(newIdAt("call", millis))

const size = 240

/** Calls of two clients over 24 days, with long equal responses, failures, undone writes and refused calls. */
const history = Effect.gen(function*() {
  const parties = [yield* newParty, yield* newParty] as const
  const calls: Array<CallEntry> = []
  for (let i = 0; i < size; i++) {
    const millis = start + Math.floor(i / size * (end - start - 10 * minute))
    const party = parties[i % 5 === 0 ? 1 : 0]
    const failed = i % 7 === 0
    const more = {
      id: idAt(millis),
      cached: i % 3 === 0,
      latency_ms: 1 + i,
      cost_usd: i / 1000,
      resource: i % 4 === 0 ? "gsc:sc-domain:acme.com" : null,
      ...failed && { outcome: "error" as const, http_status: 502, error_code: "upstream_unreachable" }
    }
    calls.push(
      i % 11 === 0
        ? { ...yield* newCall(party, { ...more, connection_id: null, client_id: null }) }
        : yield* newRead(party, report(), more)
    )
  }
  // A write before the border of the stores whose undo is after it, and one with both in ClickHouse.
  const undone: Array<readonly [CallId, CallId]> = []
  for (const millis of [start + 16 * day + 23 * 3_600_000, start + 3 * day]) {
    const write = yield* newCall(parties[0], { id: idAt(millis), undoable_until: new Date(millis + 3 * day) })
    const undo = yield* newCall(parties[0], { id: idAt(millis + 2 * 3_600_000), undo_of: write.id })
    const preview = yield* newCall(parties[0], { id: idAt(millis + 3 * 3_600_000), undo_of: write.id, dry_run: true })
    calls.push(write, undo, preview)
    undone.push([write.id, undo.id])
  }
  calls.push({ ...yield* newCall(parties[0], { id: idAt(end - 3 * day) }), ...nobody })
  calls.push({ ...yield* newCall(parties[0], { id: idAt(end - 6 * day) }), ...nobody })
  return { parties, calls: calls.toSorted((one, other) => one.id < other.id ? -1 : 1), undone: new Map(undone) }
})

const nobody = {
  ...plainCall,
  provider: null,
  target: null,
  outcome: "error",
  http_status: 401,
  error_code: "unauthenticated",
  omitsBodies: true
} as const

const hasCleared = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clickHouse = yield* ClickHouse
  yield* sql`TRUNCATE calls, refused_calls, uncopied_calls, late_calls`
  yield* sql`UPDATE call_copies SET copied_until = NULL, copied_id = '', leased_until = NULL`
  yield* sql`DELETE FROM call_stats`
  yield* sql`UPDATE call_stats_progress SET counted_until = NULL`
  yield* clickHouse.command(`DROP TABLE IF EXISTS ${clickHouse.table}`)
})

/** What the stores have, unless a test has changed it. */
let unchanged: Effect.Success<typeof history> | undefined

/** Logs the history day by day, copies it and drops what Postgres need not keep. */
const stored = Effect.gen(function*() {
  unchanged = undefined
  yield* hasCleared
  const made = yield* history
  for (let now = start; now < end; now += 7 * day) yield* logAt(now)
  const log = yield* logAt(end)
  yield* Effect.forEach(made.calls, log.append, { concurrency: 30, discard: true })
  yield* copyAt(end)
  yield* sweepAt(end)
  return { ...made, log }
})

/** For tests that only read. */
const storedOnce = Effect.gen(function*() {
  if (unchanged !== undefined) return { ...unchanged, log: yield* logAt(end) }
  const all = yield* stored
  unchanged = all
  return all
})

const pagesOf = Effect.fnUntraced(
  function*(log: CallLog["Service"], viewer: Viewer, filter: CallFilter, limit: number) {
    const ids: Array<string> = []
    let cursor: string | undefined
    do {
      const page = yield* log.list(viewer, filter, { limit, ...cursor === undefined ? {} : { cursor } })
      assert.isAtMost(page.items.length, limit)
      assert.isBelow(ids.length, 1000)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    return ids
  }
)

const oldestRefused = end - 7 * day

const expected = (calls: ReadonlyArray<CallEntry>, viewer: Viewer, filter: CallFilter) =>
  calls.filter((call) => seesCall(viewer, call) && matchesFilter(toLoggedCall(call), filter))
    .filter((call) => call.omitsBodies !== true || toLoggedCall(call).created_at.getTime() >= oldestRefused)
    .map(({ id }) => id).toReversed()

layer(world(Server), { excludeTestServices: true })("A log in Postgres and ClickHouse", (it) => {
  it.effect("has every call once on its pages, for every viewer and filter, across the border of the stores", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { calls, log, parties } = yield* storedOnce
      const [{ least }] = (yield* sql<{ least: Date }>`SELECT min(created_at) AS least FROM calls`) as [{ least: Date }]
      assert.isAbove(least.getTime(), end - 9 * day)
      const [one, other] = parties
      const viewers: ReadonlyArray<Viewer> = [
        operator,
        one.viewer,
        other.viewer,
        { ...one.viewer, connectionIds: [one.connection_id] },
        { memberId: one.member_id, clientIds: [], connectionIds: null }
      ]
      const filters: ReadonlyArray<CallFilter> = [
        {},
        { key_id: other.key_id },
        { error_code: "upstream_unreachable" },
        { outcome: "ok", cached: true },
        { resource: "gsc:sc-domain:acme.com", connection_id: one.connection_id },
        { since: new Date(start + 10 * day), until: new Date(start + 20 * day) },
        { until: new Date(start + 2 * day), member_id: other.member_id },
        { provider: "nobody'\\", target: "x" }
      ]
      for (const viewer of viewers) {
        for (const filter of viewer === operator ? filters : filters.slice(0, 2)) {
          const ids = yield* pagesOf(log, viewer, filter, filter.key_id === undefined ? 97 : 13)
          assert.deepStrictEqual(ids, expected(calls, viewer, filter))
        }
      }
      const [oldest = ""] = calls.map(({ id }) => id)
      assert.deepStrictEqual((yield* log.list(operator, {}, { cursor: oldest })).items, [])
    }))

  it.effect("has each call with its bodies and what has undone it, and hides those of others", () =>
    Effect.gen(function*() {
      const { calls, log, parties, undone } = yield* storedOnce
      for (const call of calls.filter(({ id }, index) => index % 10 === 0 || undone.has(id))) {
        const found = yield* log.find(operator, call.id)
        if (call.omitsBodies === true) continue
        if (Option.isNone(found)) return assert.fail(`no ${call.id}`)
        assert.strictEqual(found.value.response?.text, call.response)
        assert.strictEqual(found.value.request?.text, call.request)
        assert.strictEqual(found.value.undone_by, undone.get(call.id) ?? null)
        assert.strictEqual(found.value.via, call.via)
        assert.strictEqual(found.value.created_at.getTime(), toLoggedCall(call).created_at.getTime())
        const ofOther = yield* log.find(parties[1].viewer, call.id)
        assert.strictEqual(Option.isSome(ofOther), seesCall(parties[1].viewer, call))
      }
      const listed = yield* log.list(operator, { until: new Date(start + 4 * day) }, { limit: 200 })
      const [write] = [...undone].filter(([id]) => listed.items.some((item) => item.id === id))
      assert.strictEqual(listed.items.find(({ id }) => id === write?.[0])?.undone_by, write?.[1])
    }))

  it.effect("counts the calls of both stores in its statistics", () =>
    Effect.gen(function*() {
      const { calls, log, parties } = yield* storedOnce
      const viewers: ReadonlyArray<Viewer> = [
        operator,
        parties[0].viewer,
        { ...parties[1].viewer, connectionIds: [parties[1].connection_id] }
      ]
      for (const viewer of viewers) {
        for (const group_by of [undefined, "key", "error_code", "client"] as const) {
          for (const bucket of ["day", "hour"] as const) {
            const request: StatsRequest = {
              since: new Date(bucket === "day" ? start : end - 9 * day),
              until: new Date(end - 4 * day + minute),
              bucket,
              ...group_by === undefined ? {} : { group_by }
            }
            const actual = yield* log.stats(viewer, request)
            const wanted = statsOf(calls.filter((call) => seesCall(viewer, call)).map(toLoggedCall), request)
            assert.deepStrictEqual(actual.buckets.map(figures), wanted.buckets.map(figures))
            for (const [index, { p50_ms }] of actual.buckets.entries()) {
              assert.approximately(p50_ms, wanted.buckets[index]?.p50_ms ?? 0, 0.06 * p50_ms + 0.01)
            }
          }
        }
      }
    }))

  it.effect("copies each call once, however often a batch is repeated, on one instance at a time, late ones too", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { calls, log, parties } = yield* stored
      const clickHouse = yield* ClickHouse
      // The instance that copied has gone before it stored its position.
      yield* sql`UPDATE call_copies SET copied_until = ${new Date(end - 6 * day)}, copied_id = ''`
      yield* copyAt(end + minute)
      assert.strictEqual((yield* sql`SELECT 1 FROM call_copies WHERE copied_until > ${new Date(end - day)}`).length, 0)
      yield* copyAt(end + 3 * minute)
      assert.strictEqual((yield* sql`SELECT 1 FROM call_copies WHERE copied_until > ${new Date(end - day)}`).length, 2)
      const late = yield* newCall(parties[0], { id: idAt(end - 8 * minute), request: "late" })
      yield* log.append(late)
      const all = [...calls, late]
      const later = yield* logAt(end + 8 * day)
      const check = Effect.gen(function*() {
        const ids = yield* pagesOf(later, operator, { key_id: parties[0].key_id }, 50)
        assert.deepStrictEqual(ids, expected(all, operator, { key_id: parties[0].key_id }).toSorted().toReversed())
      })
      yield* check
      yield* copyAt(end + 8 * day)
      yield* sweepAt(end + 8 * day)
      yield* check
      assert.strictEqual((yield* sql`SELECT 1 FROM uncopied_calls`).length, 0)
      assert.strictEqual((yield* sql`SELECT 1 FROM calls WHERE created_at < ${new Date(end - day)}`).length, 0)
      const [row] = yield* clickHouse.query<{ readonly count: number }>(
        `SELECT toFloat64(count()) AS count FROM ${clickHouse.table} FINAL WHERE NOT refused`
      )
      assert.strictEqual(row?.count, all.filter(({ omitsBodies }) => omitsBodies !== true).length)
    }))

  it.effect("gives a ClickHouse that is back without its table everything that Postgres has", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { log, parties } = yield* stored
      const clickHouse = yield* ClickHouse
      const copy = yield* makeCopier
      yield* copy.pipe(at(end + 3 * minute))
      yield* clickHouse.command(`DROP TABLE ${clickHouse.table}`)
      yield* log.append(yield* newCall(parties[0], { id: idAt(end + 2 * minute) }))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(copy.pipe(at(end + 10 * minute)))))
      yield* copy.pipe(at(end + 10 * minute))
      const kept = yield* sql`SELECT id FROM calls ORDER BY id`
      const copied = yield* clickHouse.query(`SELECT id FROM ${clickHouse.table} FINAL WHERE NOT refused ORDER BY id`)
      assert.deepStrictEqual(copied, [...kept])
    }))

  it.effect("goes on while ClickHouse is away: later calls can be read, older ones say why not, none is lost", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const server = yield* ClickHouseServer
      const { calls, log, parties } = yield* stored
      yield* server.stop
      const since = new Date(end - 3 * day)
      assert.deepStrictEqual(yield* pagesOf(log, operator, { since }, 20), expected(calls, operator, { since }))
      assert.strictEqual((yield* Effect.flip(pagesOf(log, operator, {}, 50)))._tag, "Unavailable")
      assert.isTrue(yield* log.isDegraded ?? Effect.succeed(false))
      yield* logAt(end + 6 * day)
      yield* logAt(end + 13 * day)
      const later = yield* logAt(end + 20 * day)
      const meanwhile = yield* Effect.forEach(
        [10, 15, 19],
        (days) => newCall(parties[0], { id: idAt(end + days * day) })
      )
      for (const call of meanwhile) yield* later.append(call)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(copyAt(end + 20 * day))))
      yield* sweepAt(end + 20 * day)
      assert.isAbove((yield* sql`SELECT 1 FROM calls WHERE created_at < ${new Date(end)}`).length, 0)
      yield* server.restart
      yield* copyAt(end + 20 * day + 3 * minute)
      yield* sweepAt(end + 20 * day + 3 * minute)
      const all = [...calls, ...meanwhile].filter(({ omitsBodies }) => omitsBodies !== true)
      assert.deepStrictEqual(
        yield* pagesOf(later, operator, { provider: "gsc" }, 60),
        all.map(({ id }) => id).toReversed()
      )
      assert.strictEqual((yield* sql`SELECT 1 FROM calls WHERE created_at < ${new Date(end)}`).length, 0)
      assert.isFalse(yield* later.isDegraded ?? Effect.succeed(true))
    }).pipe(Effect.ensuring(Effect.flatMap(ClickHouseServer, ({ restart }) => restart))))
})

layer(world(Embedded, { LOG_LOCAL_RETENTION: "1 hour" }), { excludeTestServices: true })(
  "A log whose last hours are in the embedded database",
  (it) => {
    it.effect("has every call once, and counts it once, across the border of the stores", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { calls, log, parties } = yield* stored
        const [row] = yield* sql<{ readonly least: Date }>`SELECT min(created_at) AS least FROM calls`
        assert.isAbove(row?.least.getTime() ?? 0, end - 2 * day)
        // ClickHouse has deleted the refused calls, by its own clock.
        const filter = { provider: "gsc" }
        for (const viewer of [operator, parties[1].viewer]) {
          assert.deepStrictEqual(yield* pagesOf(log, viewer, filter, 97), expected(calls, viewer, filter))
        }
        const request: StatsRequest = {
          since: new Date(end - 5 * day),
          until: new Date(end + day),
          bucket: "hour",
          group_by: "provider"
        }
        const figuresOf = ({ buckets }: Effect.Success<ReturnType<typeof log.stats>>) =>
          buckets.filter(({ group }) => group === "gsc").map(figures)
        assert.deepStrictEqual(
          figuresOf(yield* log.stats(operator, request)),
          figuresOf(statsOf(calls.map(toLoggedCall), request))
        )
        for (const call of calls.filter(({ omitsBodies }, index) => omitsBodies !== true && index % 40 === 0)) {
          const found = yield* log.find(operator, call.id)
          assert.strictEqual(Option.getOrUndefined(found)?.response?.text, call.response)
        }
      }))
  }
)

const figures = (bucket: StatsBucket) => ({
  ...Struct.omit(bucket, ["p50_ms", "p95_ms"]),
  start: bucket.start.toISOString(),
  cost_usd: bucket.cost_usd.toFixed(6)
})
