import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { validator } from "../../../../src/Domain/Validation/Validation.ts"
import { docsAppend } from "../../../../src/Providers/Gdocs/Tools/Append.ts"
import {
  bold,
  draft,
  insert,
  named,
  outline,
  paragraphsOf
} from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { appendDoc, readDoc, refusal } from "../DocumentTools.ts"
import { document, heading, paragraph, tab, tabbed } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const start = draft(insert(1, "One two"), bold(5, 8))

describe("docs_append", () => {
  it.effect("returns the extent of the text and the end of the tab", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(start)
      const answer = yield* appendDoc(provider, { text: "## New 🚀\n\n- a\n  - b" })
      const read = yield* readDoc(provider)
      assert.deepStrictEqual(answer, {
        documentId: "doc",
        tab: "t.0",
        startIndex: 9,
        endIndex: 20,
        chars: 10,
        revisionId: read["revisionId"]
      })
      assert.strictEqual(read["endIndex"], 20)
      assert.strictEqual(read["text"], "One **two**\n\n## New 🚀\n\n- a\n  - b")
    }))

  it.effect("fills an empty last paragraph", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(draft(insert(1, "One\n"), named(5, 6, "HEADING_1")))
      const answer = yield* appendDoc(provider, { text: "Two" })
      assert.deepStrictEqual(outline(state()), ["One", "Two"])
      assert.deepStrictEqual([answer["startIndex"], answer["chars"], answer["endIndex"]], [5, 3, 9])
    }))

  it.effect("writes plain text literally, one paragraph per line", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      yield* appendDoc(provider, { text: "# not **a** heading\r\n\r\n\t- indented\n", format: "plain" })
      assert.deepStrictEqual(outline(state()), ["One **two**", "# not **a** heading", "", "\t- indented"])
    }))

  it.effect("continues the last paragraph in its style without a separator", () =>
    Effect.gen(function*() {
      const { provider, state } = fakeDocument(start)
      const answer = yield* appendDoc(provider, { text: " three\nfour", format: "plain", separator: "none" })
      assert.deepStrictEqual(outline(state()), ["One **two three**", "**four**"])
      assert.deepStrictEqual([answer["startIndex"], answer["chars"], answer["endIndex"]], [8, 11, 20])
    }))

  it("refuses markdown without a separator", () =>
    assert.deepStrictEqual(
      validator(docsAppend.input, ["input"])({ document: "doc", text: "x", separator: "none" }),
      validator(docsAppend.input, ["input"])({ document: "doc", text: "x", separator: "NONE", format: "markdown" })
    ))

  it.effect("refuses a text without content and an unknown tab, and writes nothing", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(start)
      const nothing = "text: There is nothing in the text that a document could hold."
      assert.strictEqual(yield* refusal(appendDoc(provider, { text: "<!-- -->" })), nothing)
      assert.strictEqual(yield* refusal(appendDoc(provider, { text: "\u0007", format: "plain" })), nothing)
      assert.strictEqual(
        yield* refusal(appendDoc(provider, { text: "x", tab: "Other" })),
        "tab: There is no tab \"Other\". The tabs are: \"Tab 1\" (t.0)"
      )
      assert.isTrue(calls.every(({ endpoint }) => endpoint === "documents.get"))
    }))

  it.effect("links to headings and tabs, and reports links without a target", () =>
    Effect.gen(function*() {
      const two = tabbed(
        tab("t.0", "Main", [heading(1, "A", "h.1"), paragraph("")]),
        tab("t.1", "Other", [heading(1, "B", "h.2")])
      )
      const { provider, state } = fakeDocument(two)
      const text = "[a](#heading=h.1) [b](?tab=t.1#heading=h.2) [c](?tab=t.1) [d](#heading=h.2) [e](?tab=t.9)"
      const answer = yield* appendDoc(provider, { text })
      const links = paragraphsOf(state()).flatMap(({ inlines }) =>
        inlines.flatMap((inline) =>
          "text" in inline && inline.style["link"] !== undefined ? [inline.style["link"]] : []
        )
      )
      assert.deepStrictEqual(links, [
        { heading: { id: "h.1", tabId: "t.0" } },
        { heading: { id: "h.2", tabId: "t.1" } },
        { tabId: "t.1" }
      ])
      assert.deepStrictEqual(answer["unsupported"], [
        "link \"#heading=h.2\": written as text",
        "link \"?tab=t.9\": written as text"
      ])
    }))

  it.effect("reads only the structure of the document", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(document([paragraph("x")]))
      yield* appendDoc(provider, { text: "y" })
      const fields = String(calls[0]?.input.query?.["fields"])
      assert.match(fields, /^documentId,title,revisionId,tabs\(tabProperties\(tabId,title\),documentTab\(/)
      assert.match(fields, /childTabs\(tabProperties\(tabId,title\),documentTab\(.*childTabs\(tabProperties/)
      assert.notInclude(fields, "textStyle")
    }))
})
