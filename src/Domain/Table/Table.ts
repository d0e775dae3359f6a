import * as Predicate from "effect/Predicate"
import { ExactNumber } from "../Json/ExactNumber.ts"

export type Cell = string | number | boolean | ExactNumber | null

export type ColumnType = "text" | "number" | "boolean" | "date"

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

export interface Table {
  readonly columns: ReadonlyArray<Column>
  /** Each row has a cell for each column. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** Rows as a list of cells for each column. */
export type CellsByColumn = ReadonlyArray<ReadonlyArray<Cell>>

export const countRows = ([first = []]: CellsByColumn): number => first.length

/** Turns columns into rows, or rows into columns. */
export const transposed = (lists: ReadonlyArray<ReadonlyArray<Cell>>): ReadonlyArray<ReadonlyArray<Cell>> =>
  lists[0]?.map((_, index) => lists.map((list) => list[index] ?? null)) ?? []

/** Names that differ also where capitals do not count, as in SQL. A name without text becomes `column_1` and so on. */
export const uniqueNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const used = new Set<string>()
  return names.map((text, index) => {
    const name = text.trim() === "" ? `column_${index + 1}` : text
    let unique = name
    for (let count = 2; used.has(unique.toLowerCase()); count++) unique = `${name}_${count}`
    used.add(unique.toLowerCase())
    return unique
  })
}

export const typed = (names: ReadonlyArray<string>, rows: Table["rows"]): Table => {
  const types = new ColumnTypes()
  for (const row of rows) types.add(row)
  return { columns: types.columns(names), rows }
}

/** Finds the types of columns row by row. */
export class ColumnTypes {
  readonly #types: Array<ColumnType | undefined> = []

  add(row: ReadonlyArray<Cell>): void {
    for (const [index, cell] of row.entries()) {
      const found = this.#types[index]
      if (cell === null || found === "text") continue
      const type = typeOfCell(cell)
      this.#types[index] = found === undefined || found === type ? type : "text"
    }
  }

  columns(names: ReadonlyArray<string>): ReadonlyArray<Column> {
    return uniqueNames(names).map((name, index) => ({ name, type: this.#types[index] ?? "text" }))
  }
}

/** Lists and objects become JSON. */
export const toCell = (value: unknown): Cell => {
  if (value === undefined || value === null) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return value instanceof ExactNumber ? value : JSON.stringify(value)
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)

const typeOfCell = (cell: Exclude<Cell, null>): ColumnType => {
  if (Predicate.isString(cell)) return isDate(cell) ? "date" : "text"
  return Predicate.isBoolean(cell) ? "boolean" : "number"
}
