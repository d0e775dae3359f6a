import { Effect, Option } from "effect"
import { re2 } from "../../Data/Re2.ts"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import type { Filter, FilterExpression } from "./ReportRequest.ts"

type Test<A> = (subject: A) => boolean

/** What a filter looks at, by the name of the field; fails where there is no such field. */
export type FieldOf<A> = (name: string) => Effect.Effect<(subject: A) => string, GoogleError>

/** A filter expression as one test. */
export const compileFilter = <A>(
  expression: FilterExpression,
  fieldOf: FieldOf<A>
): Effect.Effect<Test<A>, GoogleError> => {
  const { andGroup, filter, notExpression, orGroup } = expression
  if ([andGroup, filter, notExpression, orGroup].filter((part) => part !== undefined).length !== 1) {
    return Effect.fail(
      invalidArgument("A FilterExpression must have exactly one of and_group, or_group, not_expression and filter.")
    )
  }
  const compileAll = (expressions: ReadonlyArray<FilterExpression> = []) =>
    Effect.forEach(expressions, (each) => compileFilter(each, fieldOf))
  if (andGroup !== undefined) {
    return Effect.map(compileAll(andGroup.expressions), (tests) => (subject) => tests.every((test) => test(subject)))
  }
  if (orGroup !== undefined) {
    return Effect.map(compileAll(orGroup.expressions), (tests) => (subject) => tests.some((test) => test(subject)))
  }
  if (notExpression !== undefined) {
    return Effect.map(compileFilter(notExpression, fieldOf), (test) => (subject) => !test(subject))
  }
  const { fieldName = "" } = filter ?? {}
  return Effect.zipWith(
    fieldOf(fieldName),
    testOf(filter ?? {}),
    (valueOf, test) => (subject) => test(valueOf(subject))
  )
}

const testOf = (filter: Filter): Effect.Effect<Test<string>, GoogleError> => {
  const { betweenFilter, emptyFilter, inListFilter, numericFilter, stringFilter } = filter
  if (stringFilter !== undefined) return stringTest(stringFilter)
  if (inListFilter !== undefined) {
    const { caseSensitive = false, values = [] } = inListFilter
    if (values.length === 0) return Effect.fail(invalidArgument("An in_list_filter must have values."))
    const fold = folding(caseSensitive)
    const wanted = new Set(values.map(fold))
    return Effect.succeed((value) => wanted.has(fold(value)))
  }
  if (numericFilter !== undefined) return numericTest(numericFilter)
  if (betweenFilter !== undefined) {
    const from = numberOf(betweenFilter.fromValue)
    const to = numberOf(betweenFilter.toValue)
    return Effect.succeed((value) => Number(value) >= from && Number(value) <= to)
  }
  return emptyFilter === undefined
    ? Effect.fail(invalidArgument(`The filter on '${filter.fieldName}' has no condition.`))
    : Effect.succeed((value) => value === "" || value === "(not set)")
}

const folding = (caseSensitive: boolean) => (text: string) => caseSensitive ? text : text.toLowerCase()

const stringTest = (filter: NonNullable<Filter["stringFilter"]>): Effect.Effect<Test<string>, GoogleError> => {
  const { caseSensitive = false, matchType = "EXACT", value = "" } = filter
  const fold = folding(caseSensitive)
  const wanted = fold(value)
  switch (matchType) {
    case "BEGINS_WITH":
      return Effect.succeed((text) => fold(text).startsWith(wanted))
    case "ENDS_WITH":
      return Effect.succeed((text) => fold(text).endsWith(wanted))
    case "CONTAINS":
      return Effect.succeed((text) => fold(text).includes(wanted))
    case "FULL_REGEXP":
    case "PARTIAL_REGEXP":
      return Option.match(re2(matchType === "FULL_REGEXP" ? `^(?:${value})$` : value, caseSensitive ? "" : "i"), {
        onNone: () => Effect.fail(invalidArgument(`Invalid regular expression: ${value}`)),
        onSome: (pattern) => Effect.succeed((text) => pattern.test(text))
      })
    default:
      return Effect.succeed((text) => fold(text) === wanted)
  }
}

const numericTest = (
  { operation = "OPERATION_UNSPECIFIED", value }: NonNullable<Filter["numericFilter"]>
): Effect.Effect<Test<string>, GoogleError> => {
  const wanted = numberOf(value)
  switch (operation) {
    case "EQUAL":
      return Effect.succeed((text) => Number(text) === wanted)
    case "LESS_THAN":
      return Effect.succeed((text) => Number(text) < wanted)
    case "LESS_THAN_OR_EQUAL":
      return Effect.succeed((text) => Number(text) <= wanted)
    case "GREATER_THAN":
      return Effect.succeed((text) => Number(text) > wanted)
    case "GREATER_THAN_OR_EQUAL":
      return Effect.succeed((text) => Number(text) >= wanted)
    default:
      return Effect.fail(invalidArgument("A numeric_filter must have an operation."))
  }
}

const numberOf = (value: { readonly int64Value?: number; readonly doubleValue?: number } | undefined): number =>
  value?.int64Value ?? value?.doubleValue ?? 0
