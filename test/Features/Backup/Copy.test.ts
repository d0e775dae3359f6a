import { NodeServices } from "@effect/platform-node"
import { assert, layer, type Vitest } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { keepPartitions } from "../../../src/Calls/Log/Storage/Partitions.ts"
import { dump } from "../../../src/Features/Backup/Copy/Dump.ts"
import { load } from "../../../src/Features/Backup/Copy/Load.ts"
import type { Part } from "../../../src/Features/Backup/Copy/Parts.ts"
import { migrate, migrateTo } from "../../../src/Sql/Migrations.ts"
import { EmptyDatabase } from "../../Sql/StorageFixture.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

const on = (sql: SqlClient.SqlClient) => Effect.provideService(SqlClient.SqlClient, sql)

const partsOf = (sql: SqlClient.SqlClient) =>
  Effect.map(Stream.runCollect(Stream.provideService(dump, SqlClient.SqlClient, sql)), (parts) => [...parts])

const loadInto = (sql: SqlClient.SqlClient, parts: ReadonlyArray<Part>) => on(sql)(load(Stream.fromIterable(parts)))

const newDatabase = Effect.gen(function*() {
  const [sql] = yield* (yield* EmptyDatabase).clients(1)
  if (sql === undefined) return assert.fail("no client")
  return sql
})

/** Rows with every type of column that there is, and values that text could change. */
const fill = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, calls: number) {
  yield* on(sql)(migrate)
  yield* on(sql)(Effect.scoped(keepPartitions("calls", Duration.days(90))))
  yield* sql`CREATE TABLE calls_20260105 (LIKE calls INCLUDING ALL)`
  yield* sql`
    ALTER TABLE calls ATTACH PARTITION calls_20260105
    FOR VALUES FROM ('2026-01-05T00:00:00.000Z') TO ('2026-01-06T00:00:00.000Z')`
  yield* sql`CREATE TABLE calls_20260104 PARTITION OF calls FOR VALUES FROM (MINVALUE) TO ('2026-01-05T00:00:00.000Z')`
  yield* sql`
    INSERT INTO calls (id, created_at, outcome, http_status, latency_ms, cost_usd, cached, request, response)
    SELECT 'call_' || i, '2026-01-05T12:00:00.123456Z'::timestamptz + i * interval '1 microsecond', 'ok', 200,
      i / 3::double precision, 1e-9 * i, i % 2 = 0,
      CASE WHEN i % 3 = 0 THEN NULL WHEN i % 3 = 1 THEN '' ELSE E'NULL {"a,b"} \\\\ \\n\\r\\t é😀 ' || repeat('x', i % 50) END,
      repeat('y', i % 2000)
    FROM generate_series(1, ${calls}::integer) AS i`
  yield* sql`
    INSERT INTO webhooks (id, url, events, enabled, secret, encryption_key_id, created_at)
    VALUES ('whk_1', 'https://x', ARRAY['a', 'b,c', 'NULL', ''], true, ${Buffer.from([0, 1, 255])}, 'k1', now())`
  yield* sql`
    INSERT INTO results
    VALUES ('res_1', 'mem_1', 'key_1', 'con_1', 'gsc', '{}', '{}', '', 1, 2, true, now(), now() + interval '1 day')`
  yield* sql`INSERT INTO result_chunks VALUES ('rch_1', 'res_1', -1, 0, ${Buffer.from([1])}, 'k1')`
  yield* sql`
    INSERT INTO audit (id, at, actor_type, action, subject_type, details)
    VALUES ('aud_1', now(), 'system', 'client.created', 'client', '{"b": 1.10, "a": [null, "\\u2028"]}')`
  yield* sql`
    INSERT INTO call_stats (scope, dimension, hours, started_at, calls, errors, cached, cost_usd, latencies)
    VALUES ('*', 'all', 1, now(), 1, 0, 0, 0.100, '{5,1,7,2}')`
  yield* sql`UPDATE call_stats_progress SET counted_until = now()`
})

const textOf = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql<{ readonly row: string }>`SELECT ${sql(table)}::text AS row FROM ${sql(table)} ORDER BY 1`,
    (rows) => rows.map(({ row }) => row)
  )

type Tests = (it: Vitest.MethodsNonLive<EmptyDatabase>) => void

const roundTrip: Tests = (it) =>
  it.effect("has every row of every table, in several batches, and becomes the same database again", () =>
    Effect.gen(function*() {
      const sql = yield* newDatabase
      yield* fill(sql, 2500)
      const tables = ["calls", "webhooks", "results", "result_chunks", "audit", "call_stats", "call_stats_progress"]
      const before = yield* Effect.forEach(tables, (table) => textOf(sql, table))
      const parts = yield* partsOf(sql)
      assert.isAbove(parts.filter((part) => "rows" in part && part.table === "calls").length, 1)

      const copy = yield* newDatabase
      const sums = yield* loadInto(copy, parts)
      assert.strictEqual(sums["calls"]?.rows, "2500")
      assert.strictEqual(sums["clients"]?.rows, "0")
      assert.deepStrictEqual(yield* Effect.forEach(tables, (table) => textOf(copy, table)), before)
      assert.deepStrictEqual((yield* partsOf(copy)).at(-1), parts.at(-1))
      // A start finds its migrations and partitions.
      yield* on(copy)(migrate)
      yield* on(copy)(Effect.scoped(keepPartitions("calls", Duration.days(90))))
    }))

layer(EmptyDatabase.layerEmbedded.pipe(Layer.provide(NodeServices.layer)), { excludeTestServices: true })(
  "A copy of an embedded database",
  roundTrip
)

layer(EmptyDatabase.layerServer.pipe(Layer.provide(RealPostgres.layer)), { excludeTestServices: true })(
  "A copy of a server",
  (it) => {
    roundTrip(it)

    // The embedded database has one connection: a copy of a running service is made of a copy of its folder.
    it.effect("is of one moment, whatever is written meanwhile", () =>
      Effect.gen(function*() {
        const sql = yield* newDatabase
        yield* fill(sql, 1500)
        const parts: Array<Part> = []
        yield* Stream.provideService(dump, SqlClient.SqlClient, sql).pipe(
          Stream.runForEach((part) =>
            Effect.gen(function*() {
              parts.push(part)
              if (!("migrations" in part)) return
              yield* sql`DELETE FROM webhooks`
              yield* sql`INSERT INTO clients (id, name, created_at) VALUES ('cli_1', 'late', now())`
            })
          )
        )
        const sums = yield* loadInto(yield* newDatabase, parts)
        assert.strictEqual(sums["webhooks"]?.rows, "1")
        assert.strictEqual(sums["clients"]?.rows, "0")
      }))

    it.effect("goes into an empty database only, whole or not at all", () =>
      Effect.gen(function*() {
        const sql = yield* newDatabase
        yield* fill(sql, 50)
        const parts = yield* partsOf(sql)
        const isEmpty = Effect.map(
          sql`SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
          ({ length }) => length === 0
        )
        const messageOf = (parts: ReadonlyArray<Part>) => Effect.map(Effect.flip(loadInto(sql, parts)), String)
        assert.include(yield* messageOf(parts), "is not empty")
        assert.lengthOf(yield* textOf(sql, "calls"), 50)
        yield* sql`DROP SCHEMA public CASCADE`
        yield* sql`CREATE SCHEMA public`
        assert.include(yield* messageOf(parts.slice(0, -1)), "ends before its sums")
        assert.isTrue(yield* isEmpty)
        const lacking = parts.filter((part) => !("rows" in part) || part.table !== "webhooks")
        assert.include(yield* messageOf(lacking), "webhooks has 0 rows with the sum 0 instead of 1 with")
        assert.isTrue(yield* isEmpty)
        const changed = parts.map((part): Part =>
          "rows" in part && part.table === "webhooks"
            ? { table: "webhooks", rows: part.rows.map((row) => row.map((v) => v === "https://x" ? "https://y" : v)) }
            : part
        )
        assert.match(yield* messageOf(changed), /webhooks has 1 rows with the sum \d+ instead of 1 with \d+/)
        assert.isTrue(yield* isEmpty)
        yield* loadInto(sql, parts)
      }))

    it.effect("of an older version is migrated, and of a newer one refused", () =>
      Effect.gen(function*() {
        const sql = yield* newDatabase
        yield* on(sql)(migrate)
        const [first] = yield* partsOf(sql)
        if (first === undefined || !("migrations" in first)) return assert.fail("no migrations")
        const old = yield* newDatabase
        yield* on(old)(migrateTo(first.migrations.slice(0, -1)))
        yield* old`INSERT INTO clients (id, name, created_at) VALUES ('cli_1', 'Acme', now())`
        const parts = yield* partsOf(old)
        const target = yield* newDatabase
        yield* loadInto(target, parts)
        assert.lengthOf(yield* textOf(target, "clients"), 1)
        const [migrated] = yield* partsOf(target)
        assert.deepStrictEqual(migrated, first)

        const newer = parts.map((part) =>
          "migrations" in part ? { ...part, migrations: [...part.migrations, "9999_add_more"] } : part
        )
        const empty = yield* newDatabase
        assert.include(String(yield* Effect.flip(loadInto(empty, newer))), "with the migration 9999_add_more")
      }))
  }
)
