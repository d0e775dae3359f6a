import { Effect, Option, Record, Schema, SchemaTransformation } from "effect"

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
