import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface DiscoverySchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly items?: DiscoverySchema
  readonly properties?: Readonly<Record<string, DiscoverySchema>>
  readonly additionalProperties?: DiscoverySchema
  readonly $ref?: string
  readonly deprecated?: boolean
}

export const DiscoverySchema: Schema.Codec<DiscoverySchema> = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  items: Schema.optionalKey(Schema.suspend((): Schema.Codec<DiscoverySchema> => DiscoverySchema)),
  properties: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.suspend((): Schema.Codec<DiscoverySchema> => DiscoverySchema))
  ),
  additionalProperties: Schema.optionalKey(Schema.suspend((): Schema.Codec<DiscoverySchema> => DiscoverySchema)),
  $ref: Schema.optionalKey(Schema.String),
  deprecated: Schema.optionalKey(Schema.Boolean)
})

const DiscoveryDocument = Schema.Struct({
  id: Schema.String,
  revision: Schema.String,
  schemas: Schema.Record(Schema.String, DiscoverySchema)
})
export type DiscoveryDocument = typeof DiscoveryDocument.Type

export const readDocument = (folder: string, id: string): DiscoveryDocument =>
  Schema.decodeUnknownSync(Schema.fromJsonString(DiscoveryDocument))(readFileSync(join(folder, `${id}.json`), "utf8"))

/** Only members of a preview programme may send the field. Google says so only in the description. */
export const isPreview = ({ description }: DiscoverySchema): boolean =>
  description?.includes("Developer Preview") ?? false

export const referencedNames = (schema: DiscoverySchema): ReadonlyArray<string> => [
  ...(schema.$ref === undefined ? [] : [schema.$ref]),
  ...(schema.items === undefined ? [] : referencedNames(schema.items)),
  ...(schema.additionalProperties === undefined ? [] : referencedNames(schema.additionalProperties)),
  ...Object.values(schema.properties ?? {}).flatMap(referencedNames)
]
