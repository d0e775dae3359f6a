import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { migrate } from "../../../src/Sql/Migrations.ts"
import { EmptyDatabase, type StorageTests } from "../StorageFixture.ts"

const migrationIds = readdirSync(new URL("../../../src/Sql/migrations", import.meta.url))
  .map((file) => Number.parseInt(file, 10))
  .toSorted((one, other) => one - other)

const tables = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    (rows) => rows.map(({ name }) => name)
  )

export const migrations: StorageTests = (it) =>
  describe("migrations", () => {
    it.effect("instances that start together on an empty database all find a complete schema", () =>
      Effect.gen(function*() {
        const { clients } = yield* EmptyDatabase
        const instances = yield* clients(6)
        const [sql] = instances
        if (sql === undefined) return assert.fail("no client")
        yield* Effect.forEach(instances, (sql) => Effect.provideService(migrate, SqlClient.SqlClient, sql), {
          concurrency: "unbounded",
          discard: true
        })
        const migrated = yield* tables(sql)
        assert.includeMembers([...migrated], ["calls", "clients", "connections", "keys", "members", "responses"])

        yield* Effect.provideService(migrate, SqlClient.SqlClient, sql)
        assert.deepStrictEqual(yield* tables(sql), migrated)
        const applied = yield* sql<{ readonly id: number }>`
        SELECT migration_id AS id FROM effect_sql_migrations ORDER BY migration_id`
        assert.deepStrictEqual(applied.map(({ id }) => id), migrationIds)
      }))

    it.effect("a database that an unreleased version made is refused and stays as it is", () =>
      Effect.gen(function*() {
        const [sql] = yield* (yield* EmptyDatabase).clients(1)
        if (sql === undefined) return assert.fail("no client")
        const start = Effect.provideService(migrate, SqlClient.SqlClient, sql)
        yield* start
        const [before, applied] = [yield* tables(sql), yield* sql`SELECT * FROM effect_sql_migrations ORDER BY 1`]
        yield* sql`UPDATE effect_sql_migrations SET name = 'create_members' WHERE migration_id = 1`

        const error = yield* Effect.flip(start)
        assert.strictEqual(error._tag, "DatabaseUnreleased")
        assert.include(error.message, "Make a fresh start")
        assert.deepStrictEqual(yield* tables(sql), before)

        yield* sql`UPDATE effect_sql_migrations SET name = 'create_members_and_keys' WHERE migration_id = 1`
        yield* start
        assert.deepStrictEqual(yield* sql`SELECT * FROM effect_sql_migrations ORDER BY 1`, applied)
      }))

    it.effect("an older version starts on the schema of a newer one", () =>
      Effect.gen(function*() {
        const [sql] = yield* (yield* EmptyDatabase).clients(1)
        if (sql === undefined) return assert.fail("no client")
        const start = Effect.provideService(migrate, SqlClient.SqlClient, sql)
        yield* start
        yield* sql`INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1000, 'from_the_future')`
        yield* start
        const [last] = yield* sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM effect_sql_migrations`
        assert.strictEqual(last?.id, 1000)
        yield* sql`DELETE FROM effect_sql_migrations WHERE migration_id = 1000`
      }))
  })
