import { Effect } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import type { DateWindow } from "../Tooling/DateWindow.ts"
import type { RowRange } from "../Tooling/Paging.ts"
import { ratio, roundCount } from "../Tooling/Rounding.ts"
import { propertiesBatchRunReports } from "./Endpoints.ts"
import { filterConditions, isNotSetFilter, matchAll, oneOfFilter, type PageFilters } from "./Filters.ts"
import type { FilterExpression, RunReportRequest } from "./Generated.ts"
import { isNotSet, namedRange, pageMetrics, type PageTotals, readPages, sumNotSet } from "./LandingPages.ts"
import { BatchReportsResponse, type ReportResponse } from "./Responses.ts"

export interface Traffic extends PageFilters {
  readonly property: string
  readonly include_query_string: boolean
  readonly exclude_not_set: boolean
}

type Request = typeof RunReportRequest.Type

export const fetchReports = (provider: ProviderCalls, property: string, requests: ReadonlyArray<Request>) =>
  Effect.map(
    provider.call(propertiesBatchRunReports, { path: { property }, body: { requests } }, BatchReportsResponse),
    ({ reports }) => reports
  )

export const emptyReport: ReportResponse = { rows: [], rowCount: 0 }
export const noSessions: Omit<PageTotals, "page"> = { sessions: 0, users: 0, engagedSessions: 0 }

export const pageDimension = ({ include_query_string }: Traffic): string =>
  include_query_string ? "landingPagePlusQueryString" : "landingPage"

export const datesOf = ({ end, start }: DateWindow) => [{ startDate: start, endDate: end }]

/** A report of the traffic that also fits the conditions. */
const report = (
  traffic: Traffic,
  window: DateWindow,
  conditions: ReadonlyArray<FilterExpression>,
  more: Partial<Request> = {}
): Request => ({
  dateRanges: datesOf(window),
  metrics: pageMetrics,
  returnPropertyQuota: true,
  ...matchAll([...filterConditions(pageDimension(traffic), traffic), ...conditions]),
  ...more
})

export const topPages = (traffic: Traffic, window: DateWindow, rows: RowRange): Request => {
  const dimension = pageDimension(traffic)
  const range = namedRange(rows)
  return report(traffic, window, [{ notExpression: isNotSetFilter(dimension) }], {
    dimensions: [{ name: dimension }],
    orderBys: [{ metric: { metricName: "sessions" }, desc: true }, { dimension: { dimensionName: dimension } }],
    limit: String(range.limit),
    offset: String(range.offset),
    keepEmptyRows: false
  })
}

export const totals = (traffic: Traffic, window: DateWindow): Request => {
  const isNamed = { notExpression: isNotSetFilter(pageDimension(traffic)) }
  return report(traffic, window, traffic.exclude_not_set ? [isNamed] : [])
}

export const notSetPages = (traffic: Traffic, window: DateWindow): Request => {
  const dimension = pageDimension(traffic)
  return report(traffic, window, [isNotSetFilter(dimension)], { dimensions: [{ name: dimension }] })
}

const namedPages = (traffic: Traffic, window: DateWindow, pages: ReadonlyArray<string>): Request => {
  const dimension = pageDimension(traffic)
  const dimensions = [{ name: dimension }]
  return report(traffic, window, [oneOfFilter(dimension, pages)], { dimensions, limit: String(pages.length) })
}

/** The figures of these pages in the window before, with one request. */
export const fetchPrevious = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  traffic: Traffic,
  previous: DateWindow,
  rows: ReadonlyArray<PageTotals>
) {
  const pages = rows.filter((row) => !isNotSet(row)).map(({ page }) => page)
  const reports = yield* fetchReports(provider, traffic.property, [
    totals(traffic, previous),
    ...pages.length === 0 ? [] : [namedPages(traffic, previous, pages)],
    ...rows.some(isNotSet) ? [notSetPages(traffic, previous)] : []
  ])
  const [totalReport = emptyReport, ...pageReports] = reports
  const [total = noSessions] = readPages(totalReport)
  const found = pageReports.flatMap(readPages)
  const byPage = new Map(found.map((row) => [row.page, row]))
  return {
    fields: { previous_start: previous.start, previous_end: previous.end },
    reports,
    total,
    ofPage: (row: PageTotals) => (isNotSet(row) ? sumNotSet(found) : byPage.get(row.page)) ?? noSessions,
    notes: total.sessions === 0 ? [`The previous window, ${previous.start} to ${previous.end}, has no sessions.`] : []
  }
})

export const pageFigures = ({ engagedSessions, sessions, users }: Omit<PageTotals, "page">) => ({
  sessions: roundCount(sessions),
  users: roundCount(users),
  engagement_rate: ratio(engagedSessions, sessions)
})

export const totalFigures = ({ engagedSessions, sessions, users }: Omit<PageTotals, "page">) => ({
  sessions: roundCount(sessions),
  users: roundCount(users),
  engaged_sessions: roundCount(engagedSessions),
  engagement_rate: ratio(engagedSessions, sessions)
})
