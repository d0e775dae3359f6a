import { Ajv2020 } from "ajv/dist/2020.js"
import { Predicate, Result, type Schema } from "effect"
import * as fc from "fast-check"
import { validator } from "../../src/Domain/Validation.ts"
import { type JsonSchema, jsonSchemaOf } from "../../src/Providers/JsonSchema.ts"

/** Validates with the JSON Schema alone, as a caller of ours would; throws when it is not valid JSON Schema 2020-12. */
export const jsonSchemaAccepts = (schema: JsonSchema): (input: unknown) => boolean => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
  const validate = ajv.compile(schema)
  return (input) => validate(input)
}

/** What is missing from an `input_schema`: objects that are open, properties without a description. */
export const gapsOf = (schema: unknown, at = "#"): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => gapsOf(each, `${at}/${index}`))
  if (!Predicate.isObject(schema)) return []
  const properties: Record<string, unknown> = Predicate.isObject(schema["properties"])
    ? { ...schema["properties"] }
    : {}
  const isObject = schema["type"] === "object" || schema["properties"] !== undefined
  return [
    ...(isObject && schema["additionalProperties"] !== false ? [`${at} is open`] : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      Predicate.isObject(property) && (Predicate.isString(property["description"]) || "$ref" in property)
        ? []
        : [`${at}/properties/${name} has no description`]
    ),
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      keyword === "properties" || keyword === "$defs"
        ? Object.entries(Object(value)).flatMap(([name, each]) => gapsOf(each, `${at}/${keyword}/${name}`))
        : keyword === "enum" || keyword === "default" || keyword === "examples" || keyword === "const"
        ? []
        : gapsOf(value, `${at}/${keyword}`)
    )
  ]
}

/** Values that sit at the edges of what fields accept. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", " ", ".", "..", "0", "a", "🚀", 0, -1, 1, 1.5, 1e21, [], {}, [null], {
    a: 1
  }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.string({ maxLength: 40, unit: "grapheme" })
)

/** One place of `value` is replaced, removed, or joined by a field that does not belong there. */
const mutate = (value: unknown): fc.Arbitrary<unknown> => {
  const here: ReadonlyArray<fc.Arbitrary<unknown>> = [junk]
  if (Array.isArray(value)) {
    return fc.oneof(
      ...here,
      ...value.map((each, index) => mutate(each).map((changed) => value.with(index, changed))),
      ...value.map((each) => fc.constant([...value, each])),
      junk.map((added) => [...value, added])
    )
  }
  if (!Predicate.isObject(value)) return fc.oneof(...here)
  const entries = Object.entries(value)
  return fc.oneof(
    { arbitrary: fc.oneof(...here), weight: 1 },
    { arbitrary: fc.tuple(fc.string(), junk).map(([key, added]) => ({ ...value, [key]: added })), weight: 1 },
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

/** Inputs that are nearly right: valid ones with up to three places changed, and some that are only junk. */
export const nearly = (valid: ReadonlyArray<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...valid).chain(mutate), weight: 5 },
    { arbitrary: fc.constantFrom(...valid).chain(mutate).chain(mutate).chain(mutate), weight: 3 },
    { arbitrary: junk, weight: 1 }
  )

/**
 * The inputs on which the service and its JSON Schema disagree, among valid and nearly valid ones; `ruleBetweenFields`
 * knows the messages of rules that JSON Schema cannot say.
 */
export const disagreements = (
  schema: Schema.Codec<unknown, unknown>,
  valid: ReadonlyArray<unknown>,
  ruleBetweenFields: (message: string) => boolean = () => false
): ReadonlyArray<unknown> => {
  const accepts = jsonSchemaAccepts(jsonSchemaOf(schema))
  const validate = validator(schema)
  const agrees = (input: unknown) => {
    const result = validate(input)
    return Result.isSuccess(result) === accepts(input) ||
      (Result.isFailure(result) && result.failure.every(({ message }) => ruleBetweenFields(message)))
  }
  const refused = valid.filter((input) => Result.isFailure(validate(input)) || !accepts(input))
  const { counterexample } = fc.check(fc.property(nearly(valid), agrees), { numRuns: 500 })
  return [...refused, ...counterexample ?? []]
}
