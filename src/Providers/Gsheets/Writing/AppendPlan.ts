import { Result } from "effect"
import { type CellRow, type CellRows, isBlank, lastDataRow, padLeft } from "../CellValues.ts"
import { columnKeys, letterKeys } from "../ColumnKeys.ts"
import { type Checked, refusal } from "../Issues.ts"
import { formulaIssues } from "./FormulaGuard.ts"
import { headersFromKeys, type InputRows, layOutArrays, layOutObjects } from "./InputRows.ts"

export interface AppendPlan {
  readonly top: number
  readonly left: number
  readonly values: CellRows
  readonly createsHeaders: boolean
}

export interface AppendRequest {
  readonly rows: InputRows
  /** 0 without a header. */
  readonly header_row: number
  readonly create_headers: boolean
  readonly parse: boolean
  readonly allow_formulas: boolean
}

export interface ExistingRows {
  readonly values: CellRows
  readonly isComplete: boolean
  readonly columns: number
}

export const appendPlan = (
  { allow_formulas, create_headers, header_row, parse, rows }: AppendRequest,
  existing: ExistingRows
): Checked<AppendPlan> =>
  Result.gen(function*() {
    const start = Math.max(0, header_row - 1)
    const header = header_row === 0 ? [] : existing.values[0] ?? []
    const last = lastDataRow(existing.values)
    const isEmpty = last === -1 && header.every(isBlank)
    const createsHeaders = isEmpty && header_row > 0 && rows.kind === "objects"
    if (createsHeaders && !create_headers) {
      return yield* refusal(
        ["create_headers"],
        "The tab is empty, so the keys of the rows name no columns. Let the headers be created, or pass rows of arrays."
      )
    }
    const headers = createsHeaders ? yield* headersFromKeys(rows.rows) : []
    const width = existing.columns
    const columns = createsHeaders
      ? headers.map((key, index) => ({ key, index, renamed: false }))
      : header_row === 0
      ? letterKeys({ width })
      : columnKeys(header, { width })
    const { left, pathTo, values } = rows.kind === "objects"
      ? yield* layOutObjects(rows.rows, columns)
      : layOutArrays(rows.rows, firstHeaderColumn(header))
    const top = isEmpty && !createsHeaders ? start : start + Math.max(last, header_row === 0 ? -1 : 0) + 1
    const issues = parse && !allow_formulas
      ? formulaIssues({ values, top: existing.isComplete ? top : undefined, left, pathTo })
      : []
    if (issues.length > 0) return yield* Result.fail(issues)
    // An empty string would block an array formula.
    const cells = values.map((row) => row.map((value) => value === "" ? null : value))
    if (!createsHeaders) return { top, left, values: cells, createsHeaders }
    const literal = headers.map((text) => parse ? `'${text}` : text)
    return { top: start, left: 0, values: [literal, ...padLeft(cells, left)], createsHeaders }
  })

export const firstHeaderColumn = (header: CellRow): number => Math.max(0, header.findIndex((value) => !isBlank(value)))
