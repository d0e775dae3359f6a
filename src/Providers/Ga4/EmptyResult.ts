import { Effect } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import type { DateWindow } from "../Tooling/DateWindow.ts"
import { equalsText, filterNotes, type TriedFilter } from "../Tooling/FilterNotes.ts"
import { includesUrlText } from "../Tooling/UrlText.ts"
import { readPages } from "./LandingPages.ts"
import { datesOf, emptyReport, fetchReports, pageDimension, type Traffic } from "./TrafficReports.ts"

const maxValues = 1000

/** Explains with one request why no session matches the filters. Returns no notes when the request fails. */
export const explainFilters = (
  provider: ProviderCalls,
  traffic: Traffic,
  window: DateWindow
): Effect.Effect<ReadonlyArray<string>> => {
  const filters = givenFilters(traffic)
  if (filters.length === 0) return Effect.succeed([])
  const requests = filters.map(({ dimension }) => ({
    dateRanges: datesOf(window),
    metrics: [{ name: "sessions" }],
    dimensions: [{ name: dimension }],
    orderBys: [{ metric: { metricName: "sessions" }, desc: true }],
    limit: String(maxValues)
  }))
  return fetchReports(provider, traffic.property, requests).pipe(
    Effect.map((reports) =>
      filterNotes(filters.map((filter, index): TriedFilter => {
        const report = reports[index] ?? emptyReport
        const values = readPages(report).map(({ page }) => page).filter((value) => value !== "")
        return { ...filter, values, isComplete: filters.length === 1 || report.rowCount <= maxValues }
      }))
    ),
    Effect.orElseSucceed(() => [])
  )
}

type GivenFilter = Omit<TriedFilter, "isComplete" | "values"> & { readonly dimension: string }

const givenFilters = (traffic: Traffic): ReadonlyArray<GivenFilter> => {
  const { channel, hostname, page_contains } = traffic
  return [
    ...channel === undefined ? [] : [exactly("channel", "sessionDefaultChannelGroup", channel)],
    ...hostname === undefined ? [] : [exactly("hostname", "hostName", hostname)],
    ...page_contains === undefined ? [] : [{
      dimension: pageDimension(traffic),
      claim: "page contains",
      value: page_contains,
      matches: includesUrlText(page_contains)
    }]
  ]
}

const exactly = (name: string, dimension: string, value: string): GivenFilter => ({
  dimension,
  claim: `row has ${name}`,
  value,
  matches: (given) => equalsText(given, value)
})
