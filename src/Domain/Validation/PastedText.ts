import { Schema, SchemaTransformation } from "effect"

/** A token, key, address or id that people paste: white space around it is taken off. */
export const PastedText = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(16_384)).pipe(Schema.encodeTo(
  Schema.String,
  SchemaTransformation.transform({ decode: (text) => text.trim(), encode: (text: string) => text })
))
