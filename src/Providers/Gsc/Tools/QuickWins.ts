import { Effect, Schema } from "effect"
import { append } from "../../../Domain/Lists.ts"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { flag, integer, offsetField, withDefault } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields, slicePage } from "../../Tooling/Paging.ts"
import { roundRate } from "../../Tooling/Rounding.ts"
import { explainFilters } from "../EmptyResult.ts"
import { Ctr, figureFields, windowFields } from "../Outputs.ts"
import * as QuickWinRules from "../QuickWinRules.ts"
import type { ReportRow } from "../Responses.ts"
import { maxOffset, reportWindow, scopeFields } from "../Schemas.ts"
import {
  queryRows,
  reportNote,
  type ReportScope,
  resolveScope,
  roundRow,
  rowLimit,
  rowsOfQueries
} from "../SearchAnalytics.ts"
import { namedProperty } from "../Sites.ts"
import { truncationText, unitText, windowText } from "../ToolTexts.ts"

const positionField = (description: string, value: number) =>
  withDefault(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({ description }), value)

export const gscQuickWins = tool({
  name: "gsc_quick_wins",
  ...described([
    "Queries ranking just off page one (default positions 8 to 20) with meaningful impressions, sorted by impressions.",
    "The window of `days` ends 3 days ago (Pacific time), when data is final; with `fresh` it ends yesterday.",
    "`ctr` is a fraction, `position` an average.",
    "`potential_clicks` is how many more clicks the query would have with this site's CTR on page one.",
    "`next_offset` is where further rows start.",
    "`row_cap_hit` says that not every query was scanned.",
    "Without a match `hint` shows which `min_impressions` would match."
  ], [
    windowText,
    unitText,
    "Scans every query that the provider returns, at most 50000.",
    "`potential_clicks` and `site_ctr_top10`, the CTR on page one, are `null` without enough data.",
    truncationText,
    "Without a match `rows` is empty and `note` names the window.",
    "For the queries with the most clicks use gsc_top_queries."
  ]),
  writes: false,
  input: Schema.Struct({
    ...scopeFields,
    min_position: positionField("Best average position to include. 1 is the top.", 8),
    max_position: positionField("Worst average position to include. Not less than `min_position`.", 20),
    min_impressions: integer({
      description: "Leave out queries with fewer impressions.",
      minimum: 1,
      maximum: 1_000_000,
      default: 50
    }),
    include_page: flag({
      description: "Add to each query your page with the most impressions. This takes further requests.",
      default: true
    }),
    limit: integer({ description: "Maximum number of rows to return.", minimum: 1, maximum: 200, default: 25 }),
    offset: offsetField(maxOffset)
  }).check(
    reportWindow.rules,
    Schema.makeFilter(({ max_position, min_position }) =>
      min_position <= max_position ||
      { path: ["max_position"], issue: "Expected a position that is not less than min_position" }
    )
  ).pipe(Schema.decode(reportWindow.withDefault())),
  resources: { names: ({ site }) => namedProperty(site) },
  rows: () => objectsIn("rows"),
  output: Schema.Struct({
    ...windowFields,
    min_position: Schema.Finite,
    max_position: Schema.Finite,
    min_impressions: Integer,
    scanned_queries: Integer,
    matched: Integer,
    ...pageInfoFields,
    row_cap_hit: Schema.Boolean,
    site_ctr_top10: Ctr,
    rows: Schema.Array(Schema.Struct({
      query: Schema.String,
      page: Schema.optionalKey(Schema.String),
      ...figureFields,
      potential_clicks: Schema.NullOr(Integer)
    })),
    hint: Schema.optionalKey(Schema.Struct({
      best_impressions_in_band: Integer,
      queries_in_band: Integer
    })),
    note: Schema.optionalKey(Schema.String)
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const scope = yield* resolveScope(provider, input)
    const { queries, rowCapHit } = yield* scanQueries(provider, scope)
    const wins = QuickWinRules.selectWins(queries, input)
    const page = slicePage(wins, input, maxOffset)
    const pages = input.include_page ? yield* fetchRankingPages(provider, scope, page.rows) : new Map<string, string>()
    const explanation = queries.length === 0 ? yield* explainFilters(provider, scope) : []
    const pageOneCtr = QuickWinRules.pageOneCtr(queries)
    return {
      site: scope.site,
      start: scope.start,
      end: scope.end,
      min_position: input.min_position,
      max_position: input.max_position,
      min_impressions: input.min_impressions,
      scanned_queries: queries.length,
      matched: wins.length,
      ...page.info,
      row_cap_hit: rowCapHit,
      site_ctr_top10: pageOneCtr === null ? null : roundRate(pageOneCtr),
      rows: page.rows.map((row) => {
        const rankingPage = pages.get(row.query)
        const { clicks, ctr, impressions, position } = roundRow(row)
        return {
          query: row.query,
          ...(rankingPage === undefined ? {} : { page: rankingPage }),
          position,
          impressions,
          clicks,
          ctr,
          potential_clicks: QuickWinRules.potentialClicks(row, pageOneCtr)
        }
      }),
      ...(wins.length === 0 ? { hint: QuickWinRules.bandHint(queries, input) } : {}),
      ...reportNote(scope, { offset: input.offset, returned: page.rows.length }, explanation)
    }
  })
})

/** The provider's limit per day and type. */
const rowCap = 50_000

const scanQueries = Effect.fnUntraced(function*(provider: ProviderCalls, scope: ReportScope) {
  const rows: Array<ReportRow> = []
  for (let startRow = 0; startRow < rowCap; startRow += rowLimit) {
    const page = yield* queryRows(provider, scope, { dimensions: ["query"], rowLimit, startRow })
    append(rows, page)
    if (page.length < rowLimit) break
  }
  return {
    queries: QuickWinRules.distinctQueries(rows.map((row) => ({ query: row.keys[0] ?? "", ...row }))),
    rowCapHit: rows.length >= rowCap
  }
})

const fetchRankingPages = (
  provider: ProviderCalls,
  scope: ReportScope,
  wins: ReadonlyArray<QuickWinRules.QueryTotals>
) =>
  Effect.map(
    rowsOfQueries(provider, scope, wins.map(({ query }) => query), ["query", "page"]),
    (rows) =>
      QuickWinRules.rankingPages(rows.map((row) => ({ query: row.keys[0] ?? "", page: row.keys[1] ?? "", ...row })))
  )
