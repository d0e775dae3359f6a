import { Data, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../../../Sql/BulkStatement.ts"
import { migrate, migrateTo } from "../../../Sql/Migrations.ts"
import { MayTakeLong } from "../../../Sql/Timeout.ts"
import { type Outline, outlines, type Part, type Sum, sumsOf, useCommonText } from "./Parts.ts"

export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly message: string }> {}

const incomplete = new LoadFailed({ message: "The copy ends before its sums" })

/**
 * Loads a copy into an empty database, in one transaction: all of it or nothing. Returns the sums, which the loaded
 * rows have too. A copy of an older version is then migrated.
 */
export const load = <E, R>(parts: Stream.Stream<Part, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const requireEmpty = Effect.gen(function*() {
      const [found] = yield* sql<{ readonly name: string }>`
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm') LIMIT 1`
      if (found === undefined) return
      return yield* new LoadFailed({
        message: `The target is not empty: it has the table ${found.name}. Make an empty database. Nothing was changed`
      })
    })

    const makeTables = Effect.fnUntraced(function*(migrations: ReadonlyArray<string>, tables: ReadonlyArray<Outline>) {
      yield* migrateTo(migrations)
      const made = yield* outlines
      for (const { columns, name, partitions } of tables) {
        const own = made.find((table) => table.name === name)
        if (JSON.stringify(own?.columns) !== JSON.stringify(columns)) {
          return yield* new LoadFailed({ message: `The table ${name} has other columns than in this version` })
        }
        for (const partition of partitions) {
          yield* sql`CREATE TABLE ${sql(partition.name)} (LIKE ${sql(name)} INCLUDING ALL)`
          yield* sql`
            ALTER TABLE ${sql(name)} ATTACH PARTITION ${sql(partition.name)} ${sql.literal(partition.bound)}`
        }
        // Migrations have inserted rows. A table without rows may refuse the statement.
        if ((yield* sql`SELECT 1 FROM ${sql(name)} LIMIT 1`).length > 0) yield* sql`DELETE FROM ${sql(name)}`
      }
    })

    const insert = ({ columns, name }: Outline, rows: ReadonlyArray<ReadonlyArray<string | null>>) => {
      const names = sql.csv(columns.map((column) => sql`${sql(column.name)}`))
      const arrays = sql.csv(columns.map((_, index) => sql`${textArray(rows.map((row) => row[index] ?? null))}`))
      const values = sql.csv(columns.map((column) => sql`${sql(column.name)}::${sql.literal(column.type)}`))
      return sql`INSERT INTO ${sql(name)} (${names}) SELECT ${values} FROM unnest(${arrays}) AS row (${names})`
    }

    const check = Effect.fnUntraced(function*(tables: ReadonlyArray<Outline>, expected: Readonly<Record<string, Sum>>) {
      const loaded = yield* sumsOf(tables)
      for (const { name } of tables) {
        const [one, other] = [loaded[name], expected[name]]
        if (one?.rows !== other?.rows || one?.sum !== other?.sum) {
          return yield* new LoadFailed({
            message:
              `The table ${name} has ${one?.rows} rows with the sum ${one?.sum} instead of ${other?.rows} with ` +
              `${other?.sum}. Nothing was kept`
          })
        }
      }
    })

    return yield* sql.withTransaction(Effect.gen(function*() {
      yield* useCommonText
      yield* requireEmpty
      let tables: ReadonlyArray<Outline> = []
      let sums: Readonly<Record<string, Sum>> | undefined
      yield* Stream.runForEach(
        parts,
        (part) =>
          Effect.gen(function*() {
            if ("migrations" in part) {
              tables = part.tables
              yield* makeTables(part.migrations, tables)
            } else if ("rows" in part) {
              const table = tables.find(({ name }) => name === part.table)
              if (table === undefined) return yield* new LoadFailed({ message: `The table ${part.table} is unknown` })
              yield* insert(table, part.rows)
            } else sums = part.sums
          })
      )
      if (sums === undefined) return yield* incomplete
      yield* check(tables, sums)
      yield* migrate
      return sums
    })).pipe(Effect.provideService(MayTakeLong, true))
  })
