import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Predicate, Result, type Schema } from "effect"
import * as fc from "fast-check"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import { type JsonSchema, jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"

const compiled = new Map<string, ValidateFunction>()

/** Throws unless the schema is valid JSON Schema 2020-12. */
export const compileJsonSchema = (schema: JsonSchema): (input: unknown) => boolean => {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ??
    new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema)
  compiled.set(text, validate)
  return (input) => validate(input)
}

export const findGaps = (schema: unknown, at = "#", root = schema): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => findGaps(each, `${at}/${index}`, root))
  if (!Predicate.isObject(schema)) return []
  const properties: Record<string, unknown> = Predicate.isObject(schema["properties"])
    ? { ...schema["properties"] }
    : {}
  const isObject = schema["type"] === "object" || schema["properties"] !== undefined
  return [
    ...(isObject && schema["additionalProperties"] !== false ? [`${at} is open`] : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      isDescribed(property, root) ? [] : [`${at}/properties/${name} has no description`]
    ),
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      keyword === "properties" || keyword === "$defs"
        ? Object.entries(Object(value)).flatMap(([name, each]) => findGaps(each, `${at}/${keyword}/${name}`, root))
        : keyword === "enum" || keyword === "default" || keyword === "examples" || keyword === "const"
        ? []
        : findGaps(value, `${at}/${keyword}`, root)
    )
  ]
}

/** By itself or by what it refers to. */
const isDescribed = (field: unknown, root: unknown): boolean => {
  const { $ref, description } = Object(field)
  if (!Predicate.isString($ref)) return Predicate.isString(description)
  const target = $ref.split("/").slice(1).reduce<unknown>((value, segment) => Object(value)[segment], root)
  return Predicate.isString(description ?? Object(target)["description"])
}

const edgeValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", " ", ".", "..", "0", "a", "🚀", 0, -1, 1, 1.5, 1e21, [], {}, [null], {
    a: 1
  }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.string({ maxLength: 40, unit: "grapheme" })
)

const mutate = (value: unknown): fc.Arbitrary<unknown> => {
  const here: ReadonlyArray<fc.Arbitrary<unknown>> = [edgeValue]
  if (Array.isArray(value)) {
    return fc.oneof(
      ...here,
      ...value.map((each, index) => mutate(each).map((changed) => value.with(index, changed))),
      ...value.map((each) => fc.constant([...value, each])),
      edgeValue.map((added) => [...value, added])
    )
  }
  if (!Predicate.isObject(value)) return fc.oneof(...here)
  const entries = Object.entries(value)
  return fc.oneof(
    { arbitrary: fc.oneof(...here), weight: 1 },
    { arbitrary: fc.tuple(fc.string(), edgeValue).map(([key, added]) => ({ ...value, [key]: added })), weight: 1 },
    ...entries.map(([key, each]) => ({
      arbitrary: mutate(each).map((changed) => ({ ...value, [key]: changed })),
      weight: 4
    })),
    ...entries.map(([key]) => ({
      arbitrary: fc.constant(Object.fromEntries(entries.filter(([name]) => name !== key))),
      weight: 1
    }))
  )
}

export const nearlyValid = (valid: ReadonlyArray<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...valid).chain(mutate), weight: 5 },
    { arbitrary: fc.constantFrom(...valid).chain(mutate).chain(mutate).chain(mutate), weight: 3 },
    { arbitrary: edgeValue, weight: 1 }
  )

/**
 * Inputs on which the service and its JSON Schema disagree. `ruleBetweenFields` recognizes messages of rules that JSON
 * Schema cannot express.
 */
export const findDisagreements = (
  schema: Schema.Codec<unknown, unknown>,
  valid: ReadonlyArray<unknown>,
  ruleBetweenFields: (message: string) => boolean = () => false
): ReadonlyArray<unknown> => {
  const accepts = compileJsonSchema(jsonSchemaOf(schema))
  const validate = validator(schema)
  const agrees = (input: unknown) => {
    const result = validate(input)
    return Result.isSuccess(result) === accepts(input) ||
      (Result.isFailure(result) && result.failure.every(({ message }) => ruleBetweenFields(message)))
  }
  const refused = valid.filter((input) => Result.isFailure(validate(input)) || !accepts(input))
  const { counterexample } = fc.check(fc.property(nearlyValid(valid), agrees), { numRuns: 500 })
  return [...refused, ...counterexample ?? []]
}
