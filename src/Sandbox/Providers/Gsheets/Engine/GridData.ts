import { type Area, indexes } from "./Area.ts"
import type { ComputedCells } from "./ComputedCells.ts"
import { defaultCellFormat } from "./Defaults.ts"
import { cellAt, dropTrailing } from "./Grid.ts"
import type { CellFormat, Tab } from "./Spreadsheet.ts"
import { enteredOf, isError, type Value } from "./Value.ts"

export const gridData = (computed: ComputedCells, tab: Tab, { bottom, left, right, top }: Area) => {
  const rows = indexes(top, Math.min(bottom, tab.rows.length)).map((row) =>
    dropTrailing(indexes(left, right).map((column) => cellData(computed, tab, row, column)), hasNoFields)
  )
  const rowData = dropTrailing(rows, (values) => values.length === 0).map((values) =>
    values.length === 0 ? {} : { values }
  )
  return {
    ...(top === 0 ? {} : { startRow: top }),
    ...(left === 0 ? {} : { startColumn: left }),
    ...(rowData.length === 0 ? {} : { rowData }),
    rowMetadata: indexes(top, bottom).map(() => ({ pixelSize: 21 })),
    columnMetadata: indexes(left, right).map(() => ({ pixelSize: 100 }))
  }
}

const hasNoFields = (cell: object): boolean => Object.keys(cell).length === 0

const cellData = (computed: ComputedCells, tab: Tab, row: number, column: number) => {
  const { userEnteredFormat, userEnteredValue, ...rest } = cellAt(tab, row, column) ?? {}
  const value = computed.valueAt(tab, row, column)
  const link = computed.linkAt(tab, row, column) ?? userEnteredFormat?.textFormat?.link?.uri
  const shows = value !== null && (value !== "" || userEnteredValue?.formulaValue !== undefined)
  return {
    ...(userEnteredValue === undefined || userEnteredValue.stringValue === "" ? {} : { userEnteredValue }),
    ...(shows
      ? { effectiveValue: effectiveValue(value), formattedValue: computed.textAt(tab, row, column) }
      : {}),
    ...(userEnteredFormat === undefined ? {} : { userEnteredFormat }),
    ...(shows || userEnteredFormat !== undefined
      ? { effectiveFormat: effectiveFormat(value, userEnteredFormat, computed.formatAt(tab, row, column)) }
      : {}),
    ...(link === undefined ? {} : { hyperlink: link }),
    ...rest
  }
}

const effectiveValue = (value: Exclude<Value, null>) =>
  isError(value) ? { errorValue: { type: value.error, message: value.message } } : enteredOf(value)

const effectiveFormat = (value: Value, own: CellFormat = {}, numberFormat: CellFormat["numberFormat"]): CellFormat => ({
  ...defaultCellFormat,
  horizontalAlignment: typeof value === "number" ? "RIGHT" : typeof value === "boolean" ? "CENTER" : "LEFT",
  ...own,
  ...(numberFormat === undefined ? {} : { numberFormat }),
  textFormat: { ...defaultCellFormat.textFormat, ...own.textFormat }
})
