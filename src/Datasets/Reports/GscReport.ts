import { Effect, Semaphore } from "effect"
import { type CellsByColumn, countRows } from "../../Domain/Table/Table.ts"
import { searchanalyticsQuery } from "../../Providers/Gsc/Endpoints.ts"
import type { ProviderCalls } from "../../Providers/Provider.ts"
import { monthsBefore, pacificTime, today } from "../../Providers/Tooling/DateWindow.ts"
import { readTable } from "./ReadTable.ts"
import { daysUpTo, type Report, shareOf, sumOf, totalsByMonth } from "./Report.ts"
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

    const totals = yield* totalsByMonth(
      ({ end, start }) =>
        query(
          calls,
          property,
          { start, end, dimensions: ["date"], filters: [], startRow: 0 },
          ([days = [], clicks = []]) =>
            Effect.succeed(new Map(days.map((day, index) => [String(day), Number(clicks[index])])))
        ),
      now
    )

    /** Whether there are more rows than the provider gives. */
    const read = Effect.fnUntraced(function*<E>(
      day: string,
      filters: ReadonlyArray<Filter>,
      use: (cells: CellsByColumn) => Effect.Effect<unknown, E>
    ) {
      for (let startRow = 0; startRow < dayRows; startRow += pageRows) {
        const page = { start: day, end: day, dimensions: asked, filters, startRow }
        const count = yield* query(calls, property, page, (cells) => Effect.as(use(cells), countRows(cells)))
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
        ([countries = []]) => Effect.succeed(countries.map(String))
      )
      const add = (pages: ReadonlyArray<CellsByColumn>) => pages.forEach((cells) => sums.add(cells))
      let isCapped = false

      const readPart = Effect.fnUntraced(function*(...filters: ReadonlyArray<Filter>) {
        const pages: Array<CellsByColumn> = []
        const isCut = yield* read(day, filters, (cells) => Effect.sync(() => pages.push(cells)))
        return { pages, isCut }
      })

      const addCountry = Effect.fnUntraced(function*(country: string) {
        const filter: Filter = { dimension: "country", operator: "equals", expression: country }
        const { isCut, pages } = yield* readPart(filter)
        if (!isCut) return add(pages)
        for (const device of devices) {
          const { isCut, pages } = yield* readPart(filter, {
            dimension: "device",
            operator: "equals",
            expression: device
          })
          add(pages)
          isCapped ||= isCut
        }
      })

      for (let from = 0, count = 4; from < countries.length; from += count, count *= 2) {
        yield* Effect.forEach(countries.slice(from, from + count), addCountry, { discard: true })
        if (from + count >= countries.length) break
        const { isCut, pages } = yield* readPart(
          ...countries.slice(0, from + count).map((expression): Filter => ({
            dimension: "country",
            operator: "notEquals",
            expression
          }))
        )
        if (isCut) continue
        add(pages)
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
        const add = (cells: CellsByColumn) => {
          clicks += sumOf(cells[width])
          return write(places.map((place) => cells[place] ?? []))
        }
        const isCut = yield* read(day, [], (cells) => {
          if (countRows(cells) === pageRows) sums.leaveOut(cells)
          return add(cells)
        })
        const inParts = Effect.gen(function*() {
          const isCapped = yield* readParts(day, sums)
          for (const cells of sums.parts(partRows)) yield* add(cells)
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
  use: (cells: CellsByColumn) => Effect.Effect<A, E>
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
    ({ cells }) => use(cells)
  )
