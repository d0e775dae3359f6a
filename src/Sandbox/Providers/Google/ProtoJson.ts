import { Effect, Option, Schema, SchemaIssue, SchemaTransformation, Struct } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { isUnknownField, unknownField } from "../../../Domain/Validation/UnknownField.ts"
import { issuesOf, strict } from "../../../Domain/Validation/Validation.ts"
import { type GoogleError, invalidArgument } from "./GoogleError.ts"

/*
 * The proto3 JSON mapping (https://protobuf.dev/programming-guides/json/): names in lowerCamelCase or snake_case,
 * `null` for an absent field, integers as numbers or strings, no unknown names. Errors contain the type in a schema's
 * `message`.
 */

const scalar = <A>(type: string, to: Schema.Codec<A>, read: (value: unknown) => Option.Option<A>) =>
  Schema.Unknown.pipe(Schema.decodeTo(
    to,
    SchemaTransformation.transformEffect({
      decode: (value: unknown) =>
        Effect.mapError(
          Effect.fromOption(read(value)),
          () => new SchemaIssue.InvalidValue({ message: type }, value)
        ),
      encode: (value: A) => Effect.succeed<unknown>(value)
    })
  ))

export const string = Schema.String.annotate({ message: "TYPE_STRING" })
export const bool = Schema.Boolean.annotate({ message: "TYPE_BOOL" })

export const boolText = scalar("TYPE_BOOL", Schema.Boolean, (value) => {
  if (value === "true" || value === "1") return Option.some(true)
  return value === "false" || value === "0" ? Option.some(false) : Option.none()
})

const wholeNumber = (maximum: number) => (value: unknown): Option.Option<number> => {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) && Math.abs(number) <= maximum
    ? Option.some(number)
    : Option.none()
}
export const int32 = scalar("TYPE_INT32", Schema.Number, wholeNumber(2_147_483_647))
export const int64 = scalar("TYPE_INT64", Schema.Number, wholeNumber(Number.MAX_SAFE_INTEGER))
export const double = scalar("TYPE_DOUBLE", Schema.Number, (value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? Option.some(number) : Option.none()
})

export const enumOf = <const Name extends string>(type: string, names: ReadonlyArray<Name>) => {
  const byFolded = new Map<string, Name>(names.map((name) => [fold(name), name]))
  return scalar<Name>(
    `type.googleapis.com/${type}`,
    Schema.Literals(names),
    (value) => Option.fromUndefinedOr(typeof value === "string" ? byFolded.get(fold(value)) : undefined)
  )
}
const fold = (name: string) => name.replaceAll("_", "").toLowerCase()

export const repeated = <S extends Schema.Constraint>(of: S) => Schema.Array(of).annotate({ message: "TYPE_MESSAGE" })

export const message = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(Struct.map(fields, Schema.optionalKey)).annotate({ message: "TYPE_MESSAGE" })

export const emptyMessage = Schema.Record(Schema.String, Schema.Never.annotate({ message: unknownField }))

export const decodeBody = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, strict)
  return (json: unknown): Effect.Effect<A, GoogleError> => {
    const body = canonicalize(json)
    return Effect.mapError(
      decode(body),
      (error) => badRequest(issuesOf(error.issue).map((issue) => violation(issue, json)))
    )
  }
}

export const decodeQuery = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, strict)
  return (query: Readonly<Record<string, unknown>>): Effect.Effect<A, GoogleError> =>
    Effect.mapError(decode(query), (error) =>
      badRequest(
        issuesOf(error.issue).map((issue) => {
          const name = issue.path.join(".")
          return isUnknownField(issue)
            ? {
              field: "",
              description: `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. ` +
                `Field '${name}' could not be found in request message.`
            }
            : violation(issue, query)
        })
      ))
}

interface Violation {
  readonly field: string
  readonly description: string
}

const violation = (issue: Issue, json: unknown): Violation => {
  const { message, path } = issue
  const { name, value } = originalAt(json, path)
  if (isUnknownField(issue)) {
    const at = protoPath(path.slice(0, -1))
    return {
      field: at,
      description: `Invalid JSON payload received. Unknown name "${name}"${
        at === "" ? "" : ` at '${at}'`
      }: Cannot find field.`
    }
  }
  const field = protoPath(path)
  return { field, description: `Invalid value at '${field}' (${message}), ${JSON.stringify(value)}` }
}

const badRequest = (violations: ReadonlyArray<Violation>): GoogleError =>
  invalidArgument(violations.map(({ description }) => description).join("\n"), [{
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: violations
  }])

const protoPath = (path: Issue["path"]): string =>
  path.reduce<string>(
    (at, segment) =>
      typeof segment === "number" ? `${at}[${segment}]` : `${at}${at === "" ? "" : "."}${snakeCase(segment)}`,
    ""
  )

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const originalAt = (json: unknown, path: Issue["path"]): { readonly name: string | number; readonly value: unknown } =>
  path.reduce<{ readonly name: string | number; readonly value: unknown }>(
    ({ value }, segment) => {
      if (typeof value !== "object" || value === null) return { name: segment, value: undefined }
      const name = Object.keys(value).find((key) => camelCase(key) === segment) ?? segment
      return { name, value: Reflect.get(value, name) }
    },
    { name: "", value: json }
  )

const canonicalize = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(canonicalize)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== null).map((
      [name, value]
    ) => [camelCase(name), canonicalize(value)])
  )
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
