import { Order } from "effect"
import { type RowPage, type RowRange, takePage } from "../Tooling/Paging.ts"
import type { ReportResponse } from "./BatchReports.ts"
import type { FilterExpression } from "./Generated.ts"

/** What one landing page did, in the provider's own numbers. */
export interface PageTotals {
  readonly page: string
  readonly sessions: number
  readonly users: number
  readonly engagedSessions: number
}

/** Always the same: another metric in a report can change what these come to. `users` is what the interface shows. */
export const metrics = [
  { name: "sessions" },
  { name: "activeUsers" },
  { name: "engagedSessions" },
  { name: "engagementRate" }
] as const

export const readPages = ({ rows }: Pick<ReportResponse, "rows">): ReadonlyArray<PageTotals> =>
  rows.map(({ dimensionValues, metricValues }) => ({
    page: dimensionValues[0]?.value ?? "",
    sessions: metricValues[0]?.value ?? 0,
    users: metricValues[1]?.value ?? 0,
    engagedSessions: metricValues[2]?.value ?? 0
  }))

/** Most sessions first, then by name, as the report is asked for. */
const bySessions = Order.combine<PageTotals>(
  Order.mapInput(Order.flip(Order.Number), ({ sessions }) => sessions),
  Order.mapInput(Order.String, ({ page }) => page)
)

const notSet = "(not set)"

/** The provider has two spellings of a session without a landing page. */
export const isNotSet = ({ page }: Pick<PageTotals, "page">): boolean => page === "" || page === notSet

/** Both spellings as one row, however often and in whichever report either comes. */
export const sumNotSet = (rows: ReadonlyArray<PageTotals>): PageTotals | undefined => {
  const spellings = [...new Map(rows.filter(isNotSet).map((row) => [row.page, row])).values()]
  return spellings.length === 0 ? undefined : spellings.reduce((sum, row) => ({
    page: notSet,
    sessions: sum.sessions + row.sessions,
    users: sum.users + row.users,
    engagedSessions: sum.engagedSessions + row.engagedSessions
  }), { page: notSet, sessions: 0, users: 0, engagedSessions: 0 })
}

/**
 * Which of the pages with a name to ask for. The row before the wanted ones comes along, for it tells whether the row
 * without a name belongs to an earlier page.
 */
export const namedRange = ({ limit, offset }: RowRange): RowRange =>
  offset === 0 ? { limit: limit + 1, offset } : { limit: limit + 2, offset: offset - 1 }

/** The wanted page of the list that has `unset` in its place among the `named`, which are those of `namedPages`. */
export const mergeNotSet = (
  named: ReadonlyArray<PageTotals>,
  unset: PageTotals | undefined,
  request: RowRange
): RowPage<PageTotals> => {
  const [before, ...rest] = named
  const fromOffset = request.offset === 0 ? named : rest
  if (unset === undefined) return takePage(fromOffset, request)
  const isEarlier = request.offset > 0 && (before === undefined || bySessions(unset, before) < 0)
  return takePage(isEarlier ? named : [...fromOffset, unset].toSorted(bySessions), request)
}

/** Filters by name, each on all of the report. */
export interface PageFilters {
  readonly channel?: string
  readonly page_contains?: string
  readonly hostname?: string
}

export const conditionsOf = (
  dimension: string,
  { channel, hostname, page_contains }: PageFilters
): ReadonlyArray<FilterExpression> => [
  ...condition("sessionDefaultChannelGroup", "EXACT", channel),
  ...condition(dimension, "CONTAINS", page_contains),
  ...condition("hostName", "EXACT", hostname)
]

const condition = (
  fieldName: string,
  matchType: "EXACT" | "CONTAINS",
  value: string | undefined
): ReadonlyArray<FilterExpression> =>
  value === undefined ? [] : [{ filter: { fieldName, stringFilter: { matchType, value } } }]

/** The provider's own filter for both spellings of nothing. */
export const isEmpty = (fieldName: string): FilterExpression => ({ filter: { fieldName, emptyFilter: {} } })

export const all = (expressions: ReadonlyArray<FilterExpression>) =>
  expressions.length === 0 ? {} : { dimensionFilter: { andGroup: { expressions } } }
