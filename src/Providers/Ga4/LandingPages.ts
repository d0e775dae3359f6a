import { Order } from "effect"
import { type RowPage, type RowRange, takePage } from "../Tooling/Paging.ts"
import type { ReportResponse } from "./Responses.ts"

export interface PageTotals {
  readonly page: string
  readonly sessions: number
  readonly users: number
  readonly engagedSessions: number
}

/** Other metrics in the same report can change these figures. Analytics shows `activeUsers` as users. */
export const pageMetrics = [
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

const bySessions = Order.Struct({ sessions: Order.flip(Order.Number), page: Order.String })

const notSetPage = "(not set)"

export const isNotSet = ({ page }: Pick<PageTotals, "page">): boolean => page === "" || page === notSetPage

export const sumNotSet = (rows: ReadonlyArray<PageTotals>): PageTotals | undefined => {
  const spellings = [...new Map(rows.filter(isNotSet).map((row) => [row.page, row])).values()]
  return spellings.length === 0 ? undefined : spellings.reduce((sum, row) => ({
    page: notSetPage,
    sessions: sum.sessions + row.sessions,
    users: sum.users + row.users,
    engagedSessions: sum.engagedSessions + row.engagedSessions
  }), { page: notSetPage, sessions: 0, users: 0, engagedSessions: 0 })
}

export const namedRange = ({ limit, offset }: RowRange): RowRange =>
  offset === 0 ? { limit: limit + 1, offset } : { limit: limit + 2, offset: offset - 1 }

export const mergeNotSet = (
  named: ReadonlyArray<PageTotals>,
  notSet: PageTotals | undefined,
  range: RowRange
): RowPage<PageTotals> => {
  const [before, ...rest] = named
  const fromOffset = range.offset === 0 ? named : rest
  if (notSet === undefined) return takePage(fromOffset, range)
  const isEarlier = range.offset > 0 && (before === undefined || bySessions(notSet, before) < 0)
  return takePage(isEarlier ? named : [...fromOffset, notSet].toSorted(bySessions), range)
}
