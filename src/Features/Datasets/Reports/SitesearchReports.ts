import { Effect, Result } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import { type Column, type Table, transposed } from "../../../Domain/Table/Table.ts"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import type { ProviderCalls } from "../../../Providers/Provider.ts"
import { getPageStats, getQueryStats, getRankAndTrafficStats } from "../../../Providers/Sitesearch/Endpoints.ts"
import { distinctRows, parseDay } from "../../../Providers/Sitesearch/Responses.ts"
import { addDays, pacificTime, today } from "../../../Providers/Tooling/DateWindow.ts"
import { readTable } from "./ReadTable.ts"
import type { Report, Selection, Source } from "./Report.ts"

const number = (name: string): Column => ({ name, type: "number" })

const traffic: ReadonlyArray<Column> = [{ name: "Date", type: "date" }, number("Clicks"), number("Impressions")]

const statistics: ReadonlyArray<Column> = [
  { name: "Query", type: "text" },
  ...traffic,
  number("AvgClickPosition"),
  number("AvgImpressionPosition")
]

type Rows = Table["rows"]

/** One response has all days, and the cells of the column `Date` become days. */
const readDays = (
  calls: ProviderCalls,
  endpoint: typeof getQueryStats,
  siteUrl: string,
  columns: ReadonlyArray<Column>
) =>
  Effect.map(readTable(calls, endpoint, { query: { siteUrl } }, columns.map(({ name }) => name)), (cells) => {
    const date = columns.findIndex(({ name }) => name === "Date")
    const dated = transposed(cells).map((row) => row.with(date, parseDay(String(row[date]))))
    const rows = distinctRows(dated, (row) => row.slice(0, date + 1))
    const days = new Map<string, Rows>()
    for (const [day, ofDay] of Map.groupBy(rows, (row) => row[date])) if (typeof day === "string") days.set(day, ofDay)
    return days
  })

const clicksOf = (days: ReadonlyMap<string, Rows>, from: string, span: number) => {
  const found = Array.from({ length: span }, (_, index) => days.get(addDays(from, index))).filter((each) =>
    each !== undefined
  )
  return found.length === 0 ? null : found.flat().reduce((sum, [, clicks]) => sum + Number(clicks ?? 0), 0)
}

const noneOf = (field: string, names: ReadonlyArray<string> | undefined): ReadonlyArray<Issue> =>
  names === undefined ? [] : [{ path: [field], message: "The report has fixed columns. Leave it out" }]

const report = (
  endpoint: typeof getQueryStats,
  span: Report["span"],
  columns: ReadonlyArray<Column>
): Report => ({
  provider: "sitesearch",
  span,

  select: (dimensions, metrics) => {
    const issues = [...noneOf("dimensions", dimensions), ...noneOf("metrics", metrics)]
    const selection: Selection = { dimensions: [], metrics: [] }
    return issues.length === 0 ? Result.succeed(selection) : Result.fail(issues)
  },

  columns: () => columns,

  open: Effect.fnUntraced(function*(calls, property): Effect.fn.Return<Source, ToolCallError> {
    const now = yield* today(pacificTime)
    const found = yield* readDays(calls, endpoint, property, columns)
    const totals = span === 1 ? undefined : yield* readDays(calls, getRankAndTrafficStats, property, traffic)
    const names = columns.map(({ name }) => name)
    // The date of a week is its last day.
    const lastOf = (first: string) => addDays(first, span - 1)
    return {
      zone: pacificTime,
      today: now,
      days: (since) =>
        [...found.keys()].map((last) => addDays(last, 1 - span)).filter((first) => first >= since).toSorted(),
      layout: { names, places: names.map((_, place) => place), counted: names.indexOf("Clicks") },
      fetch: (first, { write }) => {
        const rows = found.get(lastOf(first)) ?? []
        const objects = rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])))
        const total = totals === undefined ? 0 : clicksOf(totals, first, span)
        return Effect.as(write(JsonText.stringify({ rows: objects }), objectsIn("rows")), { total, capped: false })
      }
    }
  })
})

export const sitesearchReports = {
  "sitesearch.query_stats": report(getQueryStats, 7, statistics),
  "sitesearch.page_stats": report(getPageStats, 7, statistics),
  "sitesearch.traffic": report(getRankAndTrafficStats, 1, traffic)
}
