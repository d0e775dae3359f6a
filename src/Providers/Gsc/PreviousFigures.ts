import { Effect } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { type Comparison, previousWindow } from "../Tooling/Comparison.ts"
import { keptNotes, queryTotals, type ReportScope, roundRow, rowsOfQueries } from "./SearchAnalytics.ts"

const noFigures = { clicks: 0, impressions: 0, position: 0 }

/** The figures of these queries in the window before. A query without rows has no clicks there. */
export const fetchPrevious = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  scope: ReportScope,
  comparison: Comparison,
  queries: ReadonlyArray<string>
) {
  const window = previousWindow(comparison, scope)
  const named = `${window.start} to ${window.end}`
  const fields = { previous_start: window.start, previous_end: window.end }
  const kept = keptNotes(window, scope.firstDay)
  if (window.end < scope.firstDay) return { fields, notes: kept, totals: undefined, ofQuery: () => undefined }
  const previous = { ...scope, ...window }
  const [rows, totals] = yield* Effect.all([
    rowsOfQueries(provider, previous, queries, ["query"]),
    queryTotals(provider, previous)
  ], { concurrency: 2 })
  const byQuery = new Map(rows.map((row) => [row.keys[0] ?? "", row]))
  return {
    fields,
    notes: totals.impressions === 0 ? [...kept, `The previous window, ${named}, has no rows.`] : kept,
    totals,
    ofQuery: (query: string) => roundRow(byQuery.get(query) ?? noFigures)
  }
})
