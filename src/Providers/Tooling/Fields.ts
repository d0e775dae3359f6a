import { Effect, Option, Record, Schema, SchemaGetter, SchemaTransformation } from "effect"

/**
 * An enum of which the provider accepts two spellings: `table` maps the canonical one, which is sent on, to the other.
 */
export const spelledTwoWays = <const Name extends string>(
  table: Readonly<Record<Name, string>>,
  annotations: { readonly description: string; readonly default?: NoInfer<Name> }
) => {
  const names = Record.keys(table)
  const byOther = new Map<string, Name>(names.flatMap((name) => [[name, name], [table[name], name]]))
  return Schema.Literals([...byOther.keys()]).annotate(annotations).pipe(
    Schema.decodeTo(
      Schema.Literals(names),
      SchemaTransformation.transform<Name, string>({
        decode: (spelling) => Option.getOrThrow(Option.fromNullishOr(byOther.get(spelling))),
        encode: (name) => name
      })
    )
  )
}

/** A field that has `value` when it is left out; the JSON Schema says so. */
export const withDefault = <A, I>(schema: Schema.Codec<A, I>, value: NoInfer<I>) =>
  Schema.annotateEncoded<Schema.Codec<A, I>>({ default: value })(schema).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(value))
  )

/** At most that many characters, counted as JSON Schema counts them: a surrogate pair is one. */
export const isMaxCharacters = (maximum: number) =>
  Schema.makeFilter((text: string) => text.length <= maximum || [...text].length <= maximum, {
    expected: `at most ${maximum} characters`,
    toJsonSchema: () => ({ maxLength: maximum })
  })

/**
 * The source of a regular expression for a day that exists, `YYYY-MM-DD`. Leap years are every fourth, of the full
 * centuries every fourth.
 */
export const calendarDay = [
  String.raw`\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`\d{4}-02-(?:0[1-9]|1\d|2[0-8])`,
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`
].join("|")

/** A whole number with bounds, which a tool can do without. */
export const integer = (
  { default: value, description, ...bounds }: {
    readonly description: string
    readonly minimum: number
    readonly maximum: number
    readonly default: number
  }
) => withDefault(Schema.Int.check(Schema.isBetween(bounds)).annotate({ description }), value)

/** A yes or no, which a tool can do without. */
export const flag = ({ default: value, description }: { readonly description: string; readonly default: boolean }) =>
  withDefault(Schema.Boolean.annotate({ description }), value)

/** A text that a tool needs. */
export const text = ({ description, maxLength }: { readonly description: string; readonly maxLength: number }) =>
  Schema.String.check(Schema.isNonEmpty({ expected: "a text that is not empty" }), isMaxCharacters(maxLength)).annotate(
    { description }
  )

/**
 * A text that a tool can do without. An empty one counts as absent: forms and agents fill in what they have no value for.
 */
export const optionalText = (
  { description, maxLength }: { readonly description: string; readonly maxLength: number }
) =>
  Schema.optionalKey(Schema.String.check(isMaxCharacters(maxLength)).annotate({ description })).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.String), {
      decode: SchemaGetter.transformOptional(Option.filter((value: string) => value !== "")),
      encode: SchemaGetter.passthrough()
    })
  )

/**
 * The JSON Schema of a choice has a pattern instead of an enum: an empty string has to be accepted, and some clients
 * refuse a whole schema over an empty string in an enum.
 */
const choosing = <const Name extends Lowercase<string>>(names: ReadonlyArray<Name>) => {
  const byOther = new Map<string, Name>(names.flatMap((name) => [[name, name], [name.toUpperCase(), name]]))
  return {
    encoded: Schema.String.check(
      Schema.isPattern(new RegExp(`^(?:${[...byOther.keys()].join("|")})?$`, "u"), {
        message: `Expected one of ${names.join(", ")}`
      })
    ),
    decoded: Schema.Literals(names),
    chosen: Option.flatMapNullishOr((spelling: string) => byOther.get(spelling))
  }
}

/** One of a few names, in lower or upper case, which has a default; an empty one counts as absent. */
export const choice = <const Name extends Lowercase<string>>(
  names: ReadonlyArray<Name>,
  { default: value, description }: { readonly description: string; readonly default: NoInfer<Name> }
) => {
  const { chosen, decoded, encoded } = choosing(names)
  return Schema.optionalKey(encoded.annotate({ description, default: value })).pipe(
    Schema.decodeTo(decoded, {
      decode: SchemaGetter.transformOptional((given) => Option.orElseSome(chosen(given), () => value)),
      encode: SchemaGetter.passthrough()
    })
  )
}

/** One of a few names, in lower or upper case, which a tool can do without; an empty one counts as absent. */
export const optionalChoice = <const Name extends Lowercase<string>>(
  names: ReadonlyArray<Name>,
  { description }: { readonly description: string }
) => {
  const { chosen, decoded, encoded } = choosing(names)
  return Schema.optionalKey(encoded.annotate({ description })).pipe(
    Schema.decodeTo(Schema.optionalKey(decoded), {
      decode: SchemaGetter.transformOptional(chosen),
      encode: SchemaGetter.passthrough()
    })
  )
}

/** Texts as a list or as one string with commas; blank ones and the spaces around them do not count. */
export const texts = (
  { description, maxItems, maxLength }: {
    readonly description: string
    readonly maxItems: number
    /** Of one text, or of the string that has them all. */
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
