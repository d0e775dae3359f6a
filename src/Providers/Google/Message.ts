import {
  Effect,
  Exit,
  type JsonSchema,
  Schema,
  type SchemaAST,
  SchemaParser,
  SchemaTransformation,
  Struct
} from "effect"
import { SchemaCompiler, SchemaJITCompiler } from "effect/schema"

export const message = <const Fields extends Readonly<Record<string, Schema.Codec<unknown, unknown>>>>(
  identifier: string,
  description: string,
  fields: Fields,
  ...rules: ReadonlyArray<SchemaAST.Check<Schema.Struct.Type<Fields>>>
) => {
  const closed = Schema.Struct(fields).annotate({ description })
  const [first, ...others] = rules
  // oxlint-disable-next-line openaccounts/no-spread-arguments -- a message declares few rules
  const make = () => (first === undefined ? closed : closed.check(first, ...others)).annotate({ identifier })
  if (others.length > 0 || first !== exactlyOneField) return make()
  const schema = make()
  decodeByField(schema, make(), fields)
  return schema
}

/**
 * Decodes a message with one field by that field: Effect looks for each of up to 80 fields in every message, which
 * takes two seconds for 300,000 messages. `detailed` reports the issues of a message that this decoder refuses.
 */
const decodeByField = (
  schema: Schema.Codec<unknown, unknown>,
  detailed: Schema.Codec<unknown, unknown>,
  fields: Readonly<Record<string, Schema.Codec<unknown, unknown>>>
) => {
  const decoders = new Map<string, ReturnType<typeof decoderOf>>()
  const decoderFor = (name: string) => {
    const known = decoders.get(name)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known !== undefined || field === undefined) return known
    const decoder = decoderOf(field)
    decoders.set(name, decoder)
    return decoder
  }

  const decodeDetailed = SchemaParser.decodeUnknownEffect(detailed)
  SchemaCompiler.set(schema.ast, {
    decode: (input, options) => {
      if (typeof input !== "object" || input === null || Array.isArray(input)) return SchemaCompiler.invalid
      const [name, other] = Object.keys(input)
      if (name === undefined || other !== undefined) return SchemaCompiler.invalid
      const decoded = decoderFor(name)?.(Reflect.get(input, name), options)
      return decoded !== undefined && Exit.isSuccess(decoded) ? { [name]: decoded.value } : SchemaCompiler.invalid
    },
    decodeEffect: (input, options) =>
      input === SchemaCompiler.missing ? Effect.succeed(input) : decodeDetailed(input, options)
  })
}

const decoderOf = (field: Schema.Codec<unknown, unknown>) => {
  SchemaJITCompiler.enable(field.ast)
  return SchemaParser.decodeUnknownExit(field)
}

/** Unlike `Schema.Struct({})`, accepts objects only. */
export const emptyMessage = (identifier: string, description: string) =>
  Schema.Record(Schema.String, Schema.Never.annotate({ message: "Unknown field" })).annotate({
    identifier,
    description
  })

export const required = <A, I>(schema: Schema.Codec<A, I>, description: string) => described(schema, description)

export const optional = <A, I>(schema: Schema.Codec<A, I>, description: string) =>
  Schema.optionalKey(described(schema, description))

/** A part of a response. Google leaves empty fields out. */
export const partial = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(Struct.map(fields, Schema.optionalKey))

/** The body in the input of an endpoint. */
export const requestBody = <A, I>(schema: Schema.Codec<A, I>) => described(schema, "The body of the request.")

const described = <A, I>(schema: Schema.Codec<A, I>, description: string): Schema.Codec<A, I> =>
  isShared(schema)
    ? schema.pipe(Schema.annotateKey({ description }))
    : schema.annotate({ description })

const isShared = (schema: Schema.Codec<unknown, unknown>) =>
  schema.ast._tag === "Suspend" || Schema.resolveAnnotations(schema)?.identifier !== undefined

const presentFields = (value: object, names: ReadonlyArray<string>) =>
  names.filter((name) => Object.hasOwn(value, name))

const quoteAll = (names: ReadonlyArray<string>) => names.map((name) => `"${name}"`).join(", ")

const requires = (name: string) => ({ required: [name] })

const presenceRule = (rule: (value: object) => string | undefined, fragment: JsonSchema.JsonSchema) =>
  Schema.makeFilter<object>(rule, { toJsonSchema: () => fragment })

export const exactlyOneOf = (...names: ReadonlyArray<string>) =>
  presenceRule((value) => {
    const found = presentFields(value, names)
    if (found.length === 1) return undefined
    return `Expected exactly one of ${quoteAll(names)}${found.length === 0 ? "" : `, got ${quoteAll(found)}`}`
  }, { oneOf: names.map(requires) })

export const atMostOneOf = (...names: ReadonlyArray<string>) =>
  presenceRule((value) => {
    const found = presentFields(value, names)
    return found.length <= 1 ? undefined : `Expected at most one of ${quoteAll(names)}, got ${quoteAll(found)}`
  }, { oneOf: [...names.map(requires), { not: { anyOf: names.map(requires) } }] })

export const atLeastOneOf = (...names: ReadonlyArray<string>) =>
  presenceRule(
    (value) => presentFields(value, names).length > 0 ? undefined : `Expected at least one of ${quoteAll(names)}`,
    { anyOf: names.map(requires) }
  )

export const exactlyOneField = presenceRule((value) => {
  const found = Object.keys(value)
  if (found.length === 1) return undefined
  return `Expected exactly one field, got ${found.length === 0 ? "none" : quoteAll(found)}`
}, { minProperties: 1, maxProperties: 1 })

const itemCount = (count: number) => count === 1 ? "one item" : `${count} items`

export const minItems = (count: number) =>
  Schema.isMinLength(count, { message: `Expected at least ${itemCount(count)}` })
export const maxItems = (count: number) =>
  Schema.isMaxLength(count, { message: `Expected at most ${itemCount(count)}` })

const maxInt32 = 2_147_483_647
export const Int32 = Schema.Int.check(Schema.isBetween({ minimum: -maxInt32 - 1, maximum: maxInt32 }))
export const NonNegativeInt32 = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxInt32 }))

const SafeInt = Schema.Int.check(
  Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
)

export const Int64 = Schema.Union([SafeInt, Schema.String.check(Schema.isPattern(/^-?\d{1,19}$/u))])

export const FieldMask = Schema.String.check(
  Schema.isNonEmpty({ message: "Expected at least one field, or \"*\" for all of them" })
)

export const Timestamp = Schema.String.check(
  Schema.isPattern(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u
  )
)

/** URL parsers remove `.` and `..`. */
const notDots = /^(?!\s*(?:\.{1,2}\s*)?$)/u

export const FileId = (description: string) =>
  described(Schema.String.check(Schema.isPattern(notDots, { message: "Expected the id of a file" })), description).pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({ decode: (id) => id.trim(), encode: (id: string) => id })
    )
  )

export const PathSegment = Schema.String.check(
  Schema.isNonEmpty({ message: "Expected a text that is not empty" }),
  Schema.isPattern(/^(?!\.{1,2}$)/u, { message: "Expected anything but \".\" and \"..\"" })
)
