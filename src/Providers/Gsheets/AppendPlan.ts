import { Result } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import { isBlank, type Lines } from "./Answers.ts"
import { formulaIssues } from "./FormulaGuard.ts"
import { byColumn, type GivenRows, headersIn, inOrder, type LaidOut } from "./GivenRows.ts"
import { headerKeys, letterKeys } from "./HeaderKeys.ts"
import { lastDataRow } from "./LastDataRow.ts"
import { mistake, mistaken } from "./Mistakes.ts"

/** What is to be written, and where. */
export interface AppendPlan {
  /** Zero-based: where the first line goes. */
  readonly top: number
  readonly left: number
  /** `null` leaves a cell as it is. */
  readonly lines: Lines
  /** The first line is a header. */
  readonly createsHeaders: boolean
}

export interface AppendRequest {
  readonly given: GivenRows
  /** Counted from 1; 0 is none. */
  readonly headerRow: number
  readonly createHeaders: boolean
  readonly parse: boolean
  readonly allowFormulas: boolean
}

/** What was read of the tab: the lines from the header on, or from row 1 on where there is none. */
export interface Seen {
  readonly lines: Lines
  /** There are no others below. */
  readonly isAll: boolean
  /** How many columns the grid has. */
  readonly columns: number
}

/** Below the last row that holds data, whatever gaps there are above. */
export const appendPlan = (
  request: AppendRequest,
  { columns, isAll, lines }: Seen
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const { given, headerRow } = request
  const start = Math.max(0, headerRow - 1)
  const last = lastDataRow(lines)
  const header = headerRow === 0 ? [] : lines[0] ?? []
  if (last === -1 && header.every(isBlank)) return onEmptyTab(request, start, columns)
  const top = start + Math.max(last, headerRow === 0 ? -1 : 0) + 1
  const keys = headerRow === 0 ? letterKeys({ width: columns }) : headerKeys(header, { width: columns })
  const laidOut = given.kind === "objects"
    ? byColumn(given.rows, keys)
    : Result.succeed(inOrder(given.rows, firstHeader(header)))
  return Result.flatMap(laidOut, (found) => checked(request, { ...found, top, isAll, createsHeaders: false }))
}

/** Rows of arrays start under the first header, as a tab can have blank columns in front. */
export const firstHeader = (header: Lines[number]): number => Math.max(0, header.findIndex((value) => !isBlank(value)))

const onEmptyTab = (
  request: AppendRequest,
  start: number,
  columns: number
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const { createHeaders, given, headerRow, parse } = request
  if (given.kind === "arrays") {
    return checked(request, { ...inOrder(given.rows, 0), top: start, isAll: true, createsHeaders: false })
  }
  if (headerRow === 0) {
    return Result.flatMap(
      byColumn(given.rows, letterKeys({ width: columns })),
      (found) => checked(request, { ...found, top: start, isAll: true, createsHeaders: false })
    )
  }
  if (!createHeaders) {
    return mistaken(mistake(
      ["create_headers"],
      "The tab is empty, so the keys of the rows name no columns. Let the headers be created, or pass rows of arrays."
    ))
  }
  return Result.gen(function*() {
    const headers = yield* headersIn(given.rows)
    const found = yield* byColumn(given.rows, headers.map((key, index) => ({ key, index, renamed: false })))
    const below = yield* checked(request, { ...found, top: start + 1, isAll: true, createsHeaders: true })
    return {
      ...below,
      top: start,
      left: 0,
      lines: [headers.map((header) => literal(header, parse)), ...fromLeft(below)]
    }
  })
}

/** A header is never parsed: an apostrophe in front says so. */
const literal = (header: string, parse: boolean): string => parse ? `'${header}` : header

const fromLeft = ({ left, lines }: AppendPlan): Lines =>
  lines.map((line) => [...Array.from({ length: left }, () => null), ...line])

/** An empty text would only stand in the way of what fills the cell by itself. */
const checked = (
  { allowFormulas, parse }: AppendRequest,
  { createsHeaders, isAll, left, lines, pathTo, top }:
    & LaidOut
    & Pick<AppendPlan, "top" | "createsHeaders">
    & Pick<Seen, "isAll">
): Result.Result<AppendPlan, ReadonlyArray<Issue>> => {
  const issues = parse && !allowFormulas ? formulaIssues({ lines, top: isAll ? top : undefined, left, pathTo }) : []
  return issues.length > 0 ? mistaken(...issues) : Result.succeed({
    top,
    left,
    lines: lines.map((line) => line.map((value) => value === "" ? null : value)),
    createsHeaders
  })
}
