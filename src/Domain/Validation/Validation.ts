import { Predicate, Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import { SchemaJITCompiler } from "effect/schema"
import type { Issue } from "./Issue.ts"
import { cutLongArrays } from "./LongArrays.ts"
import { describeUnknownField, type Level, unknownField } from "./UnknownField.ts"
import { countValues, makeSample } from "./ValidationSample.ts"

export const strict: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "error" }

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "Required"
      case "UnexpectedKey":
        return unknownField
      case "InvalidType":
        return issue.ast._tag === "Objects" ? "Expected object" : SchemaIssue.defaultLeafHook(issue)
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

const maxCounted = 10_000

/** An error lists at most 100 issues. */
const maxDescribed = 101

export const issuesOf = (issue: SchemaIssue.Issue, at: Issue["path"] = []): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  collectIssues(issue, { path: at, levels: [] }, issues)
  return issues
}

interface Place {
  readonly path: Issue["path"]
  readonly levels: ReadonlyArray<Level>
}

const collectIssues = (issue: SchemaIssue.Issue, place: Place, issues: Array<Issue>): void => {
  const { levels, path } = place
  switch (issue._tag) {
    case "Pointer":
      return collectIssues(issue.issue, { levels, path: [...path, ...issue.path.map(toSegment)] }, issues)
    case "Encoding":
      return collectIssues(issue.issue, place, issues)
    case "Composite":
      return collectEach(issue.issues, { path, levels: [...levels, { ast: issue.ast, path }] }, issues)
    case "AnyOf":
      if (issue.issues.length > 0) return collectEach(issue.issues, place, issues)
      break
    case "UnexpectedKey":
      if (issues.length >= maxDescribed) break
      issues.push({ path, message: describeUnknownField(String(path.at(-1)), issue.ast, levels) })
      return
  }
  for (const { message, path: below = [] } of format(issue).issues) {
    issues.push({ path: [...path, ...below.map(toSegment)], message })
  }
}

const collectEach = (
  each: ReadonlyArray<SchemaIssue.Issue>,
  place: Place,
  issues: Array<Issue>
): void => {
  for (const issue of each) {
    if (issues.length >= maxCounted) return
    collectIssues(issue, place, issues)
  }
}

const toSegment = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number" ? key : String(key)
}

/**
 * True if `decoded` has every field of `input`. Compiled decoders drop unknown fields instead of refusing them, and
 * save 5 % of the CPU of a small read.
 */
const isWhole = (input: unknown, decoded: unknown): boolean => {
  if (!Predicate.isObjectOrArray(input) || input === decoded) return true
  if (Array.isArray(input)) {
    return Array.isArray(decoded) && decoded.length === input.length &&
      input.every((value, index) => isWhole(value, decoded[index]))
  }
  if (!Predicate.isObject(decoded)) return false
  // Unlike `Object.keys`, `for` allocates no array. Parsed JSON inherits no field that it would list.
  for (const key in input) {
    if (!Object.hasOwn(decoded, key) || !isWhole(input[key], decoded[key])) return false
  }
  return true
}

const maxSampled = 20_000

/**
 * For inputs of more than 20,000 values, only a sample after the first issue is checked: an invalid value costs a
 * hundred times as much as a valid one.
 */
export const validator = <A>(schema: Schema.Codec<A, unknown>, at: Issue["path"] = []) => {
  SchemaJITCompiler.enable(schema.ast)
  const decodeKnown = Schema.decodeUnknownResult(schema)
  const decode = Schema.decodeUnknownResult(schema, { ...strict, errors: "first" })
  const decodeAll = Schema.decodeUnknownResult(schema, strict)
  const cut = cutLongArrays(schema.ast)
  return (whole: unknown): Result.Result<A, ReadonlyArray<Issue>> => {
    const input = cut(whole)
    const known = decodeKnown(input)
    if (Result.isSuccess(known) && isWhole(input, known.success)) return Result.succeed(known.success)
    const decoded = decode(input)
    if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    const issues = countValues(input, maxSampled) > maxSampled
      ? sampleIssues(input, issuesOf(decoded.failure.issue))
      : collectAll(input)
    return Result.fail(
      at.length === 0 ? issues : issues.map(({ message, path }) => ({ path: [...at, ...path], message }))
    )
  }

  function sampleIssues(input: unknown, first: ReadonlyArray<Issue>): ReadonlyArray<Issue> {
    const sample = makeSample(input, first[0]?.path ?? [], maxSampled)
    const issues = sample === undefined ? [] : sample.restore(collectAll(sample.input))
    return issues.length === 0 ? first : issues
  }

  function collectAll(input: unknown): ReadonlyArray<Issue> {
    return Result.match(decodeAll(input), { onSuccess: () => [], onFailure: ({ issue }) => issuesOf(issue) })
  }
}
