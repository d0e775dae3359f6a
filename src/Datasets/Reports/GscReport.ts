import { Effect, Semaphore } from "effect"
import { searchanalyticsQuery } from "../../Providers/Gsc/Endpoints.ts"
import type { ProviderCalls } from "../../Providers/Provider.ts"
import { monthsBefore, pacificTime, today } from "../../Providers/Tooling/DateWindow.ts"
import { readTable } from "./ReadTable.ts"
import { daysUpTo, type Report, type Rows, shareOf, sumOf, totalsByMonth } from "./Report.ts"
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

/** Of sums that are written together. */
const partRows = 10_000

interface Filter {
  readonly dimension: "country" | "device"
  readonly operator: "equals" | "notEquals"
  readonly expression: string
}

/** Such a day keeps what its rows are of in memory, so that an instance has one of them at a time. */
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
    const names = [...asked, ...metrics]
    const places = [...asked, ...selection.metrics].map((name) => names.indexOf(name))
    const isAll = places.length === names.length

    const totals = yield* totalsByMonth(
      ({ end, start }) =>
        query(
          calls,
          property,
          { start, end, dimensions: ["date"], filters: [], startRow: 0 },
          (rows) => Effect.succeed(new Map(rows.map(([day, clicks]) => [String(day), Number(clicks)])))
        ),
      now
    )

    /** Whether there are more rows than the provider gives. */
    const read = Effect.fnUntraced(function*<E>(
      day: string,
      filters: ReadonlyArray<Filter>,
      use: (rows: Rows) => Effect.Effect<void, E>
    ) {
      for (let startRow = 0; startRow < dayRows; startRow += pageRows) {
        const page = { start: day, end: day, dimensions: asked, filters, startRow }
        const count = yield* query(calls, property, page, (rows) => Effect.as(use(rows), rows.length))
        if (count < pageRows) return false
      }
      return true
    })

    /** By country, then device. The largest countries are read alone, until the rest fits into one part. */
    const readParts = Effect.fnUntraced(function*(day: string, sums: SummedRows) {
      const countries = yield* query(
        calls,
        property,
        { start: day, end: day, dimensions: ["country"], filters: [], startRow: 0 },
        (rows) => Effect.succeed(rows.map(([country]) => String(country)))
      )
      let isCapped = false

      const readPart = Effect.fnUntraced(function*(...filters: ReadonlyArray<Filter>) {
        const part = sums.part()
        const isCut = yield* read(day, filters, (rows) => Effect.sync(() => part.add(rows)))
        return { part, isCut }
      })

      const addCountry = Effect.fnUntraced(function*(country: string) {
        const filter: Filter = { dimension: "country", operator: "equals", expression: country }
        const { isCut, part } = yield* readPart(filter)
        if (!isCut) return sums.addPart(part)
        for (const device of devices) {
          const { isCut, part } = yield* readPart(filter, {
            dimension: "device",
            operator: "equals",
            expression: device
          })
          sums.addPart(part)
          isCapped ||= isCut
        }
      })

      for (let from = 0, count = 4; from < countries.length; from += count, count *= 2) {
        yield* Effect.forEach(countries.slice(from, from + count), addCountry, { discard: true })
        if (from + count >= countries.length) break
        const { isCut, part } = yield* readPart(
          ...countries.slice(0, from + count).map((expression): Filter => ({
            dimension: "country",
            operator: "notEquals",
            expression
          }))
        )
        if (isCut) continue
        sums.addPart(part)
        break
      }
      return isCapped
    })

    return {
      zone: pacificTime,
      today: now,
      days: (since) => daysUpTo(now, since < firstKept ? firstKept : since),
      fetch: Effect.fnUntraced(function*(day, write) {
        const total = yield* totals(day)
        if (total === undefined) return { coverage: 1, capped: false }
        const sums = new SummedRows(width)
        let clicks = 0
        const add = (rows: Rows) => {
          clicks += sumOf(rows, width)
          return write(isAll ? rows : rows.map((row) => places.map((place) => row[place] ?? null)))
        }
        const isCut = yield* read(day, [], (rows) => {
          if (rows.length === pageRows) sums.leaveOut(rows)
          return add(rows)
        })
        const inParts = Effect.gen(function*() {
          const isCapped = yield* readParts(day, sums)
          for (const rows of sums.parts(partRows)) yield* add(rows)
          return isCapped
        })
        const capped = isCut && (yield* oneInParts.withPermit(inParts))
        return { coverage: shareOf(clicks, total), capped }
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

/** Gives `use` rows of dimensions and all metrics. */
const query = <A, E>(
  calls: ProviderCalls,
  property: string,
  { dimensions, end, filters, start, startRow }: Query,
  use: (rows: Rows) => Effect.Effect<A, E>
) =>
  readTable(
    calls,
    searchanalyticsQuery,
    {
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
    },
    [...dimensions, ...metrics],
    ({ rows }) => use(rows)
  )
