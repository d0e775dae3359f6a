import { Effect, Schema } from "effect"
import { type ProviderCalls, type SmartTool, tool } from "../Provider.ts"
import { flag, integer, withDefault } from "../Tooling/Fields.ts"
import { pageOf, pageOfAll, probeLimit } from "../Tooling/Paging.ts"
import * as Metrics from "../Tooling/Rounding.ts"
import { exactTerms, narrowsQueries } from "./Filters.ts"
import * as QuickWins from "./QuickWins.ts"
import { metricsOf, noteOf, type Report, reportFields, reportOf, type Row, rowsOf, totalsOf } from "./Report.ts"

const maxOffset = 49_000
const offset = integer({
  description: "Rows to skip: the `next_offset` of the answer before.",
  minimum: 0,
  maximum: maxOffset,
  default: 0
})

const windowFacts = "The window is `days` whole days in Pacific time that end 3 days ago, for final data is 2 to 3 " +
  "days behind (with `fresh`: that end yesterday, the last days incomplete)."
const unitFacts = "`ctr` is a fraction (0.05 is 5 %), `position` an average, 1 the highest."
const truncationFacts = "At most `limit` rows; `has_more` and `next_offset` say whether and where there are more."

export const gscTopQueries = tool({
  name: "gsc_top_queries",
  description: [
    "Top search queries by clicks for a property over the last N days.",
    windowFacts,
    unitFacts,
    "Sorted by clicks, most first.",
    truncationFacts,
    "`totals` count rare queries too, which the provider hides from the rows.",
    "Without data `rows` is empty and `note` says for which window.",
    "For queries just off page one use gsc_quick_wins; for pages, days or other groupings the endpoint",
    "searchanalytics.query."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    ...reportFields,
    limit: integer({ description: "The most rows to return.", minimum: 1, maximum: 1000, default: 25 }),
    offset
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const report = yield* reportOf(provider, input)
    const cut = { dimensions: ["query"], rowLimit: probeLimit(input), startRow: input.offset } as const
    const [rows, totals] = yield* Effect.all([rowsOf(provider, report, cut), totalsOf(provider, report)], {
      concurrency: 2
    })
    const page = pageOf(rows, input, maxOffset)
    return {
      site: report.site,
      start: report.start,
      end: report.end,
      days: input.days,
      data_state: report.dataState,
      totals,
      rows: page.rows.map((row) => ({ query: row.keys[0] ?? "", ...metricsOf(row) })),
      ...page.paging,
      ...noteOf(
        report,
        { offset: input.offset, returned: page.rows.length },
        narrowsQueries(input) ? ["With a condition on queries, hidden queries are missing from totals, too."] : []
      )
    }
  })
})

const positionField = (description: string, value: number) =>
  withDefault(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({ description }), value)

export const gscQuickWins = tool({
  name: "gsc_quick_wins",
  description: [
    "Queries ranking just off page one (default positions 8 to 20) with meaningful impressions, sorted by impressions,",
    "most first.",
    windowFacts,
    unitFacts,
    "All queries that the provider gives are scanned (`row_cap_hit`: there were more than 50000).",
    "`potential_clicks` is what the query would have gained with the CTR that this site has on page one",
    "(`site_ctr_top10`; both `null` where too little is known).",
    truncationFacts,
    "Without a match `rows` is empty, `note` says for which window and `hint` which `min_impressions` would match.",
    "For the queries with the most clicks use gsc_top_queries."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    ...reportFields,
    min_position: positionField("The highest average position that counts, 1 is the top.", 8),
    max_position: positionField("The lowest average position that counts; not less than `min_position`.", 20),
    min_impressions: integer({
      description: "The fewest impressions that a query must have had.",
      minimum: 1,
      maximum: 1_000_000,
      default: 50
    }),
    include_page: flag({
      description: "Add to each query the page of yours that was shown the most; takes further requests.",
      default: true
    }),
    limit: integer({ description: "The most rows to return.", minimum: 1, maximum: 200, default: 25 }),
    offset
  }).check(
    Schema.makeFilter(({ max_position, min_position }) =>
      min_position <= max_position ||
      { path: ["max_position"], issue: "Expected a position that is not less than min_position" }
    )
  ),
  run: Effect.fnUntraced(function*(input, provider) {
    const report = yield* reportOf(provider, input)
    const { queries, rowCapHit } = yield* scan(provider, report)
    const wins = QuickWins.winsOf(queries, input)
    const page = pageOfAll(wins, input, maxOffset)
    const pages = input.include_page ? yield* pagesOf(provider, report, page.rows) : new Map<string, string>()
    const ctr = QuickWins.pageOneCtr(queries)
    return {
      site: report.site,
      start: report.start,
      end: report.end,
      min_position: input.min_position,
      max_position: input.max_position,
      min_impressions: input.min_impressions,
      scanned_queries: queries.length,
      matched: wins.length,
      ...page.paging,
      row_cap_hit: rowCapHit,
      site_ctr_top10: ctr === null ? null : Metrics.rate(ctr),
      rows: page.rows.map((row) => {
        const rankingPage = pages.get(row.query)
        const { clicks, ctr: own, impressions, position } = metricsOf(row)
        return {
          query: row.query,
          ...(rankingPage === undefined ? {} : { page: rankingPage }),
          position,
          impressions,
          clicks,
          ctr: own,
          potential_clicks: QuickWins.potentialClicks(row, ctr)
        }
      }),
      ...(wins.length === 0 ? { hint: QuickWins.hintOf(queries, input) } : {}),
      ...noteOf(report, { offset: input.offset, returned: page.rows.length })
    }
  })
})

/** The most rows of one request, and the most that the provider has of a day and type. */
const rowLimit = 25_000
const rowCap = 50_000

/** Every query of the report: few clicks put a win at the end of the list, so the first page is not enough. */
const scan = Effect.fnUntraced(function*(provider: ProviderCalls, report: Report) {
  const rows: Array<Row> = []
  for (let startRow = 0; startRow < rowCap; startRow += rowLimit) {
    const page = yield* rowsOf(provider, report, { dimensions: ["query"], rowLimit, startRow })
    rows.push(...page)
    if (page.length < rowLimit) break
  }
  return {
    queries: QuickWins.distinctQueries(rows.map((row) => ({ query: row.keys[0] ?? "", ...row }))),
    rowCapHit: rows.length >= rowCap
  }
})

/** The page that each of `wins` was shown with the most; numbers by query and page do not add up to those by query. */
const pagesOf = Effect.fnUntraced(
  function*(provider: ProviderCalls, report: Report, wins: ReadonlyArray<QuickWins.QueryTotals>) {
    const reports = yield* Effect.forEach(
      exactTerms(wins.map(({ query }) => query)),
      (expression) =>
        rowsOf(provider, report, { dimensions: ["query", "page"], rowLimit }, [
          { dimension: "query", operator: "includingRegex", expression }
        ]),
      { concurrency: 2 }
    )
    return QuickWins.rankingPages(
      reports.flat().map((row) => ({ query: row.keys[0] ?? "", page: row.keys[1] ?? "", ...row }))
    )
  }
)

export const gscTools: ReadonlyArray<SmartTool> = [gscTopQueries, gscQuickWins]
