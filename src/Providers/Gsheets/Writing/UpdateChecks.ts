import { Result, type Schema } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { cellName, type CellRange, parseCells, type Rectangle, rectangleName, splitTab } from "../A1.ts"
import { type CellRows, type CellValue, flatMapCells, isBlank, shownNumber } from "../CellValues.ts"
import { type Checked, inputIssue, refusal } from "../Issues.ts"
import { describeGrid, type TabRange } from "../TabRange.ts"
import { formulaIssues } from "./FormulaGuard.ts"
import { textLengthIssues } from "./InputRows.ts"

export const shapeIssues = (
  { range, values }: { readonly range: string; readonly values: CellRows | NonNullable<CellValue> }
): ReadonlyArray<Schema.FilterIssue> => {
  const cells = parseCells(splitTab(range.trim()).cells)
  if (cells === undefined) return []
  const rows = rowsOf(values)
  const width = rows[0]?.length ?? 0
  const ragged = rows.findIndex((row) => row.length !== width)
  if (ragged !== -1) {
    return [{
      path: ["values", ragged],
      issue: `Every row must have as many values as the first, ${width}; this one has ${rows[ragged]?.length}. ` +
        "null leaves a cell as it is."
    }]
  }
  const filled = fill(cells, rows)
  const isStart = cells.bottom === cells.top + 1 && cells.right === cells.left + 1
  const fits = isStart ||
    ((cells.bottom === undefined || cells.bottom === filled.bottom) &&
      (cells.right === undefined || cells.right === filled.right))
  return fits ? [] : [{
    path: ["values"],
    issue: `The values are ${describeSize(rows.length, width)}, the range is ${
      describeSize(describeLength(cells.bottom, cells.top), describeLength(cells.right, cells.left))
    }. They would fill ${rectangleName(filled)}; a single cell as \`range\` takes values of any size.`
  }]
}

export const rowsOf = (values: CellRows | NonNullable<CellValue>): CellRows =>
  typeof values === "object" ? values : [[values]]

const fill = ({ left, top }: CellRange, rows: CellRows): Rectangle => ({
  top,
  left,
  bottom: top + rows.length,
  right: left + (rows[0]?.length ?? 0)
})

export const filledCells = ({ cells, tab }: TabRange, values: CellRows): Checked<Rectangle> => {
  const filled = fill(cells, values)
  return filled.bottom > tab.size.rows || filled.right > tab.size.columns
    ? refusal(
      ["range"],
      `The values would fill ${rectangleName(filled)}, but ${
        describeGrid(tab)
      }. sheets_append_rows makes room by itself.`
    )
    : Result.succeed(filled)
}

const describeLength = (end: number | undefined, start: number): number | string =>
  end === undefined ? "any number of" : end - start

const describeSize = (rows: number | string, columns: number | string): string => `${rows} rows by ${columns} columns`

export const valueIssues = (
  values: CellRows,
  { left, top }: Rectangle,
  { isOneCell, mayParseFormulas }: { readonly isOneCell: boolean; readonly mayParseFormulas: boolean }
): ReadonlyArray<Issue> => {
  const pathTo = (row: number, column: number) => isOneCell ? ["values"] : ["values", row, column - left]
  return [
    ...flatMapCells(values, (value, row, column) => textLengthIssues(value, pathTo(row, left + column))),
    ...(mayParseFormulas ? [] : formulaIssues({ values, top, left, pathTo }))
  ]
}

export const overwrittenFormulas = (
  values: CellRows,
  current: { readonly formulas: CellRows; readonly values: CellRows },
  { left, top }: Rectangle
): ReadonlyArray<string> =>
  flatMapCells(values, (value, row, column) => {
    const formula = current.formulas[row]?.[column]
    const isFormula = typeof formula === "string" && formula.startsWith("=") &&
      formula !== current.values[row]?.[column]
    return value !== null && isFormula ? [`${cellName(top + row, left + column)} (${formula.slice(0, 60)})`] : []
  })

export const expectationIssues = (
  expected: CellRows,
  current: CellRows,
  { bottom, left, right, top }: Rectangle
): ReadonlyArray<Issue> => {
  const rows = bottom - top
  const columns = right - left
  if (expected.length !== rows || expected.some((cells) => cells.length !== columns)) {
    return [inputIssue(["expect"], `Expected the shape of \`values\`, ${describeSize(rows, columns)}.`)]
  }
  return flatMapCells(expected, (value, row, column) => {
    const found = current[row]?.[column] ?? null
    if (isEqual(value, found)) return []
    const [is, not] = [isBlank(found) ? null : found, value].map((each) => JSON.stringify(each))
    const message = `${cellName(top + row, left + column)} is ${is}, not ${not}. Nothing was written.`
    return [inputIssue(["expect", row, column], message)]
  })
}

/** A value that was read from the cell is equal to it, though it may have been shown with fewer digits. */
const isEqual = (expected: CellValue, found: CellValue): boolean =>
  expected === found || isBlank(expected) && isBlank(found) ||
  typeof found === "number" && expected === shownNumber(found)
