import { Result, Schema, SchemaGetter, Struct } from "effect"
import { issuesOf, strict } from "../../../Domain/Validation/Validation.ts"
import { protobufJson } from "../../../Providers/Google/ProtobufJson.ts"
import { type GoogleError, invalidArgument } from "./GoogleError.ts"

export const boolText = Schema.Literals(["true", "false"]).pipe(Schema.decodeTo(Schema.Boolean, {
  decode: SchemaGetter.transform((text) => text === "true"),
  encode: SchemaGetter.transform((value) => value ? "true" as const : "false" as const)
}))

export const message = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(Struct.map(fields, Schema.optionalKey))

const emptyMessage = Schema.Struct({})

/** The parts of a Google method that takes no input. */
export const withoutInput = {
  params: emptyMessage,
  query: emptyMessage,
  body: emptyMessage,
  resource: () => undefined
}

/** Reads a body or a query as the service does, which refuses what is wrong before it sends it. */
export const readMessage = <A, I>(schema: Schema.Codec<A, I>) => {
  const { read } = protobufJson(schema.ast)
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (json: unknown): Result.Result<A, GoogleError> =>
    Result.mapError(decode(read(json ?? {})), ({ issue }) => {
      const issues = issuesOf(issue).map(({ message, path }) => `'${path.join(".")}': ${message}`)
      return invalidArgument(`Invalid value at ${issues.join(", at ")}`)
    })
}
