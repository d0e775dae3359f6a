import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { compareField, compareFigures, comparisonFields, previousWindowFields } from "../../Tooling/Comparison.ts"
import { daysIn } from "../../Tooling/DateWindow.ts"
import { integer, offsetField } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields, probeLimit, takePage } from "../../Tooling/Paging.ts"
import { explainFilters } from "../EmptyResult.ts"
import { filtersQueries } from "../Filters.ts"
import { figureFields, windowFields } from "../Outputs.ts"
import { fetchPrevious } from "../PreviousFigures.ts"
import { maxOffset, reportWindow, scopeFields } from "../Schemas.ts"
import { queryRows, queryTotals, reportNote, type ReportScope, resolveScope, roundRow } from "../SearchAnalytics.ts"
import { namedProperty } from "../Sites.ts"
import { truncationText, unitText, windowText } from "../ToolTexts.ts"

export const gscTopQueries = tool({
  name: "gsc_top_queries",
  ...described([
    "Top search queries by clicks for a property over the last N days.",
    "The window of `days` ends 3 days ago (Pacific time), when data is final; with `fresh` it ends yesterday.",
    "`ctr` is a fraction, `position` an average.",
    "`next_offset` is where further rows start.",
    "`totals` include rare queries, which the provider hides from the rows.",
    "For queries just off page one use gsc_quick_wins, for pages or days the endpoint searchanalytics.query."
  ], [
    windowText,
    unitText,
    "Sorted by clicks, most first.",
    truncationText,
    "With `compare`, `previous` has the figures of the window before (zeros without rows) and `change` the difference.",
    "Without data `rows` is empty and `note` names the window and the nearest values of a filter.",
    "For other groupings use the endpoint searchanalytics.query."
  ]),
  writes: false,
  input: Schema.Struct({
    ...scopeFields,
    ...compareField,
    limit: integer({ description: "Maximum number of rows to return.", minimum: 1, maximum: 1000, default: 25 }),
    offset: offsetField(maxOffset)
  }).check(reportWindow.rules).pipe(Schema.decode(reportWindow.withDefault())),
  resources: { names: ({ site }) => namedProperty(site) },
  rows: () => objectsIn("rows"),
  output: Schema.Struct({
    ...windowFields,
    days: Integer,
    ...previousWindowFields,
    data_state: Schema.Literals(["final", "all"]),
    totals: Schema.Struct({ ...figureFields, ...comparisonFields(figureFields) }),
    rows: Schema.Array(Schema.Struct({ query: Schema.String, ...figureFields, ...comparisonFields(figureFields) })),
    ...pageInfoFields,
    note: Schema.optionalKey(Schema.String)
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const scope = yield* resolveScope(provider, input)
    const selection = { dimensions: ["query"], rowLimit: probeLimit(input), startRow: input.offset } as const
    const [rows, totals] = yield* Effect.all([queryRows(provider, scope, selection), queryTotals(provider, scope)], {
      concurrency: 2
    })
    const page = takePage(rows, input, maxOffset)
    const queries = page.rows.map(({ keys }) => keys[0] ?? "")
    const previous = input.compare === undefined
      ? undefined
      : yield* fetchPrevious(provider, scope, input.compare, queries)
    return {
      site: scope.site,
      start: scope.start,
      end: scope.end,
      days: daysIn(scope),
      data_state: scope.dataState,
      ...previous?.fields,
      totals: { ...totals, ...previous && compareFigures(totals, previous.totals) },
      rows: page.rows.map((row, index) => {
        const query = queries[index] ?? ""
        const figures = roundRow(row)
        return { query, ...figures, ...previous && compareFigures(figures, previous.ofQuery(query)) }
      }),
      ...page.info,
      ...reportNote(
        scope,
        { offset: input.offset, returned: page.rows.length },
        [
          ...(filtersQueries(input) ? ["With a filter on queries, hidden queries are missing from totals too."] : []),
          ...(previous?.notes ?? []),
          ...(page.rows.length > 0 || input.offset > 0 ? [] : yield* explainEmpty(provider, scope, totals.impressions))
        ]
      )
    }
  })
})

const explainEmpty = (provider: ProviderCalls, scope: ReportScope, impressions: number) =>
  impressions > 0
    ? Effect.succeed([`All ${impressions} impressions are of rare queries, which the provider hides.`])
    : explainFilters(provider, scope)
