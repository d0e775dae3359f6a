import { Result } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import { cellName, type Rectangle, rectangleName } from "./A1.ts"
import { type CellValue, isBlank, type Lines } from "./Answers.ts"
import { formulaIssues } from "./FormulaGuard.ts"
import { tooLong } from "./GivenRows.ts"
import { mistake, mistaken } from "./Mistakes.ts"
import { gridOf, type Target } from "./Target.ts"

/** The cells that values fill from a range on; the range is one cell to start at, or exactly as large as the values. */
export const filledCells = (
  { cells, tab }: Target,
  lines: Lines
): Result.Result<Rectangle, ReadonlyArray<Issue>> => {
  const width = lines[0]?.length ?? 0
  const ragged = lines.findIndex((line) => line.length !== width)
  if (ragged !== -1) {
    return mistaken(mistake(
      ["values", ragged],
      `Every row must have as many values as the first, ${width}; this one has ${lines[ragged]?.length}. ` +
        "null leaves a cell as it is."
    ))
  }
  const filled = { top: cells.top, left: cells.left, bottom: cells.top + lines.length, right: cells.left + width }
  const isStart = cells.bottom === cells.top + 1 && cells.right === cells.left + 1
  const fits = isStart ||
    ((cells.bottom === undefined || cells.bottom === filled.bottom) &&
      (cells.right === undefined || cells.right === filled.right))
  if (!fits) {
    return mistaken(mistake(
      ["values"],
      `The values are ${sizeText(lines.length, width)}, the range is ${
        sizeText(orAny(cells.bottom, cells.top), orAny(cells.right, cells.left))
      }. They would fill ${rectangleName(filled)}; a single cell as \`range\` takes values of any size.`
    ))
  }
  return filled.bottom > tab.size.rows || filled.right > tab.size.columns
    ? mistaken(mistake(
      ["range"],
      `The values would fill ${rectangleName(filled)}, but ${gridOf(tab)}. sheets_append_rows makes room by itself.`
    ))
    : Result.succeed(filled)
}

const orAny = (end: number | undefined, start: number): number | string =>
  end === undefined ? "any number of" : end - start

const sizeText = (rows: number | string, columns: number | string): string => `${rows} rows by ${columns} columns`

/** What is wrong with the values themselves. */
export const valueIssues = (
  lines: Lines,
  { left, top }: Rectangle,
  { isOneCell, mayParseFormulas }: { readonly isOneCell: boolean; readonly mayParseFormulas: boolean }
): ReadonlyArray<Issue> => {
  const pathTo = (row: number, column: number) => isOneCell ? ["values"] : ["values", row, column - left]
  return [
    ...lines.flatMap((line, row) => line.flatMap((value, column) => tooLong(value, pathTo(row, left + column)))),
    ...(mayParseFormulas ? [] : formulaIssues({ lines, top, left, pathTo }))
  ]
}

/** The cells that hold a formula and would get a value. A text that merely looks like one is no formula. */
export const overwrittenFormulas = (
  lines: Lines,
  current: { readonly formulas: Lines; readonly values: Lines },
  { left, top }: Rectangle
): ReadonlyArray<string> =>
  lines.flatMap((line, row) =>
    line.flatMap((value, column) => {
      const formula = current.formulas[row]?.[column]
      const isFormula = typeof formula === "string" && formula.startsWith("=") &&
        formula !== current.values[row]?.[column]
      return value !== null && isFormula ? [`${cellName(top + row, left + column)} (${formula.slice(0, 60)})`] : []
    })
  )

/** Where the cells are not what the caller expects. */
export const unexpected = (
  expected: Lines,
  current: Lines,
  { bottom, left, right, top }: Rectangle
): ReadonlyArray<Issue> => {
  const rows = bottom - top
  const columns = right - left
  if (expected.length !== rows || expected.some((line) => line.length !== columns)) {
    return [mistake(["expect"], `Expected the shape of \`values\`, ${sizeText(rows, columns)}.`)]
  }
  return expected.flatMap((line, row) =>
    line.flatMap((value, column) => {
      const found = current[row]?.[column] ?? null
      return isSame(value, found)
        ? []
        : [mistake(
          ["expect", row, column],
          `${cellName(top + row, left + column)} is ${JSON.stringify(isBlank(found) ? null : found)}, not ${
            JSON.stringify(value)
          }. Nothing was written.`
        )]
    })
  )
}

const isSame = (a: CellValue, b: CellValue): boolean => a === b || (isBlank(a) && isBlank(b))
