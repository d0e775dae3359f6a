import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CredentialsRejected, UpstreamError } from "../../../../src/Api/Errors/ProviderErrors.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { type Json, objectsOf } from "../../../support/RunTool.ts"
import { readDoc, refusal, written } from "../DocumentTools.ts"
import { document, heading, item, list, paragraph, tab, tabbed } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const chapters = document([
  paragraph("The book", { style: { namedStyleType: "TITLE", headingId: "h.0" } }),
  heading(1, "One", "h.1"),
  paragraph("text"),
  heading(2, "  One   point one ", "h.2"),
  heading(3, " ", "h.3"),
  heading(1, "Two", "h.4")
])

const several = tabbed(
  tab("t.0", "Main", [heading(1, "A", "h.1"), paragraph("text")], [tab("t.1", "Notes", [paragraph("child")])]),
  tab("t.2", "Notes", [heading(1, "B", "h.2")])
)

describe("docs_read", () => {
  it.effect("returns title, URL, revision, tabs, outline, end index and text", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(chapters)
      const { revisionId, ...read } = yield* readDoc(provider)
      assert.isString(revisionId)
      assert.deepStrictEqual(read, {
        documentId: "doc",
        title: "Draft",
        url: "https://docs.google.com/document/d/doc/edit",
        tab: "t.0",
        tabs: [{ id: "t.0", title: "Tab 1", level: 0 }],
        outline: [
          { level: 0, style: "title", text: "The book", start: 1, end: 10, headingId: "h.0", tab: "t.0" },
          { level: 1, text: "One", start: 10, end: 14, headingId: "h.1", tab: "t.0" },
          { level: 2, text: "One point one", start: 19, end: 38, headingId: "h.2", tab: "t.0" },
          { level: 1, text: "Two", start: 40, end: 44, headingId: "h.4", tab: "t.0" }
        ],
        endIndex: 44,
        text: "# The book\n\n# One\n\ntext\n\n## One   point one\n\n# Two",
        truncated: false
      })
      assert.deepStrictEqual(calls, [{
        endpoint: "documents.get",
        input: {
          path: { documentId: "doc" },
          query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE", prettyPrint: false }
        }
      }])
    }))

  it.effect.each([
    new UpstreamError({ status: 403 }),
    new CredentialsRejected({ denied: true })
  ])(
    "reads without suggestions a document that the account may only view, and says so where it should mark them",
    (error) =>
      Effect.gen(function*() {
        const { provider } = fakeProvider((_, { query: { suggestionsViewMode } = {} }) =>
          suggestionsViewMode === "PREVIEW_WITHOUT_SUGGESTIONS"
            ? { suggestionsViewMode, tabs: [{ documentTab: { body: { content: [paragraph("text")] } } }] }
            : Effect.fail(error)
        )
        assert.notProperty(yield* readDoc(provider), "note")
        const { note } = yield* readDoc(provider, { suggestions: "mark" })
        assert.strictEqual(note, "The account may not see suggestions of this document.")
      })
  )

  const url = "https://docs.google.com/document/d/doc/edit?tab=t.2"
  it.effect.each<readonly [input: Json, tab: string, text: string]>([
    [{ tab: "t.1" }, "t.1", "child"],
    [{ tab: " main " }, "t.0", "# A\n\ntext"],
    [{ document: `${url}#heading=h.2` }, "t.2", "# B"],
    [{ document: url, tab: "t.1" }, "t.1", "child"],
    [{ tab: "" }, "t.0", "# A\n\ntext"]
  ])("reads the tab of %j", ([input, tab, text]) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* readDoc(fakeDocument(several).provider, input), { tab, text })
    }))

  it.effect.each([
    ["Mian", "There is no tab \"Mian\". The tabs are: \"Main\" (t.0), \"Notes\" (t.1), \"Notes\" (t.2)"],
    ["Notes", "Several tabs have the title \"Notes\"; name one by its id: \"Notes\" (t.1), \"Notes\" (t.2)"]
  ])("lists the tabs when %s is unknown or ambiguous", ([tab, message]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refusal(readDoc(fakeDocument(several).provider, { tab })), `tab: ${message}`)
    }))

  it.effect("reads all tabs with \"*\", each below a banner", () =>
    Effect.gen(function*() {
      const read = yield* readDoc(fakeDocument(several).provider, { tab: "*" })
      assert.strictEqual(read["tab"], "*")
      assert.isNull(read["endIndex"])
      assert.deepStrictEqual(read["tabs"], [
        { id: "t.0", title: "Main", level: 0 },
        { id: "t.1", title: "Notes", level: 1, parent: "t.0" },
        { id: "t.2", title: "Notes", level: 0 }
      ])
      const outline = objectsOf(read["outline"]).map(({ tab, text }) => `${tab} ${text}`)
      assert.deepStrictEqual(outline, ["t.0 A", "t.2 B"])
    }))

  it.effect("returns no markdown as `text`", () =>
    Effect.gen(function*() {
      const state = yield* written(
        "# Title\n\n**bold** [link](https://example.com)\n\n1. a\n   - b\n- [ ] c\n\n| x | y |\n| --- | --- |\n| 1 | 2<br>3 |\n\n---\n\n```\n# code\n```"
      )
      const { text } = yield* readDoc(fakeDocument(state).provider, { format: "text" })
      assert.strictEqual(text, "Title\nbold link\n1. a\n  - b\n[ ] c\nx\ty\n1\t2 3\n———\n# code")
    }))
})

describe("docs_read of a text longer than `max_chars`", () => {
  it.effect("ends after the last paragraph that fits and continues there", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(
        document(Array.from({ length: 60 }, (_, at) => paragraph(`Paragraph ${at} ${"x".repeat(80)}`)))
      )
      const whole = String((yield* readDoc(provider))["text"])
      const parts: Array<string> = []
      let start: unknown = 0
      do {
        const part = yield* readDoc(provider, { max_chars: 1000, start_index: start })
        parts.push(String(part["text"]))
        start = part["nextStartIndex"]
        assert.strictEqual(part["truncated"], start !== undefined)
        assert.strictEqual(part["endIndex"], whole.length - 59 + 2)
      } while (start !== undefined)
      assert.strictEqual(parts.join("\n\n"), whole)
      assert.isTrue(parts.every((part) => part.length <= 1000))
      assert.isTrue(parts.slice(0, -1).every((part) => part.length + 2 + 94 > 1000), "no part could have held one more")
    }))

  it.effect("returns a longer paragraph whole", () =>
    Effect.gen(function*() {
      const state = document([paragraph("x".repeat(3000)), paragraph("y")])
      const read = yield* readDoc(fakeDocument(state).provider, { max_chars: 1000 })
      assert.deepStrictEqual([String(read["text"]).length, read["truncated"], read["nextStartIndex"]], [
        3000,
        true,
        3002
      ])
    }))

  it.effect("keeps the item numbers of the whole text", () =>
    Effect.gen(function*() {
      const state = document(Array.from({ length: 30 }, (_, at) => item(`item ${at} ${"x".repeat(50)}`, "a")), {
        lists: { a: list("DECIMAL") }
      })
      const { provider } = fakeDocument(state)
      const { nextStartIndex } = yield* readDoc(provider, { max_chars: 1000 })
      const { text } = yield* readDoc(provider, { max_chars: 1000, start_index: nextStartIndex })
      assert.match(String(text), /^17\. item 16 /)
    }))

  it.effect("returns the tab to continue in, and refuses an index for all tabs", () =>
    Effect.gen(function*() {
      const one = tab("t.0", "One", [paragraph("short")])
      const two = tab("t.1", "Two", [paragraph("x".repeat(800)), paragraph("y".repeat(800))])
      const { provider } = fakeDocument(tabbed(one, two, tab("t.2", "Three", [paragraph("z")])))
      const read = yield* readDoc(provider, { tab: "*", max_chars: 1000 })
      assert.deepStrictEqual([read["truncated"], read["next_tab"], read["nextStartIndex"]], [true, "t.1", 802])
      assert.strictEqual(
        yield* refusal(readDoc(provider, { tab: "*", start_index: 5 })),
        "start_index: An index belongs to one tab: name it as `tab` to go on in it."
      )
    }))
})
