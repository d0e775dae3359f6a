import { Effect, Semaphore } from "effect"
import { searchanalyticsQuery } from "../../Providers/Gsc/Endpoints.ts"
import type { ProviderCalls } from "../../Providers/Provider.ts"
import { monthsBefore, pacificTime, today } from "../../Providers/Tooling/DateWindow.ts"
import { readTable } from "./ReadTable.ts"
import { daysUpTo, type DayTable, type Report, type Rows, shareOf, sumOf, totalsByMonth } from "./Report.ts"
import { columnsOf, issuesOf, selected } from "./Selections.ts"
import { SummedRows } from "./SummedRows.ts"

const dimensions = ["query", "page", "country", "device", "searchAppearance", "date"] as const
type Dimension = typeof dimensions[number]
const isDimension = (name: string): name is Dimension => dimensions.some((dimension) => dimension === name)

const metrics = ["clicks", "impressions", "ctr", "position"]

/** The provider keeps this many months. Earlier days are no error and have no rows. */
const monthsKept = 16

/** Of one request, and of a day: https://developers.google.com/webmaster-tools/v1/how-tos/all-your-data */
const pageRows = 25_000
const dayRows = 50_000

interface Filter {
  readonly dimension: "country" | "device"
  readonly operator: "equals" | "notEquals"
  readonly expression: string
}

/** Such a day has more than 50,000 rows in memory, so that an instance has one of them at a time. */
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
        given: givenDimensions,
        isKnown: isDimension,
        expected: `one of ${dimensions.join(", ")}`,
        isEmptyAllowed: true
      }),
      givenDimensions !== undefined && givenDimensions.length > 1 && givenDimensions.includes("searchAppearance")
        ? [{ path: ["dimensions"], message: "`searchAppearance` cannot be combined with other dimensions" }]
        : [],
      issuesOf({
        field: "metrics",
        given: givenMetrics,
        isKnown: (name) => metrics.includes(name),
        expected: `one of ${metrics.join(", ")}`
      })
    ),

  columns: (selection) => columnsOf(selection, (dimension) => dimension === "date" ? "date" : "text"),

  open: Effect.fnUntraced(function*(calls, property, selection) {
    const now = yield* today(pacificTime)
    const firstKept = monthsBefore(now, monthsKept)
    const asked = selection.dimensions.filter(isDimension)
    const width = asked.length
    const places = selection.metrics.map((name) => width + metrics.indexOf(name))

    const totals = yield* totalsByMonth(
      ({ end, start }) =>
        Effect.map(
          query(calls, property, { start, end, dimensions: ["date"], filters: [], startRow: 0 }),
          (rows) => new Map(rows.map(([day, clicks]) => [String(day), Number(clicks)]))
        ),
      now
    )

    const rowsOf = Effect.fnUntraced(function*(day: string, filters: ReadonlyArray<Filter>) {
      const window = { start: day, end: day, dimensions: asked, filters }
      const first = yield* query(calls, property, { ...window, startRow: 0 })
      if (first.length < pageRows) return { rows: first, isCapped: false }
      const second = yield* query(calls, property, { ...window, startRow: pageRows })
      return { rows: [...first, ...second], isCapped: first.length + second.length >= dayRows }
    })

    /** By country, then device. The largest countries are read alone, until the rest fits into one part. */
    const inParts = Effect.fnUntraced(function*(day: string, whole: Rows) {
      const sums = new SummedRows(whole, width)
      const byCountry = yield* query(calls, property, {
        start: day,
        end: day,
        dimensions: ["country"],
        filters: [],
        startRow: 0
      })
      const countries = byCountry.map(([country]) => String(country))
      let isCapped = false

      const addCountry = Effect.fnUntraced(function*(country: string) {
        const filter: Filter = { dimension: "country", operator: "equals", expression: country }
        const part = yield* rowsOf(day, [filter])
        if (!part.isCapped) return sums.add(part.rows)
        for (const device of devices) {
          const parts = yield* rowsOf(day, [filter, { dimension: "device", operator: "equals", expression: device }])
          sums.add(parts.rows)
          isCapped ||= parts.isCapped
        }
      })

      for (let from = 0, count = 4; from < countries.length; from += count, count *= 2) {
        yield* Effect.forEach(countries.slice(from, from + count), addCountry, { discard: true })
        const others = countries.slice(0, from + count).map((expression): Filter => ({
          dimension: "country",
          operator: "notEquals",
          expression
        }))
        const rest = from + count >= countries.length ? undefined : yield* rowsOf(day, others)
        if (rest?.isCapped === true) continue
        sums.add(rest?.rows ?? [])
        break
      }
      return { rows: sums.rows(), isCapped }
    }, oneInParts.withPermit)

    return {
      zone: pacificTime,
      today: now,
      days: (since) => daysUpTo(now, since < firstKept ? firstKept : since),
      fetch: Effect.fnUntraced(function*(day): Effect.fn.Return<DayTable, Effect.Error<ReturnType<typeof query>>> {
        const total = yield* totals(day)
        if (total === undefined) return { rows: [], coverage: 1, capped: false }
        const whole = yield* rowsOf(day, [])
        const { isCapped, rows } = whole.isCapped ? yield* inParts(day, whole.rows) : whole
        const coverage = shareOf(sumOf(rows, width), total)
        const isAll = selection.metrics.length === metrics.length
        return {
          rows: isAll
            ? rows
            : rows.map((row) => [...row.slice(0, width), ...places.map((place) => row[place] ?? null)]),
          coverage,
          capped: isCapped
        }
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

/** Rows of dimensions and all metrics. */
const query = (
  calls: ProviderCalls,
  property: string,
  { dimensions, end, filters, start, startRow }: Query
): Effect.Effect<Rows, Effect.Error<ReturnType<typeof readTable>>> =>
  Effect.map(
    readTable(calls, searchanalyticsQuery, {
      path: { siteUrl: property },
      body: {
        startDate: start,
        endDate: end,
        dimensions,
        dataState: "all",
        ...filters.length === 0 ? {} : { dimensionFilterGroups: [{ filters }] },
        rowLimit: pageRows,
        startRow
      }
    }, [...dimensions, ...metrics]),
    ({ rows }) => rows
  )
