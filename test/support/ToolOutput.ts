import { assert } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import type { SmartTool } from "../../src/Providers/Provider.ts"

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })

const validators = new Map<string, ValidateFunction>()

export const assertOutput = <Input, Output>(tool: SmartTool<Input, Output>, output: unknown) => {
  const validate = validators.get(tool.name) ?? ajv.compile(jsonSchemaOf(tool.output))
  validators.set(tool.name, validate)
  validate(output)
  assert.deepStrictEqual(validate.errors ?? [], [], `the output of ${tool.name}`)
}
