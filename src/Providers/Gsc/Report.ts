import { DateTime, Effect, Schema } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { addDays, lastDays, today } from "../Tooling/DateWindow.ts"
import { flag, integer } from "../Tooling/Fields.ts"
import * as Metrics from "../Tooling/Rounding.ts"
import { searchanalyticsQuery } from "./Endpoints.ts"
import { type Filter, filterFields, filterGroups, type Filters } from "./Filters.ts"
import type { QueryBody } from "./Schemas.ts"
import { resolveSite, siteField } from "./Sites.ts"

/** What both tools ask for. */
export const reportFields = {
  site: siteField,
  days: integer({
    description: "Length of the window in whole days, Pacific time.",
    minimum: 1,
    maximum: 486,
    default: 28
  }),
  ...filterFields,
  fresh: flag({
    description: "The window ends yesterday instead of 3 days ago; its last days are still being collected.",
    default: false
  })
}

type ReportInput = Filters & { readonly site: string; readonly days: number; readonly fresh: boolean }

/** The provider's days are calendar days in this zone. */
const zone = DateTime.zoneMakeNamedUnsafe("America/Los_Angeles")

/** Final data is 2 to 3 days behind, so that the third day before today is the last whole one. */
const lag = { final: 3, all: 1 } as const

export interface Report {
  readonly site: string
  readonly start: string
  readonly end: string
  readonly dataState: "final" | "all"
  readonly filters: Filters
}

/** Settles the property and the window. */
export const reportOf = Effect.fnUntraced(function*(provider: ProviderCalls, input: ReportInput) {
  const dataState = input.fresh ? "all" : "final"
  const site = yield* resolveSite(provider, input.site)
  const end = addDays(yield* today(zone), -lag[dataState])
  return { site, ...lastDays(input.days, end), dataState, filters: input } satisfies Report
})

const zero = Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))

/** The provider leaves out what is zero or empty. */
const Row = Schema.Struct({
  keys: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  clicks: zero,
  impressions: zero,
  position: zero
})
export type Row = typeof Row.Type

const Rows = Schema.Struct({ rows: Schema.Array(Row).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))) })

type Cut = Pick<(typeof QueryBody)["Type"], "dimensions" | "rowLimit" | "startRow">

/** One request: rows by clicks from the most, in the provider's own numbers. */
export const rowsOf = (provider: ProviderCalls, report: Report, cut: Cut, more?: ReadonlyArray<Filter>) =>
  provider.call(searchanalyticsQuery, {
    path: { siteUrl: report.site },
    body: {
      startDate: report.start,
      endDate: report.end,
      type: report.filters.search_type,
      dataState: report.dataState,
      dimensionFilterGroups: filterGroups(report.filters, more),
      ...cut
    }
  }, Rows).pipe(Effect.map(({ rows }) => rows))

/** The same without dimensions: the only totals that count what the provider hides by query. */
export const totalsOf = (provider: ProviderCalls, report: Report) =>
  rowsOf(provider, report, { rowLimit: 1 }).pipe(
    Effect.map(([total]) => metricsOf(total ?? { clicks: 0, impressions: 0, position: 0 }))
  )

/** As shown: whole counts, CTR as a fraction; `null` where there was no impression. */
export const metricsOf = ({ clicks, impressions, position }: Pick<Row, "clicks" | "impressions" | "position">) => ({
  clicks: Metrics.count(clicks),
  impressions: Metrics.count(impressions),
  ctr: Metrics.ratio(clicks, impressions),
  position: impressions === 0 ? null : Metrics.position(position)
})

/** What a caller should know about the answer, `more` included; of an empty one, for which window it is. */
export const noteOf = (
  { dataState, end, start }: Report,
  { offset, returned }: { readonly offset: number; readonly returned: number },
  more: ReadonlyArray<string> = []
): { readonly note?: string } => {
  const from = offset === 0 ? "" : ` from offset ${offset}`
  const notes = [
    ...(returned === 0
      ? [
        `No rows${from} for ${start} to ${end} (Pacific time). Final data is 2 to 3 days behind; rare queries are hidden.`
      ]
      : []),
    ...(dataState === "all" ? ["The last days are still being collected and will grow."] : []),
    ...more
  ]
  return notes.length === 0 ? {} : { note: notes.join(" ") }
}
