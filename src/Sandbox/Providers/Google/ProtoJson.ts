import { Effect, Option, Result, Schema, SchemaIssue, SchemaTransformation, Struct } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { isUnknownField, unknownField } from "../../../Domain/Validation/UnknownField.ts"
import { issuesOf, strict } from "../../../Domain/Validation/Validation.ts"
import { protobufJson } from "../../../Providers/Google/ProtobufJson.ts"
import { type GoogleError, invalidArgument } from "./GoogleError.ts"

/** Errors contain the type in a schema's `message`. */

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

export const int32 = scalar("TYPE_INT32", Schema.Number, (value) => {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) && Math.abs(number) <= 2_147_483_647
    ? Option.some(number)
    : Option.none()
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

/** Reads a body as the service does, and says where it is wrong. */
export const readBody = <A, I>(schema: Schema.Codec<A, I>, at = "") => {
  const { read } = protobufJson(schema.ast)
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (json: unknown): Result.Result<A, ReadonlyArray<Violation>> => {
    const body = read(json)
    return Result.mapError(decode(body), ({ issue }) => issuesOf(issue).map((each) => violation(each, body, at)))
  }
}

export const decodeBody = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = readBody(schema)
  return (json: unknown): Effect.Effect<A, GoogleError> => Effect.fromResult(Result.mapError(decode(json), badRequest))
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

export interface Violation {
  readonly field?: string
  readonly description: string
}

const violation = (issue: Issue, json: unknown, at = ""): Violation => {
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
  return {
    field,
    description: `Invalid value at '${field}' (${message}), ${JSON.stringify(valueAt(json, path)) ?? "null"}`
  }
}

const badRequest = (violations: ReadonlyArray<Violation>): GoogleError =>
  invalidArgument(violations.map(({ description }) => description).join("\n"), [{
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: violations
  }])

const protoPath = (start: string, path: Issue["path"]): string =>
  path.reduce<string>(
    (at, segment) =>
      typeof segment === "number" ? `${at}[${segment}]` : `${at}${at === "" ? "" : "."}${snakeCase(segment)}`,
    start
  )

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const valueAt = (json: unknown, path: Issue["path"]): unknown =>
  path.reduce<unknown>(
    (at, segment) => typeof at === "object" && at !== null ? Reflect.get(at, segment) : undefined,
    json
  )
