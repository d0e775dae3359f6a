// Measures whether the call log gets slower as it grows. README.md in this folder describes it.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import {
  Clock,
  ConfigProvider,
  Console,
  Context,
  DateTime,
  Duration,
  Effect,
  FileSystem,
  Layer,
  Redacted,
  Schema
} from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { rollUp } from "../../src/Calls/Log/Stats/StatsRollUp.ts"
import { day, partitionOf, startOfDay } from "../../src/Calls/Log/Storage/LogDay.ts"
import { operator, type Viewer } from "../../src/Domain/Access/Principal.ts"
import type { CallFilter } from "../../src/Domain/Calls/Call.ts"
import type { StatsRequest } from "../../src/Domain/Calls/Stats.ts"
import { CallId, ClientId, ConnectionId, MemberId } from "../../src/Domain/Ids.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { Vault } from "../../src/Secrets/Vault.ts"
import { Database } from "../../src/Sql/Database.ts"
import { DataDir } from "../../src/Sql/DataDir.ts"
import { startProcess } from "./NodeProcess.ts"
import { median } from "./Summary.ts"

const flags = {
  rows: Flag.Int("rows").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1000))),
    Flag.between(1, 10),
    Flag.withDescription("Calls in a log; repeat it for each size")
  ),
  rounds: Flag.Int("rounds").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Flag.withDescription("Measurements of each size"),
    Flag.withDefault(7)
  )
}

const days = 90

/** Page reads are short and vary, so they need more measurements than writes. */
const pagesPerWrite = 10

const connections = 200
const targets = 30
const keys = 50
const smallEvery = 1000
const errorEvery = 100

const largeClient = ClientId.make(`cli_${"1".padStart(26, "0")}`)
const smallClient = ClientId.make(`cli_${"2".padStart(26, "0")}`)
const idleClient = ClientId.make(`cli_${"3".padStart(26, "0")}`)
const connection = ConnectionId.make(`con_${"1".padStart(26, "0")}`)
const member = MemberId.make(`mem_${"1".padStart(26, "0")}`)

const pages: Readonly<Record<string, { readonly viewer: Viewer; readonly filter?: CallFilter }>> = {
  "everything": { viewer: operator },
  "everything, errors": { viewer: operator, filter: { outcome: "error" } },
  "everything, a provider never called": {
    viewer: operator,
    filter: { provider: "gdocs" }
  },
  "everything, a target never called": { viewer: operator, filter: { target: "raw:none" } },
  "everything, a member that never called": { viewer: operator, filter: { member_id: `mem_${"9".padStart(26, "0")}` } },
  "everything, a key": { viewer: operator, filter: { key_id: `key_${"7".padStart(26, "0")}` } },
  "a client with most calls": { viewer: { memberId: member, clientIds: [largeClient], connectionIds: null } },
  "a client with 1 in 1000": { viewer: { memberId: member, clientIds: [smallClient], connectionIds: null } },
  "a client with 1 in 1000, a key of the other": {
    viewer: { memberId: member, clientIds: [smallClient], connectionIds: null },
    filter: { key_id: `key_${"7".padStart(26, "0")}` }
  },
  "a client with none": { viewer: { memberId: member, clientIds: [idleClient], connectionIds: null } }
}

const base32 = (millis: string) =>
  Array.from(
    { length: 10 },
    (_, index) => `substr('0123456789abcdefghjkmnpqrstvwxyz', (${millis} >> ${45 - 5 * index} & 31)::int + 1, 1)`
  ).join(" || ")

const fill = Effect.fn("fill")(function*(rows: number) {
  const sql = yield* SqlClient.SqlClient
  // Vacuum runs once after the fill, not during measurements.
  yield* sql`ALTER SYSTEM SET autovacuum = off`
  yield* sql`SELECT pg_reload_conf()`
  const today = startOfDay(yield* Clock.currentTimeMillis)
  const perDay = Math.ceil(rows / days)
  for (let start = today - days * day; start < today; start += day) {
    const [from, to] = [start, start + day].map((millis) => DateTime.formatIso(DateTime.makeUnsafe(millis)))
    const name = partitionOf(start)
    yield* sql`
      CREATE TABLE IF NOT EXISTS ${sql(name)} PARTITION OF calls
      FOR VALUES FROM (${sql.literal(`'${from}'`)}) TO (${sql.literal(`'${to}'`)})`
    const batch = 50_000
    for (let first = 0; first < perDay; first += batch) {
      yield* sql`
        INSERT INTO calls (id, created_at, client_id, connection_id, member_id, key_id, provider, target, outcome,
          http_status, error_code, latency_ms, cost_usd, cached, request, response)
        SELECT 'call_' || ${sql.literal(base32("ms"))} || lpad(to_hex(n), 16, '0'), to_timestamp(ms / 1000.0),
          CASE WHEN n % ${smallEvery}::int = 0 THEN ${smallClient} ELSE ${largeClient} END,
          'con_' || lpad((n % ${connections}::int)::text, 26, '0'), ${member}, 'key_' || lpad((n % ${keys}::int)::text, 26, '0'),
          (ARRAY['gsc', 'gsheets', 'ga4', 'bing'])[n % 4 + 1],
          'raw:' || n % ${targets}::int,
          CASE WHEN n % ${errorEvery}::int = 0 THEN 'error' ELSE 'ok' END, 200,
          CASE WHEN n % ${errorEvery}::int = 0 THEN 'upstream_error' END, 10 + abs(hashint8(n) % 10000) / 20.0, 0.001,
          n % 3 = 0,
          '{"provider":"gsc","endpoint":"sites.list","input":{}}', repeat(md5(n::text), 16)
        FROM (
          SELECT n, ${start}::bigint + n * ${day}::bigint / ${perDay}::bigint AS ms
          FROM generate_series(${first}::bigint, ${Math.min(first + batch, perDay) - 1}::bigint) AS n
        ) AS call`
    }
  }
  yield* rollUp
  yield* sql`VACUUM ANALYZE calls, call_stats`
  yield* sql`CHECKPOINT`
})

const statsQueries: Readonly<
  Record<string, { readonly viewer: Viewer; readonly query: Pick<StatsRequest, "bucket" | "group_by"> }>
> = {
  "all by day": { viewer: operator, query: { bucket: "day" } },
  "all by day and target": { viewer: operator, query: { bucket: "day", group_by: "target" } },
  "all by day and connection": { viewer: operator, query: { bucket: "day", group_by: "connection" } },
  "all by hour": { viewer: operator, query: { bucket: "hour" } },
  "all by hour and connection": { viewer: operator, query: { bucket: "hour", group_by: "connection" } },
  "two clients by hour and connection": {
    viewer: { memberId: member, clientIds: [largeClient, smallClient], connectionIds: null },
    query: { bucket: "hour", group_by: "connection" }
  },
  "a grant of 20 connections by day": {
    viewer: {
      memberId: member,
      clientIds: [largeClient],
      connectionIds: Array.from({ length: 20 }, (_, index) => ConnectionId.make(`con_${`${index}`.padStart(26, "0")}`))
    },
    query: { bucket: "day" }
  },
  "a client by day and target": {
    viewer: { memberId: member, clientIds: [largeClient], connectionIds: null },
    query: { bucket: "day", group_by: "target" }
  }
}

const readStats = Effect.gen(function*() {
  const log = yield* CallLog
  const until = yield* Clock.currentTimeMillis
  const since = new Date(until - 90 * day)
  const times: Record<string, number> = {}
  for (const [name, { query, viewer }] of Object.entries(statsQueries)) {
    const stats = log.stats(viewer, { ...query, since, until: new Date(until) })
    yield* stats
    times[`statistics of ${name}, ms`] = median(yield* Effect.replicateEffect(timeMillis(stats), 5))
  }
  return times
})

const timeMillis = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([elapsed]) => Duration.toMillis(elapsed))

const readPages = Effect.gen(function*() {
  const log = yield* CallLog
  const sql = yield* SqlClient.SqlClient
  const times: Record<string, number> = {}
  for (const [name, { filter = {}, viewer }] of Object.entries(pages)) {
    const [range] = yield* sql<{ readonly first: string; readonly last: string }>`
      SELECT min(created_at)::text AS first, max(created_at)::text AS last FROM calls`
    for (const [place, share] of [["first", 1], ["middle", 0.5], ["deep", 0.02]] as const) {
      const [at] = yield* sql<{ readonly id: string }>`
        SELECT id FROM calls
        WHERE created_at <= ${range?.first}::timestamptz +
          (${range?.last}::timestamptz - ${range?.first}::timestamptz) * ${share}::float8
        ORDER BY created_at DESC, id DESC LIMIT 1`
      const page = place === "first" || at === undefined ? { limit: 50 } : { limit: 50, cursor: at.id }
      const read = log.list(viewer, filter, page)
      yield* read
      times[`${name}, ${place} page, ms`] = median(yield* Effect.replicateEffect(timeMillis(read), 5))
    }
  }
  return times
})

const writes = Effect.gen(function*() {
  const log = yield* CallLog
  const count = 20_000
  const calls = yield* Effect.replicateEffect(newId("call"), count)
  const elapsed = yield* timeMillis(Effect.forEach(calls, (id) =>
    log.append({
      id: CallId.make(id),
      provider: "gsc",
      target: "raw:sites.list",
      outcome: "ok",
      http_status: 200,
      error_code: null,
      latency_ms: 12.345,
      cost_usd: 0,
      cached: false,
      connection_id: connection,
      client_id: largeClient,
      key_id: null,
      member_id: member,
      grant_id: null,
      resource: null,
      via: "session",
      request: `{"provider":"gsc","endpoint":"sites.list"}`,
      response: `{"data":"${"x".repeat(500)}"}`
    }), { concurrency: 256, discard: true }))
  yield* (yield* SqlClient.SqlClient)`ANALYZE calls`
  return { "calls logged in a second": count / elapsed * 1000 }
})

const vault = Vault.layer.pipe(
  Layer.provide(DataDir.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ENCRYPTION_KEYS: `k1:${"A".repeat(43)}=` })))
)

interface Measurement {
  readonly measure: Effect.Effect<Readonly<Record<string, number>>, never, CallLog | SqlClient.SqlClient>
  readonly times: number
}

const bench = Effect.fn("bench")(function*({ rounds, rows }: Command.Command.Config.Infer<typeof flags>) {
  const fs = yield* FileSystem.FileSystem
  const temp = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-bench-" })
  // Postgres runs as another user and must reach its folder below this one.
  yield* fs.chmod(temp, 0o755)
  const { url } = yield* startProcess({
    script: "scripts/bench/Postgres.ts",
    args: [`${temp}/postgres`, rows.map((count) => `rows_${count}`).join(",")]
  })
  const logs = yield* Effect.forEach(rows, (count) =>
    Effect.gen(function*() {
      const database = Redacted.make(`${url}/rows_${count}`)
      const context = yield* Layer.build(
        Layer.fresh(Database.layerServer({ url: database, timeout: Duration.minutes(30) }))
      )
      const took = yield* timeMillis(Effect.provideContext(fill(count), context))
      yield* Console.log(`${count} calls inserted and counted in ${Math.round(took / 1000)} s`)
      // Starts after the calls are stored, because it counts in the background.
      const log = yield* Layer.build(Layer.fresh(CallLog.layer.pipe(Layer.provide(vault)))).pipe(
        Effect.provideContext(context)
      )
      return { count, context: Context.merge(context, log), figures: new Map<string, Array<number>>() }
    }))

  const measurements: ReadonlyArray<Measurement> = [
    { measure: Effect.orDie(writes), times: rounds },
    { measure: Effect.orDie(readPages), times: rounds * pagesPerWrite },
    { measure: Effect.orDie(readStats), times: rounds }
  ]
  for (const { measure, times } of measurements) {
    for (let round = 0; round < times; round++) {
      for (const { context, figures } of logs) {
        for (const [name, value] of Object.entries(yield* Effect.provideContext(measure, context))) {
          figures.set(name, [...(figures.get(name) ?? []), value])
        }
      }
    }
  }
  const names = [...(logs[0]?.figures.keys() ?? [])]
  yield* Console.log(["median", ...logs.map(({ count }) => `${count} calls`)].join(" | "))
  for (const name of names) {
    const values = logs.map(({ figures }) => median(figures.get(name) ?? []))
    yield* Console.log([name, ...values.map((value) => value.toFixed(value < 100 ? 2 : 0))].join(" | "))
  }
  for (const { context, count } of logs) {
    const [size] = yield* Context.get(context, SqlClient.SqlClient)<{ readonly size: string; readonly stats: string }>`
      SELECT pg_size_pretty(pg_database_size(current_database())) AS size,
        pg_size_pretty(pg_total_relation_size('call_stats')) AS stats`
    yield* Console.log(`${count} calls take ${size?.size}, of it statistics ${size?.stats}`)
  }
}, Effect.scoped)

Command.run(Command.make("log-size", flags, bench), { version: "" }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
