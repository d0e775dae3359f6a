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
import type { Json } from "../../../support/RunTool.ts"
import { appendDoc, readDoc, refusal } from "../DocumentTools.ts"
import { heading, paragraph, tab, tabbed } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const start = draft(insert(1, "One two"), bold(5, 8))

describe("docs_append", () => {
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
      {
        text: " three\nfour",
        format: "plain",
        separator: "none"
      },
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
