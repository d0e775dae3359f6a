import { type Area, indexes } from "./Area.ts"
import type { ComputedCells } from "./ComputedCells.ts"
import { isDatePattern } from "./DateText.ts"
import { cellAt, dropTrailing, formulaOf } from "./Grid.ts"
import type { NumberFormat, Tab } from "./Spreadsheet.ts"
import { errorText, isError } from "./Value.ts"

export interface RenderOptions {
  readonly valueRenderOption: "FORMATTED_VALUE" | "UNFORMATTED_VALUE" | "FORMULA"
  readonly dateTimeRenderOption: "SERIAL_NUMBER" | "FORMATTED_STRING"
  readonly majorDimension: "ROWS" | "COLUMNS"
}

type Rendered = string | number | boolean

export const renderedValues = (
  computed: ComputedCells,
  tab: Tab,
  { bottom, left, right, top }: Area,
  { dateTimeRenderOption, majorDimension, valueRenderOption }: RenderOptions
): ReadonlyArray<ReadonlyArray<Rendered>> | undefined => {
  const renderCell = (row: number, column: number) => {
    const formula = formulaOf(cellAt(tab, row, column))
    return { value: render(row, column, formula), isFilled: formula !== undefined }
  }
  const render = (row: number, column: number, formula: string | undefined): Rendered => {
    if (valueRenderOption === "FORMATTED_VALUE") return computed.textAt(tab, row, column)
    if (valueRenderOption === "FORMULA" && formula !== undefined) return formula
    const value = computed.valueAt(tab, row, column)
    if (value === null) return ""
    if (isError(value)) return `${errorText(value)} (${value.message})`
    const isDate = typeof value === "number" && isDateFormat(computed.formatAt(tab, row, column))
    return isDate && dateTimeRenderOption === "FORMATTED_STRING" ? computed.textAt(tab, row, column) : value
  }
  const rows = indexes(top, Math.min(bottom, tab.rows.length))
  const lines = majorDimension === "COLUMNS"
    ? indexes(left, right).map((column) => rows.map((row) => renderCell(row, column)))
    : rows.map((row) => indexes(left, right).map((column) => renderCell(row, column)))
  const values = dropTrailing(
    lines.map((line) =>
      dropTrailing(line, ({ isFilled, value }) => value === "" && !isFilled).map(({ value }) => value)
    ),
    (line) => line.length === 0
  )
  return values.length === 0 ? undefined : values
}

const isDateFormat = (format: NumberFormat | undefined): boolean =>
  format?.type === "DATE" || format?.type === "TIME" || format?.type === "DATE_TIME" ||
  (format?.pattern !== undefined && isDatePattern(format.pattern))
