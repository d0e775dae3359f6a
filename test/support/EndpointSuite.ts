import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Issue } from "../../src/Domain/Validation/Issue.ts"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { misplacedUrls } from "../../src/Providers/Resources.ts"
import { googleCalls } from "./GoogleCalls.ts"
import { findDisagreements } from "./InputSchema.ts"

export const findIssues = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<Issue> =>
  Result.match(validator(endpoint.input, ["input"])(input), {
    onFailure: (issues) => issues,
    onSuccess: (decoded) => misplacedUrls(endpoint.resources, decoded)
  })

/** Where an input is wrong. */
export const wrongAt = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<string> =>
  findIssues(endpoint, input).map(({ path }) => path.slice(1).join("."))

const callsOf = (endpoint: RawEndpoint) => googleCalls.find((calls) => calls.endpoint === endpoint)?.inputs ?? []

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
    const valid = [...callsOf(endpoint), ...accepted[endpoint.id] ?? []]

    it("accepts documented inputs and exactly what its input_schema does, except for rules between fields", () => {
      assert.isNotEmpty(valid)
      assert.deepStrictEqual(findDisagreements(endpoint.input, valid, (message) => betweenFields.test(message)), [])
    })

    it("refuses query parameters that carry a credential or change the response format", () => {
      for (const parameter of ["key", "access_token", "oauth_token", "alt", "callback", "$.xgafv", "uploadType"]) {
        const input = Object(valid[0])
        const [issue] = findIssues(endpoint, { ...input, query: { ...input.query, [parameter]: "x" } })
        assert.deepStrictEqual(issue?.path, ["input", "query", parameter])
        assert.match(issue?.message ?? "", /^Unknown field/)
      }
    })
  })
}
