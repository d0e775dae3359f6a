import { DateTime, Effect } from "effect"
import { pages } from "../../Data/Company.ts"
import { type Day, dayOf, isoOf, monthsBefore } from "../../Data/Day.ts"
import { seasonalFactor } from "../../Data/Season.ts"
import type { GoogleError } from "../Google/GoogleError.ts"
import { countDay, type Counts, forEachImpression, hasType } from "./Counts.ts"
import type { Dimension, Query } from "./SearchAnalyticsRequest.ts"
import { compileFilters, type SegmentFilter } from "./SegmentFilters.ts"
import { appearancesOf, type Segment, segments } from "./Segments.ts"
import type { Site } from "./Sites.ts"

export const pacific = DateTime.zoneMakeNamedUnsafe("America/Los_Angeles")

/** Search Console keeps this much. */
const retentionMonths = 16

/** Hourly data reaches back this many days. */
const hourlyDays = 10

/** Days that are complete, counted back from today; the one after them is still being collected. */
const finalLag = 2

/** What has arrived of yesterday: its hours before this one. */
const freshHours = 18

/** The first hour of yesterday whose data may still change. */
const firstIncompleteHour = 15

interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  /** Absent where nobody searched: Discover and Google News. */
  readonly position?: number
}

export interface Report {
  readonly rows?: ReadonlyArray<Row>
  readonly responseAggregationType: "byPage" | "byProperty"
  readonly metadata?: { readonly firstIncompleteDate: string } | { readonly firstIncompleteHour: string }
}

/** The report as Search Console would make it on that day in Pacific time. */
export const report = (
  property: Site,
  query: Query,
  today: Day
): Effect.Effect<Report, GoogleError> =>
  Effect.map(compileFilters(query.filters), (keeps) => {
    const rows = rowsOf(query, plan(property, query, keeps), today)
    const metadata = metadataOf(query, today)
    return {
      ...(rows.length === 0 ? {} : { rows }),
      responseAggregationType: query.aggregation,
      ...(metadata === undefined ? {} : { metadata })
    }
  })

const yesterday = (today: Day) => today - 1

/** The days that are asked for and that there are. */
const daysOf = ({ dataState, endDate, startDate }: Query, today: Day): ReadonlyArray<Day> => {
  const oldest = dataState === "hourlyAll" ? today - hourlyDays : monthsBefore(today, retentionMonths)
  const first = Math.max(dayOf(startDate), oldest)
  const last = Math.min(dayOf(endDate), dataState === "final" ? today - finalLag : yesterday(today))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

const metadataOf = ({ dataState, dimensions, endDate }: Query, today: Day): Report["metadata"] => {
  if (dayOf(endDate) < yesterday(today)) return undefined
  if (dataState === "all" && dimensions.includes("date")) return { firstIncompleteDate: isoOf(yesterday(today)) }
  return dataState === "hourlyAll" ? { firstIncompleteHour: hourOf(yesterday(today), firstIncompleteHour) } : undefined
}

/** One row in the making: its keys, the time still empty, and which segments it counts. */
interface Group {
  readonly values: ReadonlyArray<string>
  readonly members: Array<Segment>
}

const plan = (
  property: Site,
  { aggregation, dimensions, type }: Query,
  keeps: SegmentFilter
): ReadonlyArray<Group> => {
  const own = new Set(pages.filter((page) => property.has(page.url)))
  const groups = new Map<string, Group>()
  for (const segment of segments()) {
    if (!own.has(segment.page) || !hasType(segment, type)) continue
    if (dimensions.includes("query") && segment.query === undefined) continue
    // Two pages of one property in the same results: it was shown once.
    if (aggregation === "byProperty" && segment.below !== undefined && own.has(segment.below)) continue
    if (!keeps(segment)) continue
    for (const values of valuesOf(segment, dimensions)) {
      const key = values.join("\n")
      const group = groups.get(key) ?? { values, members: [] }
      if (group.members.push(segment) === 1) groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** A segment belongs to one group, or to one for each way in which its page's results can look special. */
const valuesOf = (segment: Segment, dimensions: ReadonlyArray<Dimension>): ReadonlyArray<Group["values"]> =>
  dimensions.includes("searchAppearance")
    ? appearancesOf(segment.page).map((appearance) => [appearance])
    : [dimensions.map((dimension) => valueOf(segment, dimension))]

const valueOf = (segment: Segment, dimension: Dimension): string => {
  switch (dimension) {
    case "query":
      return segment.query ?? ""
    case "page":
      return segment.page.url
    case "country":
      return segment.country
    case "device":
      return segment.device
    default:
      return ""
  }
}

/** By clicks, except that dates and hours come in their order. Only as many days are counted as the page needs. */
const rowsOf = (query: Query, groups: ReadonlyArray<Group>, today: Day): ReadonlyArray<Row> => {
  const { dimensions, rowLimit, startRow } = query
  const end = startRow + rowLimit
  const days = daysOf(query, today)
  if (!dimensions.includes("date") && !dimensions.includes("hour")) {
    return countDays(query, groups, days, today).slice(startRow, end)
  }
  const rows: Array<Row> = []
  for (const day of days) {
    if (rows.length >= end) break
    rows.push(
      ...(dimensions.includes("hour") ? countHours(query, groups, day, today) : countDays(query, groups, [day], today))
    )
  }
  return rows.slice(startRow, end)
}

const none = (): Counts => ({ clicks: 0, impressions: 0, positions: 0 })

/** One row for each group that was seen on one of the days. */
const countDays = (
  query: Query,
  groups: ReadonlyArray<Group>,
  days: ReadonlyArray<Day>,
  today: Day
): ReadonlyArray<Row> => {
  const seasons = days.map(seasonalFactor)
  const date = isoOf(days[0] ?? 0)
  const fact = none()
  return sorted(groups.map((group) => {
    const sum = none()
    for (const segment of group.members) {
      for (let index = 0; index < days.length; index++) {
        const day = days[index] ?? 0
        countDay(segment, query.type, day, seasons[index] ?? 1, fact)
        if (fact.impressions === 0) continue
        if (day < yesterday(today)) {
          sum.clicks += fact.clicks
          sum.impressions += fact.impressions
          sum.positions += fact.positions
        } else {
          forEachImpression(segment, day, fact, (hour, clicks, positions) => {
            if (hour >= freshHours) return
            sum.clicks += clicks
            sum.impressions += 1
            sum.positions += positions
          })
        }
      }
    }
    return toRow(query, group.values, date, sum)
  }))
}

const countHours = (query: Query, groups: ReadonlyArray<Group>, day: Day, today: Day): ReadonlyArray<Row> => {
  const season = seasonalFactor(day)
  const fact = none()
  const counted = groups.map((group) => {
    const sums = Array.from({ length: day < yesterday(today) ? 24 : freshHours }, none)
    for (const segment of group.members) {
      countDay(segment, query.type, day, season, fact)
      if (fact.impressions === 0) continue
      forEachImpression(segment, day, fact, (hour, clicks, positions) => {
        const sum = sums[hour]
        if (sum === undefined) return
        sum.clicks += clicks
        sum.impressions += 1
        sum.positions += positions
      })
    }
    return { group, sums }
  })
  return Array.from({ length: 24 }, (_, hour) => {
    const name = hourOf(day, hour)
    return sorted(counted.map(({ group, sums }) => toRow(query, group.values, name, sums[hour] ?? none())))
  }).flat()
}

const isTime = (dimension: Dimension) => dimension === "date" || dimension === "hour"

const toRow = (
  { dimensions, type }: Query,
  values: Group["values"],
  time: string,
  { clicks, impressions, positions }: Counts
): Row => ({
  ...(dimensions.length === 0
    ? {}
    : { keys: dimensions.map((dimension, index) => isTime(dimension) ? time : values[index] ?? "") }),
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  ...(type === "discover" || type === "googleNews" ? {} : { position: positions / impressions })
})

/** Without the groups that were not seen. Google leaves the order of ties open; here it is the same every time. */
const sorted = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.filter(({ impressions }) => impressions > 0).toSorted((a, b) =>
    b.clicks - a.clicks || b.impressions - a.impressions
  )

const hourOf = (day: Day, hour: number): string =>
  DateTime.formatIsoOffset(
    DateTime.makeZonedUnsafe(`${isoOf(day)}T${String(hour).padStart(2, "0")}:00:00`, {
      timeZone: pacific,
      adjustForTimeZone: true
    })
  ).replace(".000", "")
