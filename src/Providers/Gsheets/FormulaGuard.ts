import type { Issue } from "../../Domain/Issue.ts"
import { cellName, columnLetters } from "./A1.ts"
import type { CellValue, Lines } from "./Answers.ts"
import { mistake } from "./Mistakes.ts"

/** What a spreadsheet that parses its input takes for a formula, or may. */
const opening = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

/** `-5`, `-1,200.50`, `-12.5%`, `-$3`, `-1e6`. */
const negativeNumber = /^\s*-\s?[$€£¥]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s?%?\s*$/i

export const looksLikeFormula = (value: CellValue): boolean =>
  typeof value === "string" && opening.test(value) && !negativeNumber.test(value)

/** One issue for every text that would be read as a formula. `pathTo` says where in the input a line's column came from. */
export const formulaIssues = (
  { left, lines, pathTo, top }: {
    readonly lines: Lines
    /** Where the first line goes; `undefined` as long as nobody knows. */
    readonly top: number | undefined
    readonly left: number
    readonly pathTo: (line: number, column: number) => Issue["path"]
  }
): ReadonlyArray<Issue> =>
  lines.flatMap((line, row) =>
    line.flatMap((value, column) =>
      looksLikeFormula(value)
        ? [mistake(
          pathTo(row, left + column),
          `${place(top, row, left + column)} would get ${shortened(String(value))}, which is read as a formula. ` +
            "Pass `allow_formulas` if that is meant, or leave `parse` out to store it as text."
        )]
        : []
    )
  )

const place = (top: number | undefined, line: number, column: number): string =>
  top === undefined ? `A cell of column ${columnLetters(column)}` : cellName(top + line, column)

const shortened = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
