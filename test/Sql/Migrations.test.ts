import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { FeatureMigrations, migrate } from "../../src/Sql/Migrations.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { EmptyDatabase } from "./StorageFixture.ts"

const migrationIds = readdirSync(new URL("../../src/Sql/migrations", import.meta.url))
  .map((file) => Number.parseInt(file, 10))
  .toSorted((one, other) => one - other)

const tables = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    (rows) => rows.map(({ name }) => name)
  )

/** The clients of instances that started together on an empty database. */
const started = Effect.fnUntraced(function*(instances: number) {
  const clients = yield* (yield* EmptyDatabase).clients(instances)
  const starts = clients.map((sql) => Effect.provideService(migrate, SqlClient.SqlClient, sql))
  yield* Effect.all(starts, { concurrency: "unbounded", discard: true })
  const [[sql], [start]] = [clients, starts]
  return { sql: sql ?? assert.fail("no client"), start: start ?? assert.fail("no start") }
})

layer(EmptyDatabase.layerServer.pipe(Layer.provide(RealPostgres.layer)))("Migrations", (it) => {
  it.effect("instances that start together on an empty database all find a complete schema", () =>
    Effect.gen(function*() {
      const { sql, start } = yield* started(6)
      const migrated = yield* tables(sql)
      assert.includeMembers([...migrated], ["calls", "clients", "connections", "keys", "members", "responses"])
      yield* start
      assert.deepStrictEqual(yield* tables(sql), migrated)
      const applied = yield* sql<{ readonly id: number }>`
        SELECT migration_id AS id FROM effect_sql_migrations ORDER BY migration_id`
      assert.deepStrictEqual(applied.map(({ id }) => id), migrationIds)
    }))

  it.effect("a database that an unreleased version made is refused and stays as it is", () =>
    Effect.gen(function*() {
      const { sql, start } = yield* started(1)
      const before = yield* tables(sql)
      yield* sql`UPDATE effect_sql_migrations SET name = 'create_members' WHERE migration_id = 1`
      const error = yield* Effect.flip(start)
      assert.strictEqual(error._tag, "DatabaseUnreleased")
      assert.include(error.message, "Make a fresh start")
      assert.deepStrictEqual(yield* tables(sql), before)
    }))

  it.effect("an older version starts on the schema of a newer one", () =>
    Effect.gen(function*() {
      const { sql, start } = yield* started(1)
      yield* sql`INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1000, 'from_the_future')`
      yield* start
      const [last] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM effect_sql_migrations`
      assert.strictEqual(last?.id, 1000)
    }))

  it.effect("the migrations of features run after the core's, each once", () =>
    Effect.gen(function*() {
      const { sql, start } = yield* started(1)
      const notes = { "0999_create_notes": Effect.asVoid(sql`CREATE TABLE notes (id text PRIMARY KEY)`) }
      const startWithNotes = Effect.provideService(start, FeatureMigrations, [notes])
      yield* Effect.repeat(startWithNotes, { times: 1 })
      assert.include(yield* tables(sql), "notes")
      yield* start
    }))
})
