import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { isRedacted, makeKnownSecretsRedactor, redactEcho } from "../../../src/Secrets/Redaction/KnownSecrets.ts"

const { json, text } = makeKnownSecretsRedactor([
  Redacted.make("1//a+b\"c"),
  Redacted.make("1//a+b\"c-longer"),
  Redacted.make("two words"),
  Redacted.make("")
])

describe("A known secret", () => {
  it.each(["1//a+b\"c", "1%2F%2Fa%2Bb%22c", "1//a+b\\\"c", "two%20words", "two+words"])(
    "is redacted where it is written as %s",
    (echo) => {
      assert.strictEqual(text(`before ${echo}, after`), "before [redacted], after")
    }
  )

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

describe("A body that repeats the secret of its request", () => {
  const secret = Redacted.make("ab+cd/\"0123456789\"==")
  const value = Redacted.value(secret)

  it.each([
    ["in a text", `before ${value} after`],
    ["in JSON in a text", JSON.stringify({ authorization: `Bearer ${value}` })],
    ["in a URL", `https://example.com/?apikey=${encodeURIComponent(value)}`]
  ])("loses it %s", (_, echo) => {
    const { text } = redactEcho(JsonText.stringify({ echo, rows: [1] }), secret)
    assert.notInclude(text, "0123456789")
    assert.include(text, "[redacted]")
    assert.deepStrictEqual(JSON.parse(text).rows, [1])
  })

  it("keeps everything else, to the last digit", () => {
    const body = JsonText.trusted(`{"id":12345678901234567890, "a":1.0,"a":"${value.replaceAll("\"", "\\\"")}"}`)
    const redacted = redactEcho(body, secret)
    assert.strictEqual(redacted.text, "{\"id\":12345678901234567890, \"a\":1.0,\"a\":\"[redacted]\"}")
    assert.isTrue(isRedacted(redacted))
  })

  it("is the same body where a part of the secret occurs by chance, and for a short secret", () => {
    const body = JsonText.trusted("{\"rows\":[\"0123456789\",\"short\"]}")
    assert.strictEqual(redactEcho(body, secret), body)
    assert.strictEqual(redactEcho(body, Redacted.make("short")), body)
  })

  it("stays JSON where the secret is a number", () => {
    const { value } = redactEcho(
      JsonText.trusted("{\"key\":\"1234567890\",\"n\":1234567890}"),
      Redacted.make("1234567890")
    )
    assert.deepStrictEqual(value, { key: "[redacted]", n: 1234567890 })
  })
})
