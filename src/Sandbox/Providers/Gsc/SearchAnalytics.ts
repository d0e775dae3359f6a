import { Effect } from "effect"
import { append } from "../../../Domain/Lists.ts"
import { pages, seasonalFactor } from "../../Data/Company.ts"
import { type Day, dayOf, isoOf, monthsBefore } from "../../Data/Day.ts"
import { firstChangingDay } from "../../Data/Portfolio.ts"
import type { GoogleError } from "../Google/GoogleError.ts"
import { countDay, type Counts, hasType } from "./Counts.ts"
import { customerRows, type Rows } from "./CustomerReport.ts"
import { type Row, toRow, valueOf } from "./Row.ts"
import type { Dimension, Query } from "./SearchAnalyticsRequest.ts"
import { compileFilters, type SegmentFilter } from "./SegmentFilters.ts"
import { appearancesOf, type Segment, segments } from "./Segments.ts"
import type { Site } from "./Sites.ts"

const retentionMonths = 16

const finalLagDays = 2

/** The share of yesterday's searches that is counted already. */
const freshShare = 0.65

interface QueryResponse {
  readonly rows?: Rows
  readonly responseAggregationType: "byPage" | "byProperty"
  readonly metadata?: { readonly firstIncompleteDate: string }
}

export const runQuery = Effect.fnUntraced(function*(
  site: Site,
  query: Query,
  today: Day
): Effect.fn.Return<QueryResponse, GoogleError> {
  const finalDay = site.customer === undefined ? today - finalLagDays : firstChangingDay(today) - 1
  const days = daysWithData(query, today, finalDay)
  const rows = site.customer === undefined
    ? rowsOf(query, groupSegments(site, query, yield* compileFilters(query.filters)), days, today)
    : yield* customerRows(site.customer, query, days, today)
  const incomplete = site.customer === undefined ? yesterday(today) : firstChangingDay(today)
  const saysIncomplete = !query.isFinal && query.dimensions.includes("date") && dayOf(query.endDate) >= incomplete
  return {
    ...(rows.length === 0 ? {} : { rows }),
    responseAggregationType: query.aggregation,
    ...(saysIncomplete ? { metadata: { firstIncompleteDate: isoOf(incomplete) } } : {})
  }
})

const yesterday = (today: Day) => today - 1

const daysWithData = (
  { endDate, isFinal, startDate }: Query,
  today: Day,
  finalDay: Day
): ReadonlyArray<Day> => {
  const first = Math.max(dayOf(startDate), monthsBefore(today, retentionMonths))
  const last = Math.min(dayOf(endDate), isFinal ? finalDay : yesterday(today))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

interface Group {
  readonly values: ReadonlyArray<string>
  readonly members: Array<Segment>
}

const groupSegments = (
  site: Site,
  { aggregation, dimensions, type }: Query,
  filter: SegmentFilter
): ReadonlyArray<Group> => {
  const ownPages = new Set(pages.filter((page) => site.contains(page.url)))
  const groups = new Map<string, Group>()
  for (const segment of segments()) {
    if (!ownPages.has(segment.page) || !hasType(segment, type)) continue
    if (dimensions.includes("query") && segment.query === undefined) continue
    // Aggregation by property counts two pages in the same results as one impression.
    if (aggregation === "byProperty" && segment.below !== undefined && ownPages.has(segment.below)) continue
    if (!filter(segment)) continue
    for (const values of valuesOf(segment, dimensions)) {
      const key = values.join("\n")
      const group = groups.get(key) ?? { values, members: [] }
      if (group.members.push(segment) === 1) groups.set(key, group)
    }
  }
  return [...groups.values()]
}

const valuesOf = (segment: Segment, dimensions: ReadonlyArray<Dimension>): ReadonlyArray<Group["values"]> =>
  dimensions.includes("searchAppearance")
    ? appearancesOf(segment.page).map((appearance) => [appearance])
    : [dimensions.map((dimension) => valueOf(segment, dimension))]

const rowsOf = (
  query: Query,
  groups: ReadonlyArray<Group>,
  days: ReadonlyArray<Day>,
  today: Day
): ReadonlyArray<Row> => {
  const { dimensions, rowLimit, startRow } = query
  const end = startRow + rowLimit
  if (!dimensions.includes("date")) return countDays(query, groups, days, today).slice(startRow, end)
  const rows: Array<Row> = []
  for (const day of days) {
    if (rows.length >= end) break
    append(rows, countDays(query, groups, [day], today))
  }
  return rows.slice(startRow, end)
}

const emptyCounts = (): Counts => ({ clicks: 0, impressions: 0, positionSum: 0 })

const countDays = (
  query: Query,
  groups: ReadonlyArray<Group>,
  days: ReadonlyArray<Day>,
  today: Day
): ReadonlyArray<Row> => {
  const seasons = days.map((day) => seasonalFactor(day) * (day < yesterday(today) ? 1 : freshShare))
  const date = isoOf(days[0] ?? 0)
  const counts = emptyCounts()
  return sorted(groups.map((group) => {
    const sum = emptyCounts()
    for (const segment of group.members) {
      for (let index = 0; index < days.length; index++) {
        const day = days[index] ?? 0
        countDay(segment, query.type, day, seasons[index] ?? 1, counts)
        sum.clicks += counts.clicks
        sum.impressions += counts.impressions
        sum.positionSum += counts.positionSum
      }
    }
    return toRow(query, group.values, date, sum)
  }))
}

const sorted = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.filter(({ impressions }) => impressions > 0).toSorted((a, b) =>
    b.clicks - a.clicks || b.impressions - a.impressions
  )
