import { Effect } from "effect"
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer"
import { ExactNumber } from "../../Domain/Json/ExactNumber.ts"
import type { Cell, Column, ColumnType } from "../../Domain/Table/Table.ts"
import { DatasetStorageFailed } from "./FileStore.ts"

/** Other requests wait at most 50 ms while a row group is encoded. */
const rowGroupSize = 10_000

const dayMillis = 86_400_000

const elements = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE" }
} as const

/** A day is written `2026-11-22` or, as by Google Analytics, `20261122`. */
const dayOf = (text: string): number | undefined => {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  const millis = Date.parse(iso)
  return Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 10) !== iso ? undefined : millis / dayMillis
}

/** What the file has for a cell; `undefined` if the cell does not fit the type. */
const encoders: Readonly<
  Record<Exclude<ColumnType, "text">, (cell: Exclude<Cell, null>) => number | boolean | undefined>
> = {
  number: (cell) => typeof cell === "number" ? cell : cell instanceof ExactNumber ? cell.valueOf() : undefined,
  boolean: (cell) => typeof cell === "boolean" ? cell : undefined,
  date: (cell) => typeof cell === "string" ? dayOf(cell) : undefined
}

export interface ParquetFile {
  /** The rows are in the file at once, encoded, so that they need not stay in memory. */
  readonly add: (rows: ReadonlyArray<ReadonlyArray<Cell>>) => Effect.Effect<void, DatasetStorageFailed>
  readonly end: Effect.Effect<Uint8Array>
}

/**
 * A number is a double and a date a day. The same columns give the same schema for all rows, also for none. Every column
 * may have `null`.
 */
export const makeParquet = (columns: ReadonlyArray<Column>): ParquetFile => {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    createdBy: "OpenAccounts",
    schema: [
      { name: "root", num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, ...elements[type], repetition_type: "OPTIONAL" as const }))
    ]
  })
  return {
    add: Effect.fnUntraced(function*(rows) {
      for (let start = 0; start < rows.length; start += rowGroupSize) {
        const part = rows.slice(start, start + rowGroupSize)
        const columnData = yield* Effect.forEach(columns, (column, index) => columnOf(column, index, part))
        yield* Effect.promise(async () => file.write({ columnData, rowGroupSize }))
        yield* Effect.yieldNow
      }
    }),
    end: Effect.promise(async () => {
      await file.finish()
      return writer.getBytes()
    })
  }
}

const columnOf = (
  { name, type }: Column,
  index: number,
  rows: ReadonlyArray<ReadonlyArray<Cell>>
): Effect.Effect<ColumnSource, DatasetStorageFailed> => {
  if (type === "text") return Effect.succeed({ name, ...textsOf(rows, index) })
  const encode = encoders[type]
  const data = rows.map((row) => {
    const cell = row[index] ?? null
    return cell === null ? null : encode(cell)
  })
  const wrong = data.indexOf(undefined)
  return wrong === -1
    ? Effect.succeed({ name, data })
    : Effect.fail(
      new DatasetStorageFailed({
        message: `The column ${name} of type ${type} cannot hold ${JSON.stringify(rows[wrong]?.[index])}`
      })
    )
}

/** Equal texts are the same bytes, which the writer recognizes sooner than equal ones. */
const textsOf = (rows: ReadonlyArray<ReadonlyArray<Cell>>, index: number): Omit<ColumnSource, "name"> => {
  const encoded = new Map<string, Uint8Array>()
  const data = rows.map((row) => {
    const cell = row[index] ?? null
    if (cell === null) return null
    const text = String(cell)
    const known = encoded.get(text)
    if (known !== undefined) return known
    // The writer's own `TextEncoder` takes four times as long, and a block of memory for each text.
    const bytes = Buffer.from(text)
    encoded.set(text, bytes)
    return bytes
  })
  return {
    data,
    // Otherwise the writer finds out whether a dictionary is shorter.
    ...2 * encoded.size > rows.length ? { encoding: "PLAIN" } : {},
    // The least and the greatest text of so many rows help no reader to leave rows out.
    statistics: false
  }
}
