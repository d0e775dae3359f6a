import { Effect } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { equalsText, filterNotes, includesText, type TriedFilter } from "../Tooling/FilterNotes.ts"
import { includesUrlText } from "../Tooling/UrlText.ts"
import type { ReportFilter, ReportFilters } from "./Filters.ts"
import { queryRows, type ReportScope } from "./SearchAnalytics.ts"

const maxRows = 5000

/** Explains with one request why no row matches the filters. Returns no notes when the request fails. */
export const explainFilters = (provider: ProviderCalls, scope: ReportScope): Effect.Effect<ReadonlyArray<string>> => {
  const filters = givenFilters(scope.filters)
  if (filters.length === 0) return Effect.succeed([])
  const dimensions = [...new Set(filters.map(({ dimension }) => dimension))]
  return queryRows(provider, { ...scope, filters: withoutFilters(scope.filters) }, { dimensions, rowLimit: maxRows })
    .pipe(
      Effect.map((rows) => {
        const isComplete = filters.length === 1 || rows.length < maxRows
        return filterNotes(filters.map(({ dimension, ...filter }): TriedFilter => {
          const index = dimensions.indexOf(dimension)
          return { ...filter, isComplete, values: [...new Set(rows.map(({ keys }) => keys[index] ?? ""))] }
        }))
      }),
      Effect.orElseSucceed(() => [])
    )
}

const withoutFilters = ({ search_type }: ReportFilters): ReportFilters => ({ exclude_terms: [], search_type })

type GivenFilter = Omit<TriedFilter, "isComplete" | "values"> & { readonly dimension: ReportFilter["dimension"] }

const givenFilters = ({ country, device, exclude_terms, page_contains, query_contains }: ReportFilters) => [
  ...givenFilter(query_contains, (value): GivenFilter => ({
    dimension: "query",
    claim: "query contains",
    value,
    matches: (query) => includesText(query, value)
  })),
  ...givenFilter(page_contains, (value): GivenFilter => ({
    dimension: "page",
    claim: "page contains",
    value,
    matches: includesUrlText(value)
  })),
  ...givenFilter(country, (value): GivenFilter => ({
    dimension: "country",
    claim: "row has country",
    value,
    matches: (code) => equalsText(code, value),
    isCode: true
  })),
  ...givenFilter(device, (value): GivenFilter => ({
    dimension: "device",
    claim: "row has device",
    value,
    matches: (name) => equalsText(name, value),
    isCode: true
  })),
  ...givenFilter(exclude_terms.length === 0 ? undefined : exclude_terms.join(", "), (value): GivenFilter => ({
    dimension: "query",
    claim: "query is without each of",
    value,
    matches: (query) => !exclude_terms.some((term) => includesText(query, term))
  }))
]

const givenFilter = (value: string | undefined, filter: (value: string) => GivenFilter): ReadonlyArray<GivenFilter> =>
  value === undefined ? [] : [filter(value)]
