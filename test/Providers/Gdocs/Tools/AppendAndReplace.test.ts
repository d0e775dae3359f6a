import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { validator } from "../../../../src/Domain/Validation/Validation.ts"
import { docsAppend } from "../../../../src/Providers/Gdocs/Tools/Append.ts"
import {
  after,
  bold,
  draft,
  insert,
  named,
  outline,
  paragraphsOf
} from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import type { Json } from "../../../support/RunTool.ts"
import { appendDoc, readDoc, refusal, replaceDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const start = draft(insert(1, "One two"), bold(5, 8))

describe("docs_append", () => {
  it.effect("continues a list that began in the cells of a table", () =>
    Effect.gen(function*() {
      const lists = { d: list("DECIMAL", "ALPHA") }
      const { provider } = fakeDocument(document([table([cell([item("a", "d")])]), item("b", "d")], { lists }))
      assert.include(String((yield* readDoc(provider))["text"]), "2. b")
      assert.notProperty(yield* appendDoc(provider, { text: "3. c" }), "unsupported")
    }))

  it.effect("returns the extent of the text and the end of the tab", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(start)
      const answer = yield* appendDoc(provider, { text: "## New 🚀\n\n- a\n  - b" })
      const { endIndex, revisionId, text } = yield* readDoc(provider)
      assert.deepStrictEqual(answer, {
        documentId: "doc",
        tab: "t.0",
        startIndex: 9,
        endIndex: 20,
        chars: 10,
        revisionId
      })
      assert.deepStrictEqual([endIndex, text], [20, "One **two**\n\n## New 🚀\n\n- a\n  - b"])
    }))

  it.effect.each<
    readonly [what: string, state: typeof start, input: Json, paragraphs: ReadonlyArray<string>, place?: object]
  >([
    ["fills an empty last paragraph", draft(insert(1, "One\n"), named(5, 6, "HEADING_1")), { text: "Two" }, [
      "One",
      "Two"
    ], { startIndex: 5, chars: 3, endIndex: 9 }],
    ["writes plain text literally, one paragraph per line", start, {
      text: "# not **a** heading\r\n\r\n\t- indented\n",
      format: "plain"
    }, ["One **two**", "# not **a** heading", "", "\t- indented"]],
    [
      "continues the last paragraph in its style without a separator",
      start,
      { text: " three\nfour", format: "plain", separator: "none" },
      ["One **two three**", "**four**"],
      { startIndex: 8, chars: 11, endIndex: 20 }
    ]
  ])("%s", ([, from, input, paragraphs, place = {}]) =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(from)
      assert.deepInclude(yield* appendDoc(provider, input), place)
      assert.deepStrictEqual(outline(state()), paragraphs)
    }))

  it("refuses markdown without a separator", () => {
    const decode = validator(docsAppend.input, ["input"])
    assert.deepStrictEqual(
      decode({ document: "doc", text: "x", separator: "none" }),
      decode({ document: "doc", text: "x", separator: "NONE", format: "markdown" })
    )
  })

  it.effect("refuses text that holds nothing, and writes nothing", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(start)
      const nothing = "text: There is nothing in the text that a document could hold."
      assert.strictEqual(yield* refusal(appendDoc(provider, { text: "<!-- -->" })), nothing)
      assert.isTrue(calls.every(({ endpoint }) => endpoint === "documents.get"))
    }))

  it.effect("links to headings and tabs, and reports links without a target", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(tabbed(
        tab("t.0", "Main", [heading(1, "A", "h.1"), paragraph("")]),
        tab("t.1", "Other", [heading(1, "B", "h.2")])
      ))
      const text = "[a](#heading=h.1) [b](?tab=t.1#heading=h.2) [c](?tab=t.1) [d](#heading=h.2) [e](?tab=t.9)"
      const { unsupported } = yield* appendDoc(provider, { text })
      const links = paragraphsOf(state()).flatMap(({ inlines }) =>
        inlines.flatMap((inline) => "text" in inline ? inline.style["link"] ?? [] : [])
      )
      assert.deepStrictEqual(links, [
        { heading: { id: "h.1", tabId: "t.0" } },
        { heading: { id: "h.2", tabId: "t.1" } },
        { tabId: "t.1" }
      ])
      assert.deepStrictEqual(unsupported, [
        "link \"#heading=h.2\": written as text",
        "link \"?tab=t.9\": written as text"
      ])
    }))
})

const twice = draft(insert(1, "One two\none Two"), bold(5, 8))

const segment = (text: string) => ({ x: { content: [paragraph(text)] } })

type Input = Parameters<typeof replaceDoc>[1]

const replaced = Effect.fnUntraced(function*(input: Input, state = twice) {
  const provider = fakeDocument(state)
  const answer = yield* replaceDoc(provider.provider, input)
  return { answer, calls: provider.calls.map(({ endpoint }) => endpoint), paragraphs: outline(provider.state()) }
})

describe("docs_replace_text", () => {
  it.effect("replaces in one request and counts the occurrences", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(twice)
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
      const { provider, state } = fakeDocument(twice)
      assert.strictEqual(yield* refusal(replaceDoc(provider, { replace: "x", ...input })), message)
      assert.strictEqual(state(), twice)
    }))

  it.effect("counts again after a concurrent edit", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(twice, (state, write) =>
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
