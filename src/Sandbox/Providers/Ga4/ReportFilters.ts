import { Effect, Predicate } from "effect"
import type { Filter as FilterMessage, FilterExpression, NumericValue } from "../../../Providers/Ga4/Generated.ts"
import { re2Test } from "../../Data/Re2.ts"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"

type Filter = typeof FilterMessage.Type
type Compiled<A> = Effect.Effect<Predicate.Predicate<A>, GoogleError>
type FindField<A> = (name: string) => Effect.Effect<(subject: A) => string, GoogleError>

export const compileFilter = <A>(expression: FilterExpression, findField: FindField<A>): Compiled<A> => {
  const { andGroup, filter, notExpression, orGroup } = expression
  const compileAll = (expressions: ReadonlyArray<FilterExpression> = []) =>
    Effect.forEach(expressions, (each) => compileFilter(each, findField))
  if (andGroup !== undefined) return Effect.map(compileAll(andGroup.expressions), Predicate.every)
  if (orGroup !== undefined) return Effect.map(compileAll(orGroup.expressions), Predicate.some)
  if (notExpression !== undefined) return Effect.map(compileFilter(notExpression, findField), Predicate.not)
  if (filter === undefined) return Effect.fail(invalidArgument("A FilterExpression must have a filter."))
  return Effect.zipWith(
    findField(filter.fieldName),
    compileFieldFilter(filter),
    (valueOf, matches) => (subject) => matches(valueOf(subject))
  )
}

const compileFieldFilter = (filter: Filter): Compiled<string> => {
  const { betweenFilter, inListFilter, numericFilter, stringFilter } = filter
  if (stringFilter !== undefined) return compileStringFilter(stringFilter)
  if (inListFilter !== undefined) {
    const fold = caseFold(inListFilter.caseSensitive)
    const accepted = new Set(inListFilter.values.map(fold))
    return Effect.succeed((value) => accepted.has(fold(value)))
  }
  if (numericFilter !== undefined) {
    const expected = numberOf(numericFilter.value)
    const compare = comparisons.get(numericFilter.operation ?? "")
    return compare === undefined
      ? Effect.fail(invalidArgument("A numeric_filter must have an operation."))
      : Effect.succeed((text) => compare(Number(text), expected))
  }
  if (betweenFilter !== undefined) {
    const from = numberOf(betweenFilter.fromValue)
    const to = numberOf(betweenFilter.toValue)
    return Effect.succeed((value) => Number(value) >= from && Number(value) <= to)
  }
  return Effect.succeed((value) => value === "" || value === "(not set)")
}

const caseFold = (caseSensitive = false) => (text: string) => caseSensitive ? text : text.toLowerCase()

const compileStringFilter = (
  { caseSensitive = false, matchType = "EXACT", value = "" }: NonNullable<Filter["stringFilter"]>
): Compiled<string> => {
  const fold = caseFold(caseSensitive)
  const expected = fold(value)
  if (matchType === "FULL_REGEXP" || matchType === "PARTIAL_REGEXP") {
    const pattern = matchType === "FULL_REGEXP" ? `^(?:${value})$` : value
    return Effect.mapError(
      Effect.fromOption(re2Test(pattern, caseSensitive ? "" : "i")),
      () => invalidArgument(`Invalid regular expression: ${value}`)
    )
  }
  const matches = textTests[matchType]
  return Effect.succeed((text) => matches(fold(text), expected))
}

const isSame = (text: string, expected: string) => text === expected

const textTests = {
  MATCH_TYPE_UNSPECIFIED: isSame,
  EXACT: isSame,
  BEGINS_WITH: (text: string, expected: string) => text.startsWith(expected),
  ENDS_WITH: (text: string, expected: string) => text.endsWith(expected),
  CONTAINS: (text: string, expected: string) => text.includes(expected)
}

const comparisons = new Map<string, (a: number, b: number) => boolean>(Object.entries({
  EQUAL: (a: number, b: number) => a === b,
  LESS_THAN: (a: number, b: number) => a < b,
  LESS_THAN_OR_EQUAL: (a: number, b: number) => a <= b,
  GREATER_THAN: (a: number, b: number) => a > b,
  GREATER_THAN_OR_EQUAL: (a: number, b: number) => a >= b
}))

const numberOf = (value: typeof NumericValue.Type | undefined): number =>
  Number(value?.int64Value ?? value?.doubleValue)
