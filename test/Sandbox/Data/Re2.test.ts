import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { re2 } from "../../../src/Sandbox/Data/Re2.ts"

describe("RE2", () => {
  for (
    const [pattern, text, matches] of [
      ["(?i)^abc$", "ABC", true],
      ["(?i:a)bc", "Abc", true],
      [String.raw`\Aa\z`, "a", true],
      ["(?P<word>b+)", "abb", true],
      [String.raw`\Qa.b\E$`, "a.b", true],
      [String.raw`\p{Greek}`, "λ", true]
    ] as const
  ) {
    it(`${pattern || "the empty pattern"} ${matches ? "matches" : "does not match"} ${JSON.stringify(text)}`, () => {
      assert.deepStrictEqual(Option.map(re2(pattern), (regex) => regex.test(text)), Option.some(matches))
    })
  }

  it.each(["(", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", String.raw`(a)\1`, "[z-a]", "a?".repeat(1000)])(
    "rejects %.20s",
    (pattern) => assert.isTrue(Option.isNone(re2(pattern)))
  )

  it("accepts an escaped backslash before a digit", () => {
    assert.isTrue(Option.isSome(re2(String.raw`\\1`)))
  })
})
