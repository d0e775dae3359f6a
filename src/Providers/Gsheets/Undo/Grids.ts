import { Option, Schema } from "effect"
import { partial } from "../../Google/Message.ts"
import { rangeOnTab, type Rectangle, rectangleName } from "../A1.ts"
import type { CellValue } from "../CellValues.ts"
import { CellData, CellFormat } from "../Generated.ts"
import type { Tab } from "../Tabs.ts"

/** The parts of a cell that a write of values can change. */
export const GridCell = Schema.Struct({
  userEnteredValue: CellData.fields.userEnteredValue,
  userEnteredFormat: Schema.optionalKey(Schema.Struct({ numberFormat: CellFormat.fields.numberFormat })),
  textFormatRuns: CellData.fields.textFormatRuns
})
export type GridCell = typeof GridCell.Type

export const restoredFields = "userEnteredValue,userEnteredFormat.numberFormat,textFormatRuns"

/** A spreadsheet with data of its grids. */
export const sheetsWith = <Data extends Schema.Constraint>(data: Data) =>
  partial({
    sheets: Schema.Array(Schema.Struct({
      properties: partial({ sheetId: Schema.Int }),
      data: Schema.optionalKey(Schema.Array(data))
    }))
  })

const Grids = sheetsWith(partial({
  startRow: Schema.Int,
  startColumn: Schema.Int,
  rowData: Schema.Array(partial({ values: Schema.Array(GridCell) }))
}))

export interface Area extends Rectangle {
  readonly tab: Tab
}

export type CellReader = (row: number, column: number) => GridCell

export const blankCell: GridCell = {}

/** Cuts the areas to the grid. */
export const clipped = (areas: ReadonlyArray<Area>): ReadonlyArray<Area> =>
  areas.map(({ bottom, left, right, tab, top }) => ({
    tab,
    top,
    left,
    bottom: Math.min(bottom, tab.size.rows),
    right: Math.min(right, tab.size.columns)
  }))

export const sizeOf = (areas: ReadonlyArray<Rectangle>): number =>
  areas.reduce((sum, { bottom, left, right, top }) => sum + (bottom - top) * (right - left), 0)

export const rangeOf = (area: Area): string => rangeOnTab(area.tab.title, rectangleName(area))

export const hasCells = ({ bottom, left, right, top }: Rectangle): boolean => bottom > top && right > left

const decodeGrids = Schema.decodeUnknownOption(Grids)

/** Reads the provider's response for the areas. Cells beyond the grid are empty. `undefined` for another response. */
export const readersOf = (areas: ReadonlyArray<Area>, json: unknown): ReadonlyArray<CellReader> | undefined => {
  const answer = Option.getOrUndefined(decodeGrids(json))
  if (answer === undefined) return undefined
  const { sheets = [] } = answer
  const inGrid = clipped(areas)
  const asked = inGrid.filter(hasCells)
  return inGrid.map((area) => {
    const grids = sheets.filter(({ properties }) => (properties.sheetId ?? 0) === area.tab.id)
      .flatMap(({ data = [] }) => data)
    const grid = grids[asked.filter(({ tab }) => tab.id === area.tab.id).indexOf(area)]
    const { rowData = [], startColumn = 0, startRow = 0 } = grid ?? {}
    return (row, column) => rowData[row - startRow]?.values?.[column - startColumn] ?? blankCell
  })
}

/** Formulas as texts, `null` for an empty cell. */
export const shownCell = ({ userEnteredValue: value }: GridCell): CellValue =>
  value?.formulaValue ?? value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? null
