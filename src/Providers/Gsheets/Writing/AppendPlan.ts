import { Result } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { type CellRow, type CellRows, isBlank, lastDataRow, padLeft } from "../CellValues.ts"
import { columnKeys, letterKeys } from "../ColumnKeys.ts"
import { failWith, inputIssue } from "../Issues.ts"
import { formulaIssues } from "./FormulaGuard.ts"
import { headersFromKeys, type InputRows, type LaidOutRows, layOutArrays, layOutObjects } from "./InputRows.ts"

export interface AppendPlan {
  readonly top: number
  readonly left: number
  readonly values: CellRows
  readonly createsHeaders: boolean
}

export interface AppendRequest {
  readonly rows: InputRows
  /** 0 without a header. */
  readonly headerRowNumber: number
  readonly createHeaders: boolean
  readonly parse: boolean
  readonly allowFormulas: boolean
}

export interface ExistingRows {
  readonly values: CellRows
  readonly isComplete: boolean
  readonly columns: number
}

export const appendPlan = (
  request: AppendRequest,
  { columns, isComplete, values }: ExistingRows
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const { headerRowNumber, rows } = request
  const start = Math.max(0, headerRowNumber - 1)
  const last = lastDataRow(values)
  const header = headerRowNumber === 0 ? [] : values[0] ?? []
  if (last === -1 && header.every(isBlank)) return planOnEmptyTab(request, start, columns)
  const top = start + Math.max(last, headerRowNumber === 0 ? -1 : 0) + 1
  const keys = headerRowNumber === 0 ? letterKeys({ width: columns }) : columnKeys(header, { width: columns })
  const laidOut = rows.kind === "objects"
    ? layOutObjects(rows.rows, keys)
    : Result.succeed(layOutArrays(rows.rows, firstHeaderColumn(header)))
  return Result.flatMap(laidOut, (found) => checkPlan(request, { ...found, top, isComplete, createsHeaders: false }))
}

export const firstHeaderColumn = (header: CellRow): number => Math.max(0, header.findIndex((value) => !isBlank(value)))

const planOnEmptyTab = (
  request: AppendRequest,
  start: number,
  columns: number
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const { createHeaders, headerRowNumber, parse, rows } = request
  if (rows.kind === "arrays") {
    return checkPlan(request, { ...layOutArrays(rows.rows, 0), top: start, isComplete: true, createsHeaders: false })
  }
  if (headerRowNumber === 0) {
    return Result.flatMap(
      layOutObjects(rows.rows, letterKeys({ width: columns })),
      (found) => checkPlan(request, { ...found, top: start, isComplete: true, createsHeaders: false })
    )
  }
  if (!createHeaders) {
    return failWith(inputIssue(
      ["create_headers"],
      "The tab is empty, so the keys of the rows name no columns. Let the headers be created, or pass rows of arrays."
    ))
  }
  return Result.gen(function*() {
    const headers = yield* headersFromKeys(rows.rows)
    const found = yield* layOutObjects(rows.rows, headers.map((key, index) => ({ key, index, renamed: false })))
    const below = yield* checkPlan(request, { ...found, top: start + 1, isComplete: true, createsHeaders: true })
    return {
      ...below,
      top: start,
      left: 0,
      values: [headers.map((header) => literalHeader(header, parse)), ...padLeft(below.values, below.left)]
    }
  })
}

const literalHeader = (header: string, parse: boolean): string => parse ? `'${header}` : header

const checkPlan = (
  { allowFormulas, parse }: AppendRequest,
  { createsHeaders, isComplete, left, pathTo, top, values }:
    & LaidOutRows
    & Pick<AppendPlan, "top" | "createsHeaders">
    & Pick<ExistingRows, "isComplete">
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const issues = parse && !allowFormulas
    ? formulaIssues({ values, top: isComplete ? top : undefined, left, pathTo })
    : []
  return issues.length > 0 ? Result.fail(issues) : Result.succeed({
    top,
    left,
    // An empty string would block an array formula.
    values: values.map((cells) => cells.map((value) => value === "" ? null : value)),
    createsHeaders
  })
}
