import { Result } from "effect"
import { type Refusal, refuse } from "./Refusal.ts"
import { type Address, findSegment, type Found, setContent } from "./Segments.ts"
import type { Cell, Props, Row, Table } from "./State.ts"
import type { DocumentState } from "./State.ts"
import { replaceAt, tableAt, type TablePlace } from "./Tree.ts"

const points = (magnitude: number): Props => magnitude === 0 ? { unit: "PT" } : { magnitude, unit: "PT" }

const cellStyle: Props = {
  rowSpan: 1,
  columnSpan: 1,
  backgroundColor: {},
  paddingLeft: points(5),
  paddingRight: points(5),
  paddingTop: points(5),
  paddingBottom: points(5),
  contentAlignment: "TOP"
}

/** A cell with one empty paragraph, whose text will have the style of the text around the table. */
export const emptyCell = (textStyle: Props): Cell => ({
  content: [{
    kind: "paragraph",
    inlines: [{ text: "\n", style: textStyle, rest: {} }],
    style: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT" },
    rest: {}
  }],
  style: cellStyle,
  rest: {}
})

const emptyRow = (columns: number, textStyle: Props): Row => ({
  cells: Array.from({ length: columns }, () => emptyCell(textStyle)),
  style: { minRowHeight: points(0) },
  rest: {}
})

const columnProperties = (columns: number): Props => ({
  tableColumnProperties: Array.from({ length: columns }, () => ({ widthType: "EVENLY_DISTRIBUTED" }))
})

export const emptyTable = (rows: number, columns: number, textStyle: Props): Table => ({
  kind: "table",
  columns,
  rows: Array.from({ length: rows }, () => emptyRow(columns, textStyle)),
  style: columnProperties(columns),
  rest: {}
})

export const withRow = (table: Table, at: number): Table => ({
  ...table,
  rows: table.rows.toSpliced(at, 0, emptyRow(table.columns, {}))
})

export const withColumn = (table: Table, at: number): Table => ({
  ...table,
  columns: table.columns + 1,
  style: columnProperties(table.columns + 1),
  rows: table.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 0, emptyCell({})) }))
})

export const withoutRow = (table: Table, at: number): Table => ({ ...table, rows: table.rows.toSpliced(at, 1) })

export const withoutColumn = (table: Table, at: number): Table => ({
  ...table,
  columns: table.columns - 1,
  style: columnProperties(table.columns - 1),
  rows: table.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 1) }))
})

interface CellLocation {
  readonly tableStartLocation?: Address & { readonly index?: number }
  readonly rowIndex?: number
  readonly columnIndex?: number
}

export interface FoundTable extends Found, TablePlace {}

export const findTable = (
  where: string,
  state: DocumentState,
  location: CellLocation["tableStartLocation"] = {}
): Result.Result<FoundTable, Refusal> =>
  Result.gen(function*() {
    const found = yield* findSegment(where, state, location)
    const place = tableAt(found.content, location.index ?? 0)
    if (place === undefined) return yield* refuse(where, "The provided table start location is invalid.")
    return { ...found, ...place }
  })

/** Changes the table that holds a cell; a table without rows or columns is gone. */
export const editTable = (
  where: string,
  state: DocumentState,
  { columnIndex = 0, rowIndex = 0, tableStartLocation }: CellLocation = {},
  change: (table: Table, at: { readonly row: number; readonly column: number }) => Table
): Result.Result<DocumentState, Refusal> =>
  Result.gen(function*() {
    const found = yield* findTable(where, state, tableStartLocation)
    if (found.table.rows[rowIndex]?.cells[columnIndex] === undefined) {
      return yield* refuse(where, "The provided table cell location is invalid.")
    }
    const table = change(found.table, { row: rowIndex, column: columnIndex })
    const blocks = table.rows.length === 0 || table.columns === 0 ? [] : [table]
    return setContent(state, found, replaceAt(found.content, found.path, blocks))
  })
