import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The part of a discovery document's schema language that Google's documents use. */
export interface Property {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly additionalProperties?: Property
  readonly $ref?: string
  readonly deprecated?: boolean
}

const Property = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  items: Schema.optionalKey(Schema.suspend((): Schema.Codec<Property> => Property)),
  properties: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.suspend((): Schema.Codec<Property> => Property))
  ),
  additionalProperties: Schema.optionalKey(Schema.suspend((): Schema.Codec<Property> => Property)),
  $ref: Schema.optionalKey(Schema.String),
  deprecated: Schema.optionalKey(Schema.Boolean)
})

const Document = Schema.Struct({
  id: Schema.String,
  revision: Schema.String,
  schemas: Schema.Record(Schema.String, Property)
})
export type Document = typeof Document.Type

export const readDocument = (folder: string, id: string): Document =>
  Schema.decodeUnknownSync(Schema.fromJsonString(Document))(readFileSync(join(folder, `${id}.json`), "utf8"))

/** Google marks what only members of a preview programme may send in prose alone. */
export const isPreview = ({ description }: Property): boolean => description?.includes("Developer Preview") ?? false

/** The schemas that a property mentions. */
export const references = (property: Property): ReadonlyArray<string> => [
  ...(property.$ref === undefined ? [] : [property.$ref]),
  ...(property.items === undefined ? [] : references(property.items)),
  ...(property.additionalProperties === undefined ? [] : references(property.additionalProperties)),
  ...Object.values(property.properties ?? {}).flatMap(references)
]
