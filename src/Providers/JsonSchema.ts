import { Schema } from "effect"

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The JSON Schema (draft 2020-12) of what `schema` accepts: closed, with `$defs` for what is shared or recursive. */
export const jsonSchemaOf = (schema: Schema.Codec<unknown, unknown>): JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...document.schema,
    ...(Object.keys(document.definitions).length === 0 ? {} : { $defs: document.definitions })
  }
}
