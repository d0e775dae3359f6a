import { type JsonSchema, Schema, type SchemaAST } from "effect"

/** A message of a Google API: closed, and shared under its own name in a JSON Schema's `$defs`. */
export const message = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: Fields,
  ...rules: ReadonlyArray<SchemaAST.Check<Schema.Struct.Type<Fields>>>
) => {
  const closed = Schema.Struct(fields).annotate({ description })
  const [first, ...others] = rules
  return (first === undefined ? closed : closed.check(first, ...others)).annotate({ identifier })
}

/** A message without fields, which is not `Schema.Struct({})`: that one takes anything but `null`. */
export const emptyMessage = (identifier: string, description: string) =>
  Schema.Record(Schema.String, Schema.Never.annotate({ message: "Unknown field" })).annotate({
    identifier,
    description
  })

export const required = <A, I>(schema: Schema.Codec<A, I>, description: string) => described(schema, description)

export const optional = <A, I>(schema: Schema.Codec<A, I>, description: string) =>
  Schema.optionalKey(described(schema, description))

/** What is shared by name keeps its own description; how it is used here goes to the key. */
const described = <A, I>(schema: Schema.Codec<A, I>, description: string): Schema.Codec<A, I> =>
  isShared(schema)
    ? schema.pipe(Schema.annotateKey({ description }))
    : schema.annotate({ description })

const isShared = (schema: Schema.Codec<unknown, unknown>) =>
  schema.ast._tag === "Suspend" || Schema.resolveAnnotations(schema)?.identifier !== undefined

const present = (value: object, names: ReadonlyArray<string>) => names.filter((name) => Object.hasOwn(value, name))

const list = (names: ReadonlyArray<string>) => names.map((name) => `"${name}"`).join(", ")

const has = (name: string) => ({ required: [name] })

/** A rule about which fields are there, which the JSON Schema tells too. */
const presence = (rule: (value: object) => string | undefined, fragment: JsonSchema.JsonSchema) =>
  Schema.makeFilter<object>(rule, { toJsonSchema: () => fragment })

export const exactlyOneOf = (...names: ReadonlyArray<string>) =>
  presence((value) => {
    const found = present(value, names)
    if (found.length === 1) return undefined
    return `Expected exactly one of ${list(names)}${found.length === 0 ? "" : `, got ${list(found)}`}`
  }, { oneOf: names.map(has) })

export const atMostOneOf = (...names: ReadonlyArray<string>) =>
  presence((value) => {
    const found = present(value, names)
    return found.length <= 1 ? undefined : `Expected at most one of ${list(names)}, got ${list(found)}`
  }, { oneOf: [...names.map(has), { not: { anyOf: names.map(has) } }] })

export const atLeastOneOf = (...names: ReadonlyArray<string>) =>
  presence(
    (value) => present(value, names).length > 0 ? undefined : `Expected at least one of ${list(names)}`,
    { anyOf: names.map(has) }
  )

/** For a message of which every field is one of the choices. */
export const exactlyOneField = presence((value) => {
  const found = Object.keys(value)
  if (found.length === 1) return undefined
  return `Expected exactly one field, got ${found.length === 0 ? "none" : list(found)}`
}, { minProperties: 1, maxProperties: 1 })

const items = (count: number) => count === 1 ? "one item" : `${count} items`

export const minItems = (count: number) => Schema.isMinLength(count, { message: `Expected at least ${items(count)}` })
export const maxItems = (count: number) => Schema.isMaxLength(count, { message: `Expected at most ${items(count)}` })

const maxInt32 = 2_147_483_647
export const Int32 = Schema.Int.check(Schema.isBetween({ minimum: -maxInt32 - 1, maximum: maxInt32 }))
export const NonNegativeInt32 = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxInt32 }))

const SafeInt = Schema.Int.check(
  Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
)

/** A number as long as it is exact, or a numeric string for any value. */
export const Int64 = Schema.Union([SafeInt, Schema.String.check(Schema.isPattern(/^-?\d{1,19}$/u))])

export const FieldMask = Schema.String.check(
  Schema.isNonEmpty({ message: "Expected at least one field, or \"*\" for all of them" })
)

/** RFC 3339, as in `2026-01-31T09:30:00.000Z`. */
export const Timestamp = Schema.String.check(
  Schema.isPattern(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u
  )
)

/** A path placeholder travels as one segment, so it may hold anything but what a URL parser would fold away. */
export const PathSegment = Schema.String.check(
  Schema.isNonEmpty({ message: "Expected a text that is not empty" }),
  Schema.isPattern(/^(?!\.{1,2}$)/u, { message: "Expected anything but \".\" and \"..\"" })
)
