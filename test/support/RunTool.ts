import { assert } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { DateTime, Effect, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { InvalidInput } from "../../src/Api/Errors.ts"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import { listsOf } from "../../src/Providers/Catalog/ReadInput.ts"
import type { ProviderCalls, SmartTool } from "../../src/Providers/Provider.ts"

export type Json = Readonly<Record<string, unknown>>

export const objectsOf = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.flatMap((each) => Predicate.isObject(each) ? [{ ...each }] : []) : []
export const objectOf = (value: unknown): Json => objectsOf([value])[0] ?? {}

/** Runs the tool by default at 2026-10-06T06:30Z, which is the day before in Pacific time. */
export const runTool = <Input, Output>(
  tool: SmartTool<Input, Output>,
  provider: ProviderCalls,
  input: unknown,
  now = "2026-10-06T06:30:00Z"
) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(now)))
    const decoded = yield* Effect.mapError(
      Effect.fromResult(validator(tool.input, ["input"])(listsOf(tool).read(input, "program"))),
      (details) => new InvalidInput({ details })
    )
    const output = JSON.parse(JSON.stringify(yield* tool.run(decoded, provider)))
    assertOutput(tool, output)
    return objectOf(output)
  })

/** Texts may be given as patterns. */
export const assertFields = (output: Json, expected: Json) => {
  for (const [field, value] of Object.entries(expected)) {
    if (value instanceof RegExp) assert.match(String(output[field]), value)
    else assert.deepStrictEqual(output[field], value, field)
  }
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })

const validators = new Map<string, ValidateFunction>()

export const assertOutput = <Input, Output>(tool: SmartTool<Input, Output>, output: unknown) => {
  const validate = validators.get(tool.name) ?? ajv.compile(jsonSchemaOf(tool.output))
  validators.set(tool.name, validate)
  validate(output)
  assert.deepStrictEqual(validate.errors ?? [], [], `the output of ${tool.name}`)
}
