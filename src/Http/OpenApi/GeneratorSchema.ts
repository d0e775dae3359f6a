import { Array, Predicate, Record } from "effect"
import type { JsonSchema } from "../../Providers/Catalog/JsonSchema.ts"

/**
 * A JSON Schema for client generators. It has no rules between fields, for which generators make empty types. It has
 * one spelling of each value of an enumeration, because values become constants in capital letters. Its defaults are in
 * descriptions, because generators require a field with a default.
 */
export const generatorSchema = (schema: JsonSchema, refer: (name: string) => string): JsonSchema => {
  const convertEach = (schemas: unknown): Readonly<Record<string, unknown>> =>
    Predicate.isObject(schemas) ? Record.map({ ...schemas }, convert) : {}

  const convert = (node: unknown): unknown => Predicate.isObject(node) ? convertSchema({ ...node }) : node

  const convertSchema = (node: JsonSchema): JsonSchema => {
    const merged = { ...constraintsIn(node["allOf"]), ...node }
    const converted = Object.entries(merged).flatMap(([keyword, value]): ReadonlyArray<readonly [string, unknown]> => {
      switch (keyword) {
        case "$ref":
          return [[keyword, refer(String(value).replace("#/$defs/", ""))]]
        case "properties":
          return [[keyword, convertEach(value)]]
        case "patternProperties":
          return [["additionalProperties", Object.values(convertEach(value)).at(0)]]
        case "additionalProperties":
          return "patternProperties" in merged ? [] : [[keyword, isNever(value) ? false : convert(value)]]
        case "items":
          return [[keyword, convert(value)]]
        case "enum":
          return [[keyword, Array.isArray(value) ? Array.dedupeWith(value, isSameName).filter(isName) : value]]
        case "anyOf":
        case "oneOf":
          return Array.isArray(value) && value.some(isType) ? [[keyword, value.map(convert)]] : []
        default:
          return rules.has(keyword) ? [] : [[keyword, value]]
      }
    })
    return {
      ...Object.fromEntries(converted),
      ...node["default"] === undefined ? {} : { description: describeDefault(node) }
    }
  }

  return convertSchema(schema)
}

const rules = new Set([
  "$schema",
  "$defs",
  "default",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "dependentRequired",
  "minProperties",
  "maxProperties"
])

/** Providers take some values in two spellings, such as `searchAppearance` and `SEARCH_APPEARANCE`. */
const isSameName = (one: unknown, other: unknown): boolean => spelling(one) === spelling(other)

const spelling = (value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("_", "").toLowerCase() : value

const isName = (value: unknown): boolean => value !== ""

const isType = (schema: unknown): boolean =>
  Predicate.isObject(schema) && ["type", "$ref", "enum", "const", "anyOf", "oneOf"].some((keyword) => keyword in schema)

const constraintsIn = (allOf: unknown): JsonSchema =>
  Array.isArray(allOf)
    ? Object.fromEntries(allOf.filter(Predicate.isObject).flatMap((each) => Object.entries(each)))
    : {}

const isNever = (schema: unknown): boolean => Predicate.isObject(schema) && "not" in schema

const describeDefault = ({ default: value, description = "" }: JsonSchema): string => {
  const text = String(description)
  return /default/i.test(text) ? text : `${text} Default: ${JSON.stringify(value)}.`.trim()
}
