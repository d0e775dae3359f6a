import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { makeKnownSecretsRedactor } from "../../src/Redaction/KnownSecrets.ts"

const { json, text } = makeKnownSecretsRedactor([
  Redacted.make("1//a+b\"c"),
  Redacted.make("1//a+b\"c-longer"),
  Redacted.make("")
])

describe("A known secret", () => {
  for (
    const echo of [
      "1//a+b\"c",
      "1%2F%2Fa%2Bb%22c",
      "1//a+b\\\"c"
    ]
  ) {
    it(`is redacted where it is written as ${echo}`, () => {
      assert.strictEqual(text(`before ${echo}, after`), "before [redacted], after")
    })
  }

  it("is redacted as a whole where another one is its beginning", () => {
    assert.strictEqual(text("1//a+b\"c-longer"), "[redacted]")
  })

  it("is redacted in every value and name, and nothing else changes", () => {
    assert.deepStrictEqual(
      json({ error: { "1//a+b\"c": [null, true, 1.5, "x 1//a+b\"c y"], message: "$& 1//a" } }),
      { error: { "[redacted]": [null, true, 1.5, "x [redacted] y"], message: "$& 1//a" } }
    )
  })
})
