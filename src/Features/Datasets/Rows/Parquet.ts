import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer"
import { ExactNumber } from "../../../Domain/Json/ExactNumber.ts"
import { type Cell, type CellsByColumn, type Column, type ColumnType, countRows } from "../../../Domain/Table/Table.ts"

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

/** A cell does not fit the type of its column. */
export class WrongCell extends Error {}

export interface ParquetFile {
  /**
   * Adds the rows as one row group. Rows are encoded into the file immediately to save memory.
   *
   * @throws WrongCell
   */
  readonly add: (cells: CellsByColumn) => void
  readonly end: () => Uint8Array<ArrayBuffer>
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
    add: (cells) => {
      const rowGroupSize = countRows(cells)
      if (rowGroupSize === 0) return
      const columnData = columns.map((column, index) => columnOf(column, cells[index] ?? []))
      file.write({ columnData, rowGroupSize })
    },
    end: () => {
      file.finish()
      return writer.getBytes()
    }
  }
}

const columnOf = ({ name, type }: Column, cells: ReadonlyArray<Cell>): ColumnSource => {
  // Min/max statistics of text columns do not help readers skip row groups.
  if (type === "text") return { name, ...textsOf(cells), statistics: false }
  const encode = encoders[type]
  const data = cells.map((cell) => cell === null ? null : encode(cell))
  const wrong = data.indexOf(undefined)
  if (wrong !== -1) {
    throw new WrongCell(`The column ${name} of type ${type} cannot hold ${JSON.stringify(cells[wrong])}`)
  }
  return { name, data }
}

const textsOf = (cells: ReadonlyArray<Cell>): Pick<ColumnSource, "data" | "encoding"> => {
  const first = cells.slice(0, sampleSize)
  if (new Set(first).size === first.length) return { data: cells.map(bytesOf), encoding: "PLAIN" }
  // Equal texts are the same bytes, which the writer recognizes sooner than equal ones.
  const encoded = new Map<Cell, Uint8Array | null>()
  const data = cells.map((cell) => {
    const known = encoded.get(cell)
    if (known !== undefined) return known
    const bytes = bytesOf(cell)
    encoded.set(cell, bytes)
    return bytes
  })
  // Otherwise the writer finds out whether a dictionary is shorter.
  return { data, ...2 * encoded.size > cells.length ? { encoding: "PLAIN" } : {} }
}

/** If this many texts all differ, no dictionary is built: it would take three times as long as encoding the texts. */
const sampleSize = 500

/** The writer's own `TextEncoder` takes four times as long, and a block of memory for each text. */
const bytesOf = (cell: Cell): Uint8Array | null => cell === null ? null : Buffer.from(String(cell))
