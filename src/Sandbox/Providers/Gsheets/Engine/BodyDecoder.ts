import { Result, Schema } from "effect"
import type { Issue } from "../../../../Domain/Validation/Issue.ts"
import { isUnknownField } from "../../../../Domain/Validation/UnknownField.ts"
import { issuesOf, strict } from "../../../../Domain/Validation/Validation.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { invalidFields, type Violation } from "./Errors.ts"
import { protoName } from "./QueryParameters.ts"

export const makeBodyDecoder = <A>(schema: Schema.Codec<A, unknown>, at = "") => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (body: unknown): Result.Result<A, GoogleError> => {
    const present = dropNulls(body ?? {})
    return Result.mapError(
      decode(present),
      ({ issue }) => invalidFields(issuesOf(issue).map((each) => toViolation(each, at, present)))
    )
  }
}

const dropNulls = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(dropNulls)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== null).map(([name, value]) => [name, dropNulls(value)])
  )
}

const toViolation = (issue: Issue, at: string, body: unknown): Violation => {
  const { message, path } = issue
  if (isUnknownField(issue)) {
    const field = protoPath(at, path.slice(0, -1))
    const place = field === "" ? "" : ` at '${field}'`
    return {
      field,
      description: `Invalid JSON payload received. Unknown name "${path.at(-1)}"${place}: Cannot find field.`
    }
  }
  const field = protoPath(at, path)
  const type = path.at(-1) === "values" ? "type.googleapis.com/google.protobuf.ListValue" : message
  return {
    field,
    description: `Invalid value at '${field}' (${type}), ${JSON.stringify(valueAt(body, path)) ?? "null"}`
  }
}

const protoPath = (at: string, path: Issue["path"]): string =>
  path.reduce<string>(
    (before, segment) =>
      typeof segment === "number"
        ? `${before}[${segment}]`
        : `${before}${before === "" ? "" : "."}${protoName(segment)}`,
    at
  )

const valueAt = (value: unknown, path: Issue["path"]): unknown =>
  path.reduce<unknown>(
    (at, segment) => typeof at === "object" && at !== null ? Reflect.get(at, segment) : undefined,
    value
  )
