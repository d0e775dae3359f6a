import { Effect, type Schema } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { addDays, type DateWindow, lastDays, monthsBefore, pacificTime, today } from "../Tooling/DateWindow.ts"
import { ratio, roundCount, roundPosition } from "../Tooling/Rounding.ts"
import { searchanalyticsQuery } from "./Endpoints.ts"
import { exactTermPatterns, filterGroups, type ReportFilter, type ReportFilters } from "./Filters.ts"
import type { QueryBody } from "./QueryBody.ts"
import { type ReportRow, ReportRows } from "./Responses.ts"
import { reportWindow, type scopeFields } from "./Schemas.ts"
import { domainNote, resolveSite } from "./Sites.ts"

type ScopeInput = Schema.Struct<typeof scopeFields>["Type"]

export interface ReportScope extends DateWindow {
  readonly site: string
  readonly dataState: "final" | "all"
  readonly filters: ReportFilters
  /** The first day that the provider keeps. */
  readonly firstDay: string
  readonly notes: ReadonlyArray<string>
}

/** Final data is 2 to 3 days behind. */
const daysBehind = { final: 3, all: 1 } as const

/** Earlier days are no error and have no rows. */
const monthsKept = 16

export const resolveScope = Effect.fnUntraced(function*(provider: ProviderCalls, input: ScopeInput) {
  const dataState = input.fresh ? "all" : "final"
  const site = yield* resolveSite(provider, input.site)
  const day = yield* today(pacificTime)
  const last = addDays(day, -daysBehind[dataState])
  const firstDay = monthsBefore(day, monthsKept)
  const requested = reportWindow.resolve(input, (days) => lastDays(days, last))
  return {
    site,
    ...requested,
    dataState,
    filters: input,
    firstDay,
    notes: [
      ...(requested.end > last ? [`Days after ${last} have no ${dataState === "final" ? "final " : ""}data yet.`] : []),
      ...(dataState === "all" ? ["The last days are still being collected and will grow."] : []),
      ...(input.start === undefined ? [] : keptNotes(requested, firstDay)),
      ...domainNote(input.site, site)
    ]
  } satisfies ReportScope
})

export const keptNotes = ({ start }: DateWindow, first: string): ReadonlyArray<string> =>
  start < first ? [`The provider keeps ${monthsKept} months, so days before ${first} have no data.`] : []

/** The provider's limit per request. */
export const rowLimit = 25_000

type Selection = Pick<(typeof QueryBody)["Type"], "dimensions" | "rowLimit" | "startRow">

export const queryRows = (
  provider: ProviderCalls,
  scope: ReportScope,
  selection: Selection,
  extraFilters?: ReadonlyArray<ReportFilter>
) =>
  provider.call(searchanalyticsQuery, {
    path: { siteUrl: scope.site },
    body: {
      startDate: scope.start,
      endDate: scope.end,
      type: scope.filters.search_type,
      dataState: scope.dataState,
      dimensionFilterGroups: filterGroups(scope.filters, extraFilters),
      ...selection
    }
  }, ReportRows).pipe(Effect.map(({ rows }) => rows))

/** The rows of these queries alone, with as many requests as their regular expressions need. */
export const rowsOfQueries = (
  provider: ProviderCalls,
  scope: ReportScope,
  queries: ReadonlyArray<string>,
  dimensions: NonNullable<Selection["dimensions"]>
) =>
  Effect.forEach(
    exactTermPatterns(queries),
    (expression) =>
      queryRows(provider, scope, { dimensions, rowLimit }, [
        { dimension: "query", operator: "includingRegex", expression }
      ]),
    { concurrency: 2 }
  ).pipe(Effect.map((reports) => reports.flat()))

/** Asks for no dimensions, because rows leave out rare queries. */
export const queryTotals = (provider: ProviderCalls, scope: ReportScope) =>
  queryRows(provider, scope, { rowLimit: 1 }).pipe(
    Effect.map(([total]) => roundRow(total ?? { clicks: 0, impressions: 0, position: 0 }))
  )

export const roundRow = (
  { clicks, impressions, position }: Pick<ReportRow, "clicks" | "impressions" | "position">
) => ({
  clicks: roundCount(clicks),
  impressions: roundCount(impressions),
  ctr: ratio(clicks, impressions),
  position: impressions === 0 ? null : roundPosition(position)
})

export const reportNote = (
  { end, filters: { search_type }, notes, start }: ReportScope,
  { offset, returned }: { readonly offset: number; readonly returned: number },
  extraNotes: ReadonlyArray<string> = []
): { readonly note?: string } => {
  const from = offset === 0 ? "" : ` from offset ${offset}`
  const ofType = search_type === "web" ? "" : ` of the search type ${search_type}`
  const all = [
    ...(returned === 0
      ? [
        `No rows${from} for ${start} to ${end} (Pacific time)${ofType}. Final data is 2 to 3 days behind. Rare queries are hidden.`
      ]
      : []),
    ...notes,
    ...extraNotes
  ]
  return all.length === 0 ? {} : { note: [...new Set(all)].join(" ") }
}
