import { Effect, Option, Record, Schema, SchemaGetter, SchemaTransformation } from "effect"

export const enumWithAliases = <const Name extends string>(
  aliases: Readonly<Record<Name, string>>,
  annotations: { readonly description: string; readonly default?: NoInfer<Name> }
) => {
  const names = Record.keys(aliases)
  const bySpelling = new Map<string, Name>(names.flatMap((name) => [[name, name], [aliases[name], name]]))
  const message = `Expected one of ${names.join(", ")}`
  return Schema.Literals([...bySpelling.keys()]).annotate({ ...annotations, message }).pipe(
    Schema.decodeTo(
      Schema.Literals(names),
      SchemaTransformation.transform<Name, string>({
        decode: (spelling) => Option.getOrThrow(Option.fromNullishOr(bySpelling.get(spelling))),
        encode: (name) => name
      })
    )
  )
}

export const withDefault = <A, I>(schema: Schema.Codec<A, I>, value: NoInfer<I>) =>
  Schema.annotateEncoded<Schema.Codec<A, I>>({ default: value })(schema).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(value))
  )

/** Counts code points, as JSON Schema does. */
export const isMaxCharacters = (maximum: number) =>
  Schema.makeFilter((text: string) => text.length <= maximum || [...text].length <= maximum, {
    expected: `at most ${maximum} characters`,
    toJsonSchema: () => ({ maxLength: maximum })
  })

export const calendarDayPattern = [
  String.raw`\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`\d{4}-02-(?:0[1-9]|1\d|2[0-8])`,
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`
].join("|")

export const integer = (
  { default: value, description, ...bounds }: {
    readonly description: string
    readonly minimum: number
    readonly maximum: number
    readonly default: number
  }
) => withDefault(Schema.Int.check(Schema.isBetween(bounds)).annotate({ description }), value)

export const flag = ({ default: value, description }: { readonly description: string; readonly default: boolean }) =>
  withDefault(Schema.Boolean.annotate({ description }), value)

export const offsetField = (maximum: number) =>
  integer({ description: "Rows to skip: `next_offset` of the previous page.", minimum: 0, maximum, default: 0 })

export const text = ({ description, maxLength }: { readonly description: string; readonly maxLength: number }) =>
  Schema.String.check(Schema.isNonEmpty({ expected: "a text that is not empty" }), isMaxCharacters(maxLength)).annotate(
    { description }
  )

/** An empty text counts as absent, because forms and agents fill in every field. */
const emptyAsAbsent = (schema: Schema.Codec<string>) =>
  Schema.optionalKey(schema).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.String), {
      decode: SchemaGetter.transformOptional(Option.filter((value: string) => value !== "")),
      encode: SchemaGetter.passthrough()
    })
  )

export const optionalText = (
  { description, maxLength }: { readonly description: string; readonly maxLength: number }
) => emptyAsAbsent(Schema.String.check(isMaxCharacters(maxLength)).annotate({ description }))

export const optionalDay = (description: string) =>
  emptyAsAbsent(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^(?:${calendarDayPattern})?$`, "u"), {
        message: "Expected a day that exists, YYYY-MM-DD"
      })
    ).annotate({ description })
  )

const choiceParts = <const Name extends Lowercase<string>>(names: ReadonlyArray<Name>) => {
  const bySpelling = new Map<string, Name>(
    [...names, ...names].map((name, index) => [index < names.length ? name : name.toUpperCase(), name])
  )
  return {
    encoded: Schema.Literals([...bySpelling.keys(), ""]).annotate({ message: `Expected one of ${names.join(", ")}` }),
    decoded: Schema.Literals(names),
    findName: Option.flatMapNullishOr((spelling: string) => bySpelling.get(spelling))
  }
}

export const choice = <const Name extends Lowercase<string>>(
  names: ReadonlyArray<Name>,
  { default: value, description }: { readonly description: string; readonly default: NoInfer<Name> }
) => {
  const { decoded, encoded, findName } = choiceParts(names)
  return Schema.optionalKey(encoded.annotate({ description, default: value })).pipe(
    Schema.decodeTo(decoded, {
      decode: SchemaGetter.transformOptional((given) => Option.orElseSome(findName(given), () => value)),
      encode: SchemaGetter.passthrough()
    })
  )
}

export const optionalChoice = <const Name extends Lowercase<string>>(
  names: ReadonlyArray<Name>,
  { description }: { readonly description: string }
) => {
  const { decoded, encoded, findName } = choiceParts(names)
  return Schema.optionalKey(encoded.annotate({ description })).pipe(
    Schema.decodeTo(Schema.optionalKey(decoded), {
      decode: SchemaGetter.transformOptional(findName),
      encode: SchemaGetter.passthrough()
    })
  )
}

export const textList = (
  { description, maxItems, maxLength }: {
    readonly description: string
    readonly maxItems: number
    readonly maxLength: number
  }
) => {
  const message = `Expected at most ${maxItems} texts`
  return withDefault(
    Schema.Union([
      Schema.String.check(
        isMaxCharacters(maxLength),
        Schema.isPattern(new RegExp(`^[^,]*(?:,[^,]*){0,${maxItems - 1}}$`, "u"), { message })
      ),
      Schema.Array(Schema.String.check(isMaxCharacters(maxLength))).check(Schema.isMaxLength(maxItems, { message }))
    ]).annotate({ description }).pipe(
      Schema.decodeTo(
        Schema.Array(Schema.String),
        SchemaTransformation.transform<ReadonlyArray<string>, string | ReadonlyArray<string>>({
          decode: (value) =>
            (typeof value === "string" ? value.split(",") : value)
              .map((each) => each.trim())
              .filter((each) => each !== ""),
          encode: (items) => items
        })
      )
    ),
    []
  )
}
