import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { noMatchReason } from "../../../../src/Providers/Gdocs/Writing/Search.ts"
import { after, bold, draft, insert, outline } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { readDoc, refusal, replaceDoc } from "../DocumentTools.ts"
import { cell, document, paragraph, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const start = draft(insert(1, "One two\none Two"), bold(5, 8))

const segment = (text: string) => ({ x: { content: [paragraph(text)] } })

const replaced = Effect.fnUntraced(function*(input: Parameters<typeof replaceDoc>[1], state = start) {
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

  it.effect("ignores case on request, deletes with an empty text, and inserts markdown literally", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* replaced({ find: "TWO", replace: "**2**", match_case: false })).paragraphs, [
        "One ****2****",
        "one **2**"
      ])
      assert.deepStrictEqual((yield* replaced({ find: "One ", replace: "" })).paragraphs, ["**two**", "one Two"])
    }))

  it.effect("reads first only to find a tab or to count", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* replaced({ find: "two", replace: "2" })).calls, ["documents.batchUpdate"])
      assert.deepStrictEqual((yield* replaced({ find: "two", replace: "2", tab: "t.0" })).calls, [
        "documents.get",
        "documents.batchUpdate"
      ])
      assert.deepStrictEqual((yield* replaced({ find: "two", replace: "2", expected_count: 1 })).calls, [
        "documents.get",
        "documents.batchUpdate"
      ])
    }))

  it.effect("replaces nothing when the number of occurrences differs", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      const refusalOf = (input: Parameters<typeof replaceDoc>[1]) =>
        refusal(replaceDoc(provider, { replace: "x", ...input }))
      assert.strictEqual(
        yield* refusalOf({ find: "two", match_case: false, expected_count: 1 }),
        "expected_count: The text occurs 2 times, not 1; nothing was replaced."
      )
      assert.strictEqual(
        yield* refusalOf({ find: "TWO", expected_count: 2 }),
        "expected_count: The text occurs 0 times (case), not 2; nothing was replaced."
      )
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

  it.effect("refuses characters that no document holds, and an unknown tab", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(start)
      assert.strictEqual(
        yield* refusal(replaceDoc(provider, { find: "\uE000", replace: "x" })),
        "find: No document holds these characters."
      )
      assert.strictEqual(
        yield* refusal(replaceDoc(provider, { find: "One", replace: "x", tab: "Other" })),
        "tab: There is no tab \"Other\". The tabs are: \"Tab 1\" (t.0)"
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
  const cases: ReadonlyArray<readonly [reason: string, text: string, find: string]> = [
    ["soft_line_break", "a\u000Bb", "a\nb"],
    ["nbsp", "a\u00A0b", "a b"],
    ["nbsp", "5\u202Fkm", "5 km"],
    ["whitespace", "a  b", "a b"],
    ["whitespace", "a\tb", "a b"],
    ["dash", "a\u2013b", "a-b"],
    ["zero_width", "a\u200Bb", "ab"],
    ["case", "Ab", "ab"],
    ["nbsp", "A\u00A0\u2013", "a -"],
    ["not_found", "abc", "xyz"]
  ]
  for (const [reason, text, find] of cases) {
    it.effect(`${reason}: ${JSON.stringify(find)} in ${JSON.stringify(text)}`, () =>
      Effect.gen(function*() {
        const { answer } = yield* replaced({ find, replace: "x" }, draft(insert(1, text)))
        assert.deepStrictEqual([answer["occurrences"], answer["no_match_reason"]], [0, reason])
      }))
  }

  it("accents alone are no reason", () =>
    assert.strictEqual(
      noMatchReason({ searched: ["e\u0301t\n"], elsewhere: [], find: "\u00E9t", matchCase: true }),
      "not_found"
    ))

  it("composed and decomposed accents match", () =>
    assert.strictEqual(
      noMatchReason({ searched: ["CAFE\u0301\n"], elsewhere: [], find: "caf\u00E9", matchCase: true }),
      "case"
    ))
})
