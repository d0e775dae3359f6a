import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { after, bold, draft, insert, outline } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { readDoc, refusal, replaceDoc } from "../DocumentTools.ts"
import { cell, document, paragraph, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const start = draft(insert(1, "One two\none Two"), bold(5, 8))

const segment = (text: string) => ({ x: { content: [paragraph(text)] } })

type Input = Parameters<typeof replaceDoc>[1]

const replaced = Effect.fnUntraced(function*(input: Input, state = start) {
  const provider = fakeDocument(state)
  const answer = yield* replaceDoc(provider.provider, input)
  return { answer, calls: provider.calls.map(({ endpoint }) => endpoint), paragraphs: outline(provider.state()) }
})

describe("docs_replace_text", () => {
  it.effect("replaces in one request and counts the occurrences", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      const answer = yield* replaceDoc(provider, { find: "two", replace: "2" })
      assert.deepStrictEqual(outline(state()), ["One **2**", "one Two"])
      const { revisionId } = yield* readDoc(provider)
      assert.deepStrictEqual(answer, { documentId: "doc", occurrences: 1, revisionId })
    }))

  const readFirst = ["documents.get", "documents.batchUpdate"]
  it.effect.each<readonly [what: string, input: Input, paragraphs: ReadonlyArray<string>, calls?: typeof readFirst]>([
    ["inserts markdown literally, in any case on request", { find: "TWO", replace: "**2**", match_case: false }, [
      "One ****2****",
      "one **2**"
    ]],
    ["reads first to find a tab", { find: "two", replace: "2", tab: "t.0" }, ["One **2**", "one Two"], readFirst],
    ["reads first to count", { find: "two", replace: "2", expected_count: 1 }, ["One **2**", "one Two"], readFirst]
  ])("%s", ([, input, paragraphs, calls = ["documents.batchUpdate"]]) =>
    Effect.gen(function*() {
      const { answer: _, ...done } = yield* replaced(input)
      assert.deepStrictEqual(done, { calls, paragraphs })
    }))

  it.effect.each<readonly [what: string, input: Input, message: string]>([
    [
      "more occurrences than expected",
      { find: "two", match_case: false, expected_count: 1 },
      "expected_count: The text occurs 2 times, not 1; nothing was replaced."
    ],
    [
      "fewer occurrences than expected, and says why",
      { find: "TWO", expected_count: 2 },
      "expected_count: The text occurs 0 times (case), not 2; nothing was replaced."
    ],
    ["characters that no document holds", { find: "\uE000" }, "find: No document holds these characters."],
    ["an unknown tab", { find: "One", tab: "Other" }, "tab: There is no tab \"Other\". The tabs are: \"Tab 1\" (t.0)"]
  ])("refuses %s", ([, input, message]) =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      assert.strictEqual(yield* refusal(replaceDoc(provider, { replace: "x", ...input })), message)
      assert.strictEqual(state(), start)
    }))

  it.effect("counts again after a concurrent edit", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start, (state, write) =>
        write === 1 ? after(state, insert(1, "two ")) : state)
      const message = yield* refusal(replaceDoc(provider, { find: "two", replace: "2", expected_count: 1 }))
      assert.strictEqual(message, "expected_count: The text occurs 2 times, not 1; nothing was replaced.")
      assert.deepStrictEqual(outline(state()), ["two One **two**", "one Two"])
    }))

  it.effect("counts in tables, headers, footers and footnotes", () =>
    Effect.gen(function*() {
      const state = document([paragraph("a"), table([cell("a"), cell("b a")])], {
        headers: segment("a"),
        footers: segment("a"),
        footnotes: segment("a")
      })
      assert.strictEqual(
        (yield* replaced({ find: "a", replace: "x", expected_count: 6 }, state)).answer["occurrences"],
        6
      )
    }))

  it.effect("says when the text is in another tab", () =>
    Effect.gen(function*() {
      const two = tabbed(tab("t.0", "Main", [paragraph("x")]), tab("t.1", "Other", [paragraph("here")]))
      const { answer, paragraphs } = yield* replaced({ find: "here", replace: "y", tab: "Main" }, two)
      assert.deepStrictEqual([answer["occurrences"], answer["no_match_reason"]], [0, "other_tab"])
      assert.deepStrictEqual(paragraphs, ["x", "here"])
    }))
})

describe("docs_replace_text says why nothing matches", () => {
  it.effect.each<readonly [reason: string, text: string, find: string]>([
    ["soft_line_break", "a\u000Bb", "a\nb"],
    ["nbsp", "a\u00A0b", "a b"],
    ["whitespace", "a  b", "a b"],
    ["dash", "a\u2013b", "a-b"],
    ["zero_width", "a\u200Bb", "ab"],
    ["case", "Ab", "ab"],
    ["not_found", "abc", "xyz"]
  ])("%s: in %j not found is %j", ([reason, text, find]) =>
    Effect.gen(function*() {
      const { answer } = yield* replaced({ find, replace: "x" }, draft(insert(1, text)))
      assert.deepStrictEqual([answer["occurrences"], answer["no_match_reason"]], [0, reason])
    }))
})
