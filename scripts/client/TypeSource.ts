import { Predicate } from "effect"
import type { JsonSchema } from "../../src/Providers/Catalog/JsonSchema.ts"

export const comment = (text: unknown): string =>
  Predicate.isString(text) && text !== ""
    ? `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ").trim()} */\n`
    : ""

const propertyName = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** Leaves out bounds, patterns and rules between fields. */
export const typeExpression = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return schema === false ? "never" : "unknown"
  if (Predicate.isString(schema["$ref"])) return schema["$ref"].replace(/^.*\//, "")
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"])
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  const choices = [...list(schema["anyOf"]), ...list(schema["oneOf"])].filter(isType)
  if (choices.length > 0 && schema["properties"] === undefined) {
    return [...new Set(choices.map(typeExpression))].join(" | ")
  }
  const parts = [plainType({ ...schema }), ...list(schema["allOf"]).filter(isType).map(typeExpression)]
  return parts.filter((part, index) => index === 0 || part !== "unknown").join(" & ")
}

/** False for members of `allOf` and `oneOf` that are rules between fields. */
const isType = (schema: unknown): boolean =>
  Predicate.isObject(schema) &&
  ["type", "$ref", "enum", "const", "anyOf"].some((keyword) => schema[keyword] !== undefined)

const plainType = (schema: JsonSchema): string => {
  const { items, type } = schema
  if (Array.isArray(type)) return type.map((each) => plainType({ ...schema, type: each })).join(" | ")
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type
    case "number":
    case "integer":
      return "number"
    case "array":
      return `ReadonlyArray<${typeExpression(items)}>`
    case "object":
      return objectType(schema)
    default:
      return "unknown"
  }
}

const objectType = (schema: JsonSchema): string => {
  if (Predicate.isObject(schema["properties"])) return `{\n${members(schema)}}`
  const { additionalProperties = true, patternProperties } = schema
  const [values = additionalProperties] = Object.values(Object(patternProperties))
  return `Readonly<Record<string, ${typeExpression(values)}>>`
}

const members = (schema: JsonSchema): string => {
  const required = list(schema["required"])
  return Object.entries(Object(schema["properties"])).map(([name, property]) =>
    `${comment(Predicate.isObject(property) ? property["description"] : undefined)}readonly ${propertyName(name)}${
      required.includes(name) ? "" : "?"
    }: ${typeExpression(property)}\n`
  ).join("")
}

export const declaration = (name: string, schema: JsonSchema): string => {
  const expression = typeExpression(schema)
  const head = comment(schema["description"])
  return schema["properties"] !== undefined && !expression.includes("} & ")
    ? `${head}export interface ${name} ${expression}\n`
    : `${head}export type ${name} = ${expression}\n`
}
