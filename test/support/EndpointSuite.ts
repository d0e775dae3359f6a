import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import type { Issue } from "../../src/Domain/Validation/Issue.ts"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { misplacedUrls } from "../../src/Providers/Resources.ts"

export const findIssues = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<Issue> =>
  Result.match(validator(endpoint.input, ["input"])(input), {
    onFailure: (issues) => issues,
    onSuccess: (decoded) => misplacedUrls(endpoint.resources, decoded)
  })

/** Where an input is wrong. */
export const wrongAt = (endpoint: RawEndpoint, input: unknown): ReadonlyArray<string> =>
  findIssues(endpoint, input).map(({ path }) => path.slice(1).join("."))

/** Each input is wrong at this one place. */
export const refuses = (
  endpoint: RawEndpoint,
  cases: ReadonlyArray<readonly [input: object, at: string, why?: string]>
) => {
  for (const [input, at, why = JSON.stringify(input).slice(0, 100)] of cases) {
    it(`${endpoint.id} refuses ${why}`, () => {
      assert.deepStrictEqual(wrongAt(endpoint, JSON.parse(JSON.stringify(input))), [at])
    })
  }
}
