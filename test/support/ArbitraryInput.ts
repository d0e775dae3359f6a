import { Predicate } from "effect"
import * as fc from "fast-check"
import { hostileNumber, hostileText, hostileTexts, hostileValue } from "./Hostile.ts"

type Schema = Readonly<Record<string, unknown>>

const asSchema = (value: unknown): Schema => Predicate.isObject(value) ? { ...value } : {}

const schemasIn = (value: unknown): ReadonlyArray<Schema> => Array.isArray(value) ? value.map(asSchema) : []

/** Values that mostly match a JSON Schema. Some fields are hostile. Ignores rules between fields. */
export const arbitraryInput = (root: unknown): fc.Arbitrary<unknown> => {
  const definitions = asSchema(asSchema(root)["$defs"])

  const value = (schema: Schema, depth: number): fc.Arbitrary<unknown> =>
    fc.oneof({ arbitrary: described(schema, depth), weight: 15 }, { arbitrary: hostileValue, weight: 1 })

  const described = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (Predicate.isString(schema["$ref"])) {
      const definition = asSchema(definitions[schema["$ref"].replace("#/$defs/", "")])
      // Lazy, because definitions refer to themselves.
      return depth === 0 ? fc.constant({}) : fc.constant(definition).chain((found) => described(found, depth - 1))
    }
    if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"])
    if ("const" in schema) return fc.constant(schema["const"])
    const choices = [...schemasIn(schema["anyOf"]), ...schemasIn(schema["oneOf"])]
    if (choices.length > 0) return fc.constantFrom(...choices).chain((choice) => described(choice, depth))
    const [first, ...others] = schemasIn(schema["allOf"])
    if (first !== undefined) return described(Object.assign({}, schema, { allOf: undefined }, first, ...others), depth)
    switch (schema["type"]) {
      case "string":
        return text(schema)
      case "integer":
      case "number":
        return number(schema)
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      case "array":
        return list(schema, depth)
      case "object":
        return record(schema, depth)
      default:
        return hostileValue
    }
  }

  const list = (schema: Schema, depth: number) => {
    const least = Number(schema["minItems"] ?? 0)
    const most = Math.min(Number(schema["maxItems"] ?? 3), least + 2)
    return fc.array(value(asSchema(schema["items"]), depth), {
      minLength: least,
      maxLength: depth === 0 ? least : most
    })
  }

  const record = (schema: Schema, depth: number): fc.Arbitrary<object> => {
    const properties = Object.entries(asSchema(schema["properties"]))
    const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : [])
    const optional = properties.map(([name]) => name).filter((name) => !required.has(name))
    const least = Math.min(Number(schema["minProperties"] ?? 0), optional.length)
    const most = depth === 0 ? least : Math.max(least, optional.length > 8 ? 2 : optional.length)
    return fc.subarray(optional, { minLength: least, maxLength: most }).chain((chosen) =>
      fc.record(
        Object.fromEntries(
          properties
            .filter(([name]) => required.has(name) || chosen.includes(name))
            .map(([name, property]) => [name, value(asSchema(property), depth)])
        )
      )
    )
  }

  return described(asSchema(root), 6)
}

const number = ({ maximum, minimum, type }: Schema): fc.Arbitrary<number> => {
  const bounds = { min: Number(minimum ?? -1000), max: Number(maximum ?? Math.max(1000, Number(minimum ?? 0))) }
  return fc.oneof(
    { arbitrary: type === "integer" ? fc.integer(safe(bounds)) : fc.double({ ...bounds, noNaN: true }), weight: 8 },
    { arbitrary: hostileNumber, weight: 1 }
  )
}

const safe = ({ max, min }: { readonly max: number; readonly min: number }) => ({
  min: Math.max(min, -(2 ** 31)),
  max: Math.min(max, 2 ** 31)
})

const plainTexts = "a Sheet1 Sheet1!A1:B2 sessions 2026-01-01 7daysAgo https://example.com/ en-US 12".split(" ")

const text = ({ maxLength, minLength, pattern }: Schema): fc.Arbitrary<string> => {
  if (Predicate.isString(pattern)) {
    const form = new RegExp(pattern, "u")
    const known = [...plainTexts, ...hostileTexts].filter((each) => form.test(each))
    const [like, alike] = [matching(form), known.length === 0 ? [] : [fc.constantFrom(...known)]]
    return fc.oneof(...like, ...alike, hostileText)
  }
  return fc.oneof(
    fc.constantFrom(...plainTexts),
    hostileText,
    fc.string({
      unit: "grapheme",
      minLength: Number(minLength ?? 0),
      maxLength: Math.max(Number(minLength ?? 0), Math.min(Number(maxLength ?? 40), 40))
    })
  )
}

/** fast-check cannot generate strings for patterns with lookarounds. */
const matching = (form: RegExp): ReadonlyArray<fc.Arbitrary<string>> => {
  if (/\(\?[!=<]/.test(form.source)) return []
  return [fc.stringMatching(form)]
}
