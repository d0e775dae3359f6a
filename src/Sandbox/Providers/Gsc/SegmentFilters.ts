import { Effect, Option } from "effect"
import { re2 } from "../../Data/Re2.ts"
import { GoogleError } from "../Google/GoogleError.ts"
import type { Filter, FilterDimension } from "./SearchAnalyticsRequest.ts"
import { appearancesOf, type Segment } from "./Segments.ts"

export type SegmentFilter = (segment: Segment) => boolean

/** All filters hold. A filter by query drops what is kept private, whatever it asks for. */
export const compileFilters = (filters: ReadonlyArray<Filter>): Effect.Effect<SegmentFilter, GoogleError> =>
  Effect.map(Effect.forEach(filters, compile), (all) => (segment) => all.every((keeps) => keeps(segment)))

const compile = (
  { dimension = "query", expression = "", operator = "equals" }: Filter
): Effect.Effect<SegmentFilter, GoogleError> => {
  const valuesOf = values[dimension]
  const where = (matches: (value: string) => boolean): SegmentFilter => (segment) => {
    const found = valuesOf(segment)
    return found !== undefined && found.some(matches)
  }
  const not = (keeps: SegmentFilter): SegmentFilter => (segment) => valuesOf(segment) !== undefined && !keeps(segment)
  const equals = where(dimension === "query" || dimension === "page" ? exactly(expression) : ignoringCase(expression))
  const contains = where(containing(expression))
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
      return Option.match(re2(expression), {
        onNone: () =>
          Effect.fail(
            new GoogleError({
              code: 400,
              message: `Invalid regular expression: '${expression}'.`,
              reason: "invalidParameter"
            })
          ),
        onSome: (pattern) => {
          const matching = where((value) => pattern.test(value))
          return Effect.succeed(operator === "includingRegex" ? matching : not(matching))
        }
      })
  }
}

/** `undefined` where the value is kept private: no filter passes it. */
const values: Readonly<Record<FilterDimension, (segment: Segment) => ReadonlyArray<string> | undefined>> = {
  query: ({ query }) => query === undefined ? undefined : [query],
  page: ({ page }) => [page.url],
  country: ({ country }) => [country],
  device: ({ device }) => [device],
  searchAppearance: ({ page }) => appearancesOf(page)
}

const exactly = (expression: string) => (value: string) => value === expression
const ignoringCase = (expression: string) => (value: string) => value.toLowerCase() === expression.toLowerCase()
const containing = (expression: string) => {
  const wanted = expression.toLowerCase()
  return (value: string) => value.toLowerCase().includes(wanted)
}
