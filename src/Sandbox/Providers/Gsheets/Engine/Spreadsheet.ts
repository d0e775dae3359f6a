import { Schema } from "effect"
import {
  CellData,
  GridProperties,
  SheetProperties,
  SpreadsheetProperties
} from "../../../../Providers/Gsheets/Generated.ts"
import { Area } from "./Area.ts"

const { rowCount: _rows, columnCount: _columns, ...gridFields } = GridProperties.fields

export const Cell = Schema.Struct({
  userEnteredValue: CellData.fields.userEnteredValue,
  userEnteredFormat: CellData.fields.userEnteredFormat,
  note: CellData.fields.note,
  dataValidation: CellData.fields.dataValidation,
  textFormatRuns: CellData.fields.textFormatRuns
})
export type Cell = typeof Cell.Type
export type Entered = NonNullable<Cell["userEnteredValue"]>
export type CellFormat = NonNullable<Cell["userEnteredFormat"]>
export type NumberFormat = NonNullable<CellFormat["numberFormat"]>

const Tab = Schema.Struct({
  sheetId: Schema.Int,
  title: Schema.String,
  type: Schema.Literals(["GRID", "OBJECT", "DATA_SOURCE"]),
  hidden: Schema.Boolean,
  rowCount: Schema.Int,
  columnCount: Schema.Int,
  grid: Schema.Struct(gridFields),
  look: Schema.Struct({
    rightToLeft: SheetProperties.fields.rightToLeft,
    tabColor: SheetProperties.fields.tabColor,
    tabColorStyle: SheetProperties.fields.tabColorStyle
  }),
  rows: Schema.Array(Schema.Array(Schema.NullOr(Cell))),
  merges: Schema.Array(Area)
})
export type Tab = typeof Tab.Type
export type Rows = Tab["rows"]

export const Spreadsheet = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: Schema.Struct({
    ...SpreadsheetProperties.fields,
    title: Schema.String,
    locale: Schema.String,
    timeZone: Schema.String
  }),
  tabs: Schema.Array(Tab),
  idsGiven: Schema.Int
})
export type Spreadsheet = typeof Spreadsheet.Type

/** https://support.google.com/drive/answer/37603 */
export const limits = { cells: 10_000_000, columns: 18_278, charactersPerCell: 50_000 }

export const replaceTab = (spreadsheet: Spreadsheet, tab: Tab): Spreadsheet => ({
  ...spreadsheet,
  tabs: spreadsheet.tabs.map((each) => each.sheetId === tab.sheetId ? tab : each)
})

export const nextId = (spreadsheet: Spreadsheet): readonly [id: number, spreadsheet: Spreadsheet] => {
  const idsGiven = spreadsheet.idsGiven + 1
  const id = Math.imul(idsGiven, 0x9E3779B1) >>> 1
  const next = { ...spreadsheet, idsGiven }
  return spreadsheet.tabs.some(({ sheetId }) => sheetId === id) ? nextId(next) : [id, next]
}

export const cellCount = ({ tabs }: Pick<Spreadsheet, "tabs">): number =>
  tabs.reduce((sum, { columnCount, rowCount }) => sum + rowCount * columnCount, 0)
