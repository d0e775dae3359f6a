import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import type { Issue } from "../../src/Domain/Validation/Issue.ts"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../src/Providers/JsonSchema.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { googleCalls } from "./GoogleCalls.ts"
import { compileJsonSchema, findDisagreements, findGaps } from "./InputSchema.ts"

export const findIssues = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<Issue> =>
  Option.getOrElse(Result.getFailure(validator(endpoint.input, ["input"])(input)), () => [])

const callsOf = (endpoint: RawEndpoint) => googleCalls.find((calls) => calls.endpoint === endpoint)?.inputs ?? []

/** Rules between fields are below `allOf` and need no description. */
const isRule = (gap: string) => gap.includes("/allOf/")

export const endpointSuite = (
  endpoints: ReadonlyArray<RawEndpoint>,
  { accepted = {}, betweenFields }: {
    /** Further valid inputs by endpoint, besides those of the contract test. */
    readonly accepted?: Readonly<Record<string, ReadonlyArray<unknown>>>
    /** Messages of rules that JSON Schema cannot express. Field descriptions mention them. */
    readonly betweenFields: RegExp
  }
) => {
  describe.each(endpoints)("$id", (endpoint) => {
    const schema = jsonSchemaOf(endpoint.input)
    const kilobytes = Math.ceil(JSON.stringify(schema).length / 1000)
    const valid = [...callsOf(endpoint), ...accepted[endpoint.id] ?? []]

    it(`has a valid and closed input_schema of ${kilobytes} kB, below 300 kB, that describes every field`, () => {
      compileJsonSchema(schema)
      assert.isBelow(kilobytes, 300)
      assert.deepStrictEqual(findGaps(schema).filter((gap) => !isRule(gap)), [])
    })

    it("accepts documented inputs", () => {
      assert.isNotEmpty(valid)
      for (const input of valid) assert.deepStrictEqual(findIssues(endpoint, input), [])
    })

    it("accepts exactly what its input_schema does, except for rules between fields", () => {
      assert.deepStrictEqual(findDisagreements(endpoint.input, valid, (message) => betweenFields.test(message)), [])
    })

    it("refuses query parameters that carry a credential or change the response format", () => {
      for (const parameter of ["key", "access_token", "oauth_token", "alt", "callback", "$.xgafv", "uploadType"]) {
        const input = Object(valid[0])
        assert.deepStrictEqual(findIssues(endpoint, { ...input, query: { ...input.query, [parameter]: "x" } }), [
          { path: ["input", "query", parameter], message: "Unknown field" }
        ])
      }
    })
  })
}
