import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { newParagraph, points } from "./Defaults.ts"
import type { Cell, Table, TableRow } from "./Document.ts"
import type { Document } from "./Document.ts"
import { refuse } from "./Errors.ts"
import type { JsonObject } from "./Json.ts"
import { findSegment, type FoundSegment, type SegmentAddress, setContent } from "./Segments.ts"
import { replaceAt, tableAt, type TablePlace } from "./Tree.ts"

const cellStyle: JsonObject = {
  rowSpan: 1,
  columnSpan: 1,
  backgroundColor: {},
  paddingLeft: points(5),
  paddingRight: points(5),
  paddingTop: points(5),
  paddingBottom: points(5),
  contentAlignment: "TOP"
}

export const newCell = (textStyle: JsonObject): Cell => ({
  content: [newParagraph("\n", textStyle)],
  style: cellStyle,
  rest: {}
})

const newRow = (columns: number, textStyle: JsonObject): TableRow => ({
  cells: Array.from({ length: columns }, () => newCell(textStyle)),
  style: { minRowHeight: points(0) },
  rest: {}
})

const columnProperties = (columns: number): JsonObject => ({
  tableColumnProperties: Array.from({ length: columns }, () => ({ widthType: "EVENLY_DISTRIBUTED" }))
})

export const newTable = (rows: number, columns: number, textStyle: JsonObject): Table => ({
  kind: "table",
  columns,
  rows: Array.from({ length: rows }, () => newRow(columns, textStyle)),
  style: columnProperties(columns),
  rest: {}
})

export const insertRow = (table: Table, at: number): Table => ({
  ...table,
  rows: table.rows.toSpliced(at, 0, newRow(table.columns, {}))
})

export const insertColumn = (table: Table, at: number): Table => ({
  ...table,
  columns: table.columns + 1,
  style: columnProperties(table.columns + 1),
  rows: table.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 0, newCell({})) }))
})

export const deleteRow = (table: Table, at: number): Table => ({ ...table, rows: table.rows.toSpliced(at, 1) })

export const deleteColumn = (table: Table, at: number): Table => ({
  ...table,
  columns: table.columns - 1,
  style: columnProperties(table.columns - 1),
  rows: table.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 1) }))
})

interface CellLocation {
  readonly tableStartLocation?: SegmentAddress & { readonly index?: number }
  readonly rowIndex?: number
  readonly columnIndex?: number
}

export interface FoundTable extends FoundSegment, TablePlace {}

export const findTable = (
  document: Document,
  location: CellLocation["tableStartLocation"] = {}
): Result.Result<FoundTable, GoogleError> =>
  Result.gen(function*() {
    const found = yield* findSegment(document, location)
    const place = tableAt(found.content, location.index ?? 0)
    if (place === undefined) return yield* refuse("The provided table start location is invalid.")
    return { ...found, ...place }
  })

export const editTable = (
  document: Document,
  { columnIndex = 0, rowIndex = 0, tableStartLocation }: CellLocation = {},
  change: (table: Table, at: { readonly row: number; readonly column: number }) => Table
): Result.Result<Document, GoogleError> =>
  Result.gen(function*() {
    const found = yield* findTable(document, tableStartLocation)
    if (found.table.rows[rowIndex]?.cells[columnIndex] === undefined) {
      return yield* refuse("The provided table cell location is invalid.")
    }
    const table = change(found.table, { row: rowIndex, column: columnIndex })
    const blocks = table.rows.length === 0 || table.columns === 0 ? [] : [table]
    return setContent(document, found, replaceAt(found.content, found.path, blocks))
  })
