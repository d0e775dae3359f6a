import { Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import { SchemaJITCompiler } from "effect/schema"
import type { Issue } from "./Issue.ts"

/** Unknown fields are errors and every issue is listed, not only the first (section 4 of the contract). */
export const strict: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "error" }

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "Required"
      case "UnexpectedKey":
        return "Unknown field"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** `at` is where the validated value stands in the request body. */
export const issuesOf = (issue: SchemaIssue.Issue, at: Issue["path"] = []): ReadonlyArray<Issue> =>
  format(issue).issues.map(({ message, path }) => ({
    path: [...at, ...(path ?? []).map(toSegment)],
    message
  }))

const toSegment = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number" ? key : String(key)
}

/** A strict decoder that fails with the issues themselves. */
export const validator = <A>(schema: Schema.Codec<A, unknown>, at: Issue["path"] = []) => {
  SchemaJITCompiler.enable(schema.ast)
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (input: unknown): Result.Result<A, ReadonlyArray<Issue>> =>
    Result.mapError(decode(input), (error) => issuesOf(error.issue, at))
}
