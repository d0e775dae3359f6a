import { Schema } from "effect"

/** Used by the OpenAPI document. The build of the dashboard leaves it out. */
export const jsonSchema = (schema: Schema.Codec<unknown, unknown>) => ({
  ...Schema.toJsonSchemaDocument(schema).schema
})
