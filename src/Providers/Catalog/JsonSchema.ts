import { Predicate, Record, Schema } from "effect"

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export const jsonSchemaOf = (schema: Schema.Codec<unknown, unknown>): JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...Record.map(document.schema, tidy),
    ...(Object.keys(document.definitions).length === 0
      ? {}
      : { $defs: Record.map(document.definitions, tidy) })
  }
}

/** Removes escapes of slashes, and merges `allOf: [{ $ref }, { description }]`. */
const tidy = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(tidy)
  if (!Predicate.isObject(node)) return node
  const [use, described, ...others] = Array.isArray(node["allOf"]) ? node["allOf"] : []
  return Object.keys(node).length === 1 && others.length === 0 && Predicate.hasProperty(use, "$ref") &&
      Predicate.isObject(described) && Object.keys(described).join() === "description"
    ? { ...use, ...described }
    : Record.map(
      { ...node },
      (value, key) => key === "pattern" && Predicate.isString(value) ? value.replaceAll("\\/", "/") : tidy(value)
    )
}
