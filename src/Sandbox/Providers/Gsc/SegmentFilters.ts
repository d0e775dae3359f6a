import { Effect, Predicate } from "effect"
import { re2Test } from "../../Data/Re2.ts"
import { GoogleError } from "../Google/GoogleError.ts"
import type { Filter } from "./SearchAnalyticsRequest.ts"
import { appearancesOf, type Place } from "./Segments.ts"

export type SegmentFilter = (segment: Place) => boolean

export const compileFilters = (filters: ReadonlyArray<Filter>): Effect.Effect<SegmentFilter, GoogleError> =>
  Effect.map(Effect.forEach(filters, compile), Predicate.every)

const compile = (
  { dimension, expression, operator = "equals" }: Filter
): Effect.Effect<SegmentFilter, GoogleError> => {
  const ofDimension = valuesOf[dimension]
  const some = (matches: (value: string) => boolean): SegmentFilter => (segment) => {
    const found = ofDimension(segment)
    return found !== undefined && found.some(matches)
  }
  const not = (matches: SegmentFilter): SegmentFilter => (segment) =>
    ofDimension(segment) !== undefined && !matches(segment)
  const equals = some(
    dimension === "query" || dimension === "page" ? isExactly(expression) : isIgnoringCase(expression)
  )
  const contains = some(isContaining(expression))
  switch (operator) {
    case "equals":
      return Effect.succeed(equals)
    case "notEquals":
      return Effect.succeed(not(equals))
    case "contains":
      return Effect.succeed(contains)
    case "notContains":
      return Effect.succeed(not(contains))
    case "includingRegex":
    case "excludingRegex":
      return Effect.fromOption(re2Test(expression)).pipe(
        Effect.map((test) => operator === "includingRegex" ? some(test) : not(some(test))),
        Effect.mapError(() =>
          new GoogleError({
            code: 400,
            message: `Invalid regular expression: '${expression}'.`,
            reason: "invalidParameter"
          })
        )
      )
  }
}

export const valuesOf: Readonly<Record<Filter["dimension"], (segment: Place) => ReadonlyArray<string> | undefined>> = {
  query: ({ query }) => query === undefined ? undefined : [query],
  page: ({ page }) => [page.url],
  country: ({ country }) => [country],
  device: ({ device }) => [device],
  searchAppearance: ({ page }) => appearancesOf(page)
}

const isExactly = (expression: string) => (value: string) => value === expression
const isIgnoringCase = (expression: string) => (value: string) => value.toLowerCase() === expression.toLowerCase()
const isContaining = (expression: string) => {
  const lowerCase = expression.toLowerCase()
  return (value: string) => value.toLowerCase().includes(lowerCase)
}
