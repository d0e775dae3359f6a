import { type Area, indexes, intersection, sizedArea, widestOf } from "./Area.ts"
import type { Cell, Entered, Rows, Tab } from "./Spreadsheet.ts"

export interface Edit {
  readonly row: number
  readonly column: number
  readonly cell: Cell | null
}

export const cellAt = ({ rows }: Pick<Tab, "rows">, row: number, column: number): Cell | null =>
  rows[row]?.[column] ?? null

export const hasContent = (entered: Entered | undefined): boolean => entered !== undefined && entered.stringValue !== ""

export const editCells = (tab: Tab, edits: Iterable<Edit>): Tab => {
  const rows = [...tab.rows]
  const copied = new Map<number, Array<Cell | null>>()
  for (const { cell, column, row } of edits) {
    while (rows.length <= row) rows.push([])
    const cells = copied.get(row) ?? [...rows[row] ?? []]
    while (cells.length < column) cells.push(null)
    cells[column] = cell
    copied.set(row, cells)
    rows[row] = cells
  }
  return { ...tab, rows: trimRows(rows) }
}

export const mapArea = (
  tab: Tab,
  { bottom, left, right, top }: Area,
  change: (cell: Cell | null, row: number, column: number) => Cell | null
): Tab =>
  editCells(
    tab,
    indexes(top, bottom).flatMap((row) =>
      indexes(left, right).map((column) => ({ row, column, cell: change(cellAt(tab, row, column), row, column) }))
    )
  )

export const usedArea = ({ rows }: Pick<Tab, "rows">, area: Area): Area =>
  intersection(area, sizedArea(0, 0, rows.length, widestOf(rows)))

export const trimRows = (rows: Rows): Rows =>
  dropTrailing(rows.map((row) => dropTrailing(row, isEmptyCell)), (row) => row.length === 0)

const isEmptyCell = (cell: Cell | null): boolean => cell === null || Object.keys(cell).length === 0

export const dropTrailing = <A>(items: ReadonlyArray<A>, isBlank: (item: A) => boolean): ReadonlyArray<A> => {
  const last = items.findLastIndex((item) => !isBlank(item))
  return last === items.length - 1 ? items : items.slice(0, last + 1)
}

export const formulaOf = (cell: Cell | null): string | undefined => cell?.userEnteredValue?.formulaValue
