import type { FilterExpression } from "./Generated.ts"

export interface PageFilters {
  readonly channel?: string
  readonly page_contains?: string
  readonly hostname?: string
}

export const filterConditions = (
  dimension: string,
  { channel, hostname, page_contains }: PageFilters
): ReadonlyArray<FilterExpression> => [
  ...condition("sessionDefaultChannelGroup", "EXACT", channel),
  ...condition(dimension, "CONTAINS", page_contains),
  ...condition("hostName", "EXACT", hostname)
]

const condition = (
  fieldName: string,
  matchType: "EXACT" | "CONTAINS",
  value: string | undefined
): ReadonlyArray<FilterExpression> =>
  value === undefined ? [] : [{ filter: { fieldName, stringFilter: { matchType, value } } }]

export const isNotSetFilter = (fieldName: string): FilterExpression => ({ filter: { fieldName, emptyFilter: {} } })

export const oneOfFilter = (fieldName: string, values: ReadonlyArray<string>): FilterExpression => ({
  filter: { fieldName, inListFilter: { values, caseSensitive: true } }
})

export const matchAll = (expressions: ReadonlyArray<FilterExpression>) =>
  expressions.length === 0 ? {} : { dimensionFilter: { andGroup: { expressions } } }
