import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { errorDetails } from "../../src/Providers/ErrorDetails.ts"
import { makeKnownSecretsRedactor } from "../../src/Secrets/Redaction/KnownSecrets.ts"

const hidden = makeKnownSecretsRedactor([Redacted.make("hidden")])

const details = (json: string) => errorDetails(json, JsonText.trusted(json), hidden)

const nested = (levels: number) => `${"[".repeat(levels)}"hidden"${"]".repeat(levels)}`

describe("the details of a failure", () => {
  it("are the provider's JSON, or the beginning of another body", () => {
    assert.deepStrictEqual(details("{\"error\":{\"message\":\"hidden\"}}"), { error: { message: "[redacted]" } })
    assert.deepStrictEqual(errorDetails(`<p>hidden${"x".repeat(5000)}`, undefined, hidden), {
      body: `<p>[redacted]${"x".repeat(1987)}`
    })
  })

  it("are the beginning of JSON that is nested too deeply to be redacted", () => {
    assert.deepStrictEqual(JSON.stringify(details(nested(200))), nested(200).replace("hidden", "[redacted]"))
    for (const levels of [201, 100_000]) {
      assert.deepStrictEqual(details(nested(levels)), {
        body: nested(levels).replace("hidden", "[redacted]").slice(0, 2000)
      })
    }
  })
})
