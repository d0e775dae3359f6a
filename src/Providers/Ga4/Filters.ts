import { urlSpellings } from "../Tooling/UrlText.ts"
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
  ...page_contains === undefined ? [] : contains(dimension, page_contains),
  ...condition("hostName", "EXACT", hostname)
]

const condition = (
  fieldName: string,
  matchType: "EXACT" | "CONTAINS",
  value: string | undefined
): ReadonlyArray<FilterExpression> =>
  value === undefined ? [] : [{ filter: { fieldName, stringFilter: { matchType, value } } }]

const contains = (fieldName: string, text: string): ReadonlyArray<FilterExpression> => {
  const expressions = urlSpellings(text).flatMap((spelling) => condition(fieldName, "CONTAINS", spelling))
  return expressions.length > 1 ? [{ orGroup: { expressions } }] : expressions
}

export const isNotSetFilter = (fieldName: string): FilterExpression => ({ filter: { fieldName, emptyFilter: {} } })

export const oneOfFilter = (fieldName: string, values: ReadonlyArray<string>): FilterExpression => ({
  filter: { fieldName, inListFilter: { values, caseSensitive: true } }
})

export const matchAll = (expressions: ReadonlyArray<FilterExpression>) =>
  expressions.length === 0 ? {} : { dimensionFilter: { andGroup: { expressions } } }
