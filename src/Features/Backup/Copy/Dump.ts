import { Effect, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { appliedMigrations } from "../../../Sql/Migrations.ts"
import { MayTakeLong } from "../../../Sql/Timeout.ts"
import { type Outline, outlines, type Part, sumsOf, useCommonText } from "./Parts.ts"

type Rows = ReadonlyArray<ReadonlyArray<string | null>>

/** The size of a batch in characters. Rows can be long, so a batch has no fixed number of them. */
const batchLength = 1_000_000

const lengthOf = (rows: Rows): number =>
  rows.reduce((total, row) => row.reduce((sum, value) => sum + (value?.length ?? 0), total), 1)

/** The database at one moment, while others write to it. */
export const dump: Stream.Stream<Part, SqlError, SqlClient.SqlClient> = Stream.callback<
  Part,
  SqlError,
  SqlClient.SqlClient
>((queue) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const offer = (part: Part) => Queue.offer(queue, part)

    const dumpTable = Effect.fnUntraced(function*({ columns, name }: Outline) {
      const texts = sql.csv(columns.map((column) => sql`${sql(column.name)}::text`))
      yield* sql`DECLARE dumped NO SCROLL CURSOR FOR SELECT ${texts} FROM ${sql(name)}`
      for (let count = 10;;) {
        // Postgres sends text as it is in a file.
        const rows = (yield* sql.unsafe(`FETCH ${count} FROM dumped`).valuesUnprepared) as Rows
        if (rows.length === 0) break
        yield* offer({ table: name, rows })
        count = Math.max(1, Math.min(5000, Math.floor(batchLength / lengthOf(rows) * rows.length)))
      }
      yield* sql`CLOSE dumped`
    })

    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
      yield* useCommonText
      const tables = yield* outlines
      yield* offer({ migrations: yield* appliedMigrations, tables })
      yield* Effect.forEach(tables, dumpTable, { discard: true })
      yield* offer({ sums: yield* sumsOf(tables) })
    })).pipe(Effect.provideService(MayTakeLong, true))
    yield* Queue.end(queue)
  }).pipe(Effect.catchCause((cause) => Queue.failCause(queue, cause))), { bufferSize: 1 })
