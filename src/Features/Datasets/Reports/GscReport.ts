import { Effect, Semaphore } from "effect"
import { searchanalyticsQuery } from "../../../Providers/Gsc/Endpoints.ts"
import { monthsBefore, pacificTime, today } from "../../../Providers/Tooling/DateWindow.ts"
import type { DayRows } from "../Rows/DayRows.ts"
import { readTable } from "./ReadTable.ts"
import { daysUpTo, type Report, totalsByMonth } from "./Report.ts"
import { columnsOf, issuesOf, selected } from "./Selections.ts"

const dimensions = ["query", "page", "country", "device", "searchAppearance", "date"] as const
type Dimension = typeof dimensions[number]
const isDimension = (name: string): name is Dimension => dimensions.some((dimension) => dimension === name)

const metrics = ["clicks", "impressions", "ctr", "position"]

/** The provider keeps this many months. Earlier days are no error and have no rows. */
const monthsKept = 16

/** The most rows of a request, and of a day: https://developers.google.com/webmaster-tools/v1/how-tos/all-your-data */
const pageRows = 25_000
const dayRows = 50_000

interface Filter {
  readonly dimension: "country" | "device"
  readonly operator: "equals" | "notEquals"
  readonly expression: string
}

/** A day in parts keeps the dimensions of its rows in memory, so an instance reads one such day at a time. */
const oneInParts = Semaphore.makeUnsafe(1)

const devices = ["DESKTOP", "MOBILE", "TABLET"]

export const gscReport: Report = {
  provider: "gsc",
  span: 1,

  select: (givenDimensions, givenMetrics) =>
    selected(
      { dimensions: givenDimensions ?? ["query", "page"], metrics: givenMetrics ?? metrics },
      issuesOf({
        field: "dimensions",
        names: givenDimensions,
        isKnown: isDimension,
        expected: `one of ${dimensions.join(", ")}`,
        isEmptyAllowed: true
      }),
      givenDimensions !== undefined && givenDimensions.length > 1 && givenDimensions.includes("searchAppearance")
        ? [{ path: ["dimensions"], message: "`searchAppearance` cannot be combined with other dimensions" }]
        : [],
      issuesOf({
        field: "metrics",
        names: givenMetrics,
        isKnown: (name) => metrics.includes(name),
        expected: `one of ${metrics.join(", ")}`
      })
    ),

  columns: (selection) => columnsOf(selection, (dimension) => dimension === "date" ? "date" : "text"),

  open: Effect.fnUntraced(function*(calls, property, selection) {
    const now = yield* today(pacificTime)
    const firstKept = monthsBefore(now, monthsKept)
    const asked = selection.dimensions.filter(isDimension)
    const names = [...asked, ...metrics]
    const places = [...asked, ...selection.metrics].map((name) => names.indexOf(name))

    const read = (query: Query) =>
      readTable(calls, searchanalyticsQuery, inputOf(property, query), [...query.dimensions, ...metrics])

    const totals = yield* totalsByMonth(
      ({ end, start }) =>
        Effect.map(
          read({ start, end, dimensions: ["date"], filters: [], startRow: 0 }),
          ([days = [], clicks = []]) => new Map(days.map((day, index) => [String(day), Number(clicks[index])]))
        ),
      now
    )

    /** Returns whether there are more rows than the provider returns. */
    const readPages = Effect.fnUntraced(function*(day: string, filters: ReadonlyArray<Filter>, take: DayRows["write"]) {
      for (let startRow = 0; startRow < dayRows; startRow += pageRows) {
        const input = inputOf(property, { start: day, end: day, dimensions: asked, filters, startRow })
        const { rows } = yield* calls.callWith(
          searchanalyticsQuery,
          input,
          (body) => take(body, searchanalyticsQuery.rows?.(input))
        )
        if (rows < pageRows) return false
      }
      return true
    })

    /** Reads a day by country, then device. The largest countries are read alone, until the rest fits into one part. */
    const readParts = Effect.fnUntraced(function*(day: string, { endPart, keep }: DayRows) {
      const [found = []] = yield* read({ start: day, end: day, dimensions: ["country"], filters: [], startRow: 0 })
      const countries = found.map(String)
      let isCapped = false

      const readPart = (filters: ReadonlyArray<Filter>) => readPages(day, filters, keep)

      const addCountry = Effect.fnUntraced(function*(country: string) {
        const filter: Filter = { dimension: "country", operator: "equals", expression: country }
        const isCut = yield* readPart([filter])
        yield* endPart({ isSummed: !isCut })
        if (!isCut) return
        for (const device of devices) {
          const isCut = yield* readPart([filter, { dimension: "device", operator: "equals", expression: device }])
          yield* endPart({ isSummed: true })
          isCapped ||= isCut
        }
      })

      for (let from = 0, count = 4; from < countries.length; from += count, count *= 2) {
        yield* Effect.forEach(countries.slice(from, from + count), addCountry, { discard: true })
        if (from + count >= countries.length) break
        const isCut = yield* readPart(
          countries.slice(0, from + count).map((expression): Filter => ({
            dimension: "country",
            operator: "notEquals",
            expression
          }))
        )
        yield* endPart({ isSummed: !isCut })
        if (!isCut) break
      }
      return isCapped
    })

    return {
      zone: pacificTime,
      today: now,
      days: (since) => daysUpTo(now, since < firstKept ? firstKept : since),
      layout: { names, places, counted: asked.length, pageRows },
      fetch: Effect.fnUntraced(function*(day, rows) {
        const total = yield* totals(day)
        if (total === undefined) return { total: 0, capped: false }
        const isCut = yield* readPages(day, [], rows.write)
        return { total, capped: isCut && (yield* oneInParts.withPermit(readParts(day, rows))) }
      })
    }
  })
}

interface Query {
  readonly start: string
  readonly end: string
  readonly dimensions: ReadonlyArray<Dimension>
  readonly filters: ReadonlyArray<Filter>
  readonly startRow: number
}

/** Asks for all metrics. */
const inputOf = (property: string, { dimensions, end, filters, start, startRow }: Query) => ({
  path: { siteUrl: property },
  body: {
    startDate: start,
    endDate: end,
    dimensions,
    dataState: "all" as const,
    ...filters.length === 0 ? {} : { dimensionFilterGroups: [{ filters }] },
    rowLimit: pageRows,
    startRow
  }
})
