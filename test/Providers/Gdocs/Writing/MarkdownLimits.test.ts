import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exceededParseLimit } from "../../../../src/Providers/Gdocs/Writing/Markdown/ParseLimits.ts"
import { appendDoc, createDoc, refusal } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"

describe("Markdown that takes long to parse is refused before anything is written", () => {
  const refused: ReadonlyArray<readonly [what: string, markdown: string, why: RegExp]> = [
    [
      "a paragraph of spans in spans",
      "**a ".repeat(1500) + "b**".repeat(1500),
      /^The paragraph at line 1 has more than 4000/
    ],
    [
      "a paragraph of brackets over many lines",
      "text\n\n" + "[a](b)\n".repeat(2001),
      /^The paragraph at line 2003 has/
    ],
    ["quotes in quotes", "a\n\n" + ">".repeat(200) + " b", /^Line 3 is nested deeper than 100/],
    ["items in items", "- ".repeat(101) + "b", /^Line 1 is nested deeper than 100/]
  ]
  for (const [what, markdown, why] of refused) {
    it(`${what}`, () => assert.match(exceededParseLimit(markdown) ?? "", why))
  }

  const accepted: ReadonlyArray<readonly [what: string, markdown: string]> = [
    ["a long list", "- **a** [b](c)\n".repeat(3000)],
    ["code full of brackets", "```\n" + "[[[[]]]]****\n".repeat(3000) + "```\n\ntext"],
    ["a text of one line", "word ".repeat(30_000)]
  ]
  for (const [what, markdown] of accepted) {
    it(`but not ${what}`, () => assert.isUndefined(exceededParseLimit(markdown)))
  }

  it.effect("by docs_create and docs_append", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument()
      const text = ">".repeat(101)
      const message = "text: Line 1 is nested deeper than 100 levels of quotes and lists."
      assert.strictEqual(yield* refusal(createDoc(provider, text)), message)
      assert.strictEqual(yield* refusal(appendDoc(provider, { text })), message)
      assert.isFalse(calls.some(({ endpoint }) => endpoint !== "documents.get"))
      assert.strictEqual(yield* refusal(appendDoc(provider, { text, format: "plain" })), "accepted")
    }))
})
