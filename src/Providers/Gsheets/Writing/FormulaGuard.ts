import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { cellName, columnLetters } from "../A1.ts"
import { type CellRows, type CellValue, flatMapCells } from "../CellValues.ts"
import { inputIssue } from "../Issues.ts"

export const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

/**
 * A minus, then only digits, separators, a currency or a percent sign, in any locale. A currency in letters needs a
 * space before the digits: `-R$5` and `-CHF5` name cells.
 */
const negativeNumber = new RegExp(
  /^\s*[-－]\s*(?:\p{Sc}|\p{L}{1,3}\.?\p{Sc}?\s)?\s*[.,٫]?\p{Nd}[\p{Nd}.,'’٫٬\s]*/u.source +
    /(?:e[+-]?\d+)?\s*(?:\p{Sc}|\p{L}{1,3}\.?|[%٪])?\s*$/u.source,
  "iu"
)

export const looksLikeFormula = (value: CellValue): boolean =>
  typeof value === "string" && formulaStart.test(value) &&
  // One blank instead of many, which the quantifiers could divide in too many ways.
  !negativeNumber.test(value.replace(/\s+/g, " "))

export const formulaIssues = (
  { left, values, pathTo, top }: {
    readonly values: CellRows
    readonly top: number | undefined
    readonly left: number
    readonly pathTo: (cells: number, column: number) => Issue["path"]
  }
): ReadonlyArray<Issue> =>
  flatMapCells(values, (value, row, column) =>
    looksLikeFormula(value)
      ? [inputIssue(
        pathTo(row, left + column),
        `${place(top, row, left + column)} would get ${shortened(String(value))}, which is read as a formula. ` +
          "Pass `allow_formulas` if that is meant, or leave `parse` out to store it as text."
      )]
      : [])

const place = (top: number | undefined, cells: number, column: number): string =>
  top === undefined ? `A cell of column ${columnLetters(column)}` : cellName(top + cells, column)

const shortened = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
