import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import type { Issue } from "../../src/Domain/Issue.ts"
import { validator } from "../../src/Domain/Validation.ts"
import { jsonSchemaOf } from "../../src/Providers/JsonSchema.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { googleCalls } from "./GoogleCalls.ts"
import { disagreements, gapsOf, jsonSchemaAccepts } from "./InputSchema.ts"

/** What is wrong with an input, where it stands in a call. */
export const issuesFor = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<Issue> =>
  Option.getOrElse(Result.getFailure(validator(endpoint.input, ["input"])(input)), () => [])

const callsOf = (endpoint: RawEndpoint) => googleCalls.find((calls) => calls.endpoint === endpoint)?.inputs ?? []

/** Rules between fields that the JSON Schema says stand below `allOf`; they describe no object of their own. */
const isRule = (gap: string) => gap.includes("/allOf/")

/** What every table of endpoints has to show. */
export const endpointSuite = (
  endpoints: ReadonlyArray<RawEndpoint>,
  { accepted = {}, betweenFields }: {
    /** Documented forms beside those of the contract test, by endpoint. */
    readonly accepted?: Readonly<Record<string, ReadonlyArray<unknown>>>
    /** Messages of the rules that JSON Schema cannot say; they stand in the descriptions. */
    readonly betweenFields: RegExp
  }
) => {
  describe.each(endpoints)("$id", (endpoint) => {
    const schema = jsonSchemaOf(endpoint.input)
    const kilobytes = Math.ceil(JSON.stringify(schema).length / 1000)
    const valid = [...callsOf(endpoint), ...accepted[endpoint.id] ?? []]

    it(`its input_schema, ${kilobytes} kB, is valid, closed, described throughout and below 300 kB`, () => {
      jsonSchemaAccepts(schema)
      assert.isBelow(kilobytes, 300)
      assert.deepStrictEqual(gapsOf(schema).filter((gap) => !isRule(gap)), [])
    })

    it("accepts the documented forms", () => {
      assert.isNotEmpty(valid)
      for (const input of valid) assert.deepStrictEqual(issuesFor(endpoint, input), [])
    })

    it("accepts exactly what its input_schema does, but for the rules between fields", () => {
      assert.deepStrictEqual(disagreements(endpoint.input, valid, (message) => betweenFields.test(message)), [])
    })

    it("takes no query parameter that carries a credential or changes the form of the answer", () => {
      for (const parameter of ["key", "access_token", "oauth_token", "alt", "callback", "$.xgafv", "uploadType"]) {
        const input = Object(valid[0])
        assert.deepStrictEqual(issuesFor(endpoint, { ...input, query: { ...input.query, [parameter]: "x" } }), [
          { path: ["input", "query", parameter], message: "Unknown field" }
        ])
      }
    })
  })
}
