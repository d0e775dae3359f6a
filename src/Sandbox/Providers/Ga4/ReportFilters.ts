import { Effect, Option, type Predicate } from "effect"
import { re2Test } from "../../Data/Re2.ts"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import type { Filter, FilterExpression } from "./ReportRequest.ts"

type FindField<A> = (name: string) => Effect.Effect<(subject: A) => string, GoogleError>

export const compileFilter = <A>(
  expression: FilterExpression,
  findField: FindField<A>
): Effect.Effect<Predicate.Predicate<A>, GoogleError> => {
  const { andGroup, filter, notExpression, orGroup } = expression
  if ([andGroup, filter, notExpression, orGroup].filter((part) => part !== undefined).length !== 1) {
    return Effect.fail(
      invalidArgument("A FilterExpression must have exactly one of and_group, or_group, not_expression and filter.")
    )
  }
  const compileAll = (expressions: ReadonlyArray<FilterExpression> = []) =>
    Effect.forEach(expressions, (each) => compileFilter(each, findField))
  if (andGroup !== undefined) {
    return Effect.map(
      compileAll(andGroup.expressions),
      (predicates) => (subject) => predicates.every((matches) => matches(subject))
    )
  }
  if (orGroup !== undefined) {
    return Effect.map(
      compileAll(orGroup.expressions),
      (predicates) => (subject) => predicates.some((matches) => matches(subject))
    )
  }
  if (notExpression !== undefined) {
    return Effect.map(compileFilter(notExpression, findField), (matches) => (subject) => !matches(subject))
  }
  const { fieldName = "" } = filter ?? {}
  return Effect.zipWith(
    findField(fieldName),
    compileFieldFilter(filter ?? {}),
    (valueOf, matches) => (subject) => matches(valueOf(subject))
  )
}

const compileFieldFilter = (filter: Filter): Effect.Effect<Predicate.Predicate<string>, GoogleError> => {
  const { betweenFilter, emptyFilter, inListFilter, numericFilter, stringFilter } = filter
  if (stringFilter !== undefined) return compileStringFilter(stringFilter)
  if (inListFilter !== undefined) {
    const { caseSensitive = false, values = [] } = inListFilter
    if (values.length === 0) return Effect.fail(invalidArgument("An in_list_filter must have values."))
    const fold = caseFold(caseSensitive)
    const accepted = new Set(values.map(fold))
    return Effect.succeed((value) => accepted.has(fold(value)))
  }
  if (numericFilter !== undefined) return compileNumericFilter(numericFilter)
  if (betweenFilter !== undefined) {
    const from = numberOf(betweenFilter.fromValue)
    const to = numberOf(betweenFilter.toValue)
    return Effect.succeed((value) => Number(value) >= from && Number(value) <= to)
  }
  return emptyFilter === undefined
    ? Effect.fail(invalidArgument(`The filter on '${filter.fieldName}' has no condition.`))
    : Effect.succeed((value) => value === "" || value === "(not set)")
}

const caseFold = (caseSensitive: boolean) => (text: string) => caseSensitive ? text : text.toLowerCase()

const compileStringFilter = (
  filter: NonNullable<Filter["stringFilter"]>
): Effect.Effect<Predicate.Predicate<string>, GoogleError> => {
  const { caseSensitive = false, matchType = "EXACT", value = "" } = filter
  const fold = caseFold(caseSensitive)
  const expected = fold(value)
  switch (matchType) {
    case "BEGINS_WITH":
      return Effect.succeed((text) => fold(text).startsWith(expected))
    case "ENDS_WITH":
      return Effect.succeed((text) => fold(text).endsWith(expected))
    case "CONTAINS":
      return Effect.succeed((text) => fold(text).includes(expected))
    case "FULL_REGEXP":
    case "PARTIAL_REGEXP":
      return Option.match(re2Test(matchType === "FULL_REGEXP" ? `^(?:${value})$` : value, caseSensitive ? "" : "i"), {
        onNone: () => Effect.fail(invalidArgument(`Invalid regular expression: ${value}`)),
        onSome: Effect.succeed
      })
    default:
      return Effect.succeed((text) => fold(text) === expected)
  }
}

const compileNumericFilter = (
  { operation = "OPERATION_UNSPECIFIED", value }: NonNullable<Filter["numericFilter"]>
): Effect.Effect<Predicate.Predicate<string>, GoogleError> => {
  const expected = numberOf(value)
  switch (operation) {
    case "EQUAL":
      return Effect.succeed((text) => Number(text) === expected)
    case "LESS_THAN":
      return Effect.succeed((text) => Number(text) < expected)
    case "LESS_THAN_OR_EQUAL":
      return Effect.succeed((text) => Number(text) <= expected)
    case "GREATER_THAN":
      return Effect.succeed((text) => Number(text) > expected)
    case "GREATER_THAN_OR_EQUAL":
      return Effect.succeed((text) => Number(text) >= expected)
    default:
      return Effect.fail(invalidArgument("A numeric_filter must have an operation."))
  }
}

const numberOf = (value: { readonly int64Value?: number; readonly doubleValue?: number } | undefined): number =>
  value?.int64Value ?? value?.doubleValue ?? 0
