import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Json } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, run, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const suggested = document([paragraph([
  run("The "),
  run("old", {}, { suggestedDeletionIds: ["s.1"] }),
  run("new", {}, { suggestedInsertionIds: ["s.1"] }),
  run(" text")
])])

const cases: ReadonlyArray<readonly [behaviour: string, document: Document, text: string, input?: Json]> = [
  ["suggested changes are hidden", suggested, "The old text"],
  ["suggested changes are marked on request", suggested, "The {--old--}{++new++} text", { suggestions: "mark" }],
  [
    "a suggested paragraph is hidden",
    document([paragraph("There"), {
      paragraph: { elements: [run("Not yet\n", {}, { suggestedInsertionIds: ["s.1"] })] }
    }, paragraph("Also there")]),
    "There\n\nAlso there"
  ],
  [
    "a merged header cell keeps the table's width when covered cells are listed",
    document([table([cell("Wide", { columnSpan: 2 }), cell("")], [cell("a"), cell("b")])]),
    "| Wide | |\n| --- | --- |\n| a | b |"
  ],
  [
    "the paragraphs of a cell are separated",
    document([table([cell("h")], [cell([paragraph("one"), paragraph("two")])])]),
    "| h |\n| --- |\n| one<br>two |"
  ],
  [
    "a nested table is kept in its cell",
    document([table([cell("h")], [cell([paragraph("before"), table([cell("a"), cell("b")])])])]),
    "| h |\n| --- |\n| before<br>a / b |"
  ],
  [
    "links within the document are kept",
    document([
      paragraph([run("heading", { link: { heading: { id: "h.1", tabId: "t.0" } } })]),
      paragraph([run("elsewhere", { link: { heading: { id: "h.2", tabId: "t.9" } } })]),
      paragraph([run("bookmark", { link: { bookmark: { id: "id.1", tabId: "t.0" } } })]),
      paragraph([run("tab", { link: { tabId: "t.9" } })]),
      paragraph([run("old form", { link: { headingId: "h.1" } })])
    ]),
    "[heading](#heading=h.1)\n\n[elsewhere](?tab=t.9#heading=h.2)\n\n[bookmark](#bookmark=id.1)\n\n[tab](?tab=t.9)\n\n" +
    "[old form](#heading=h.1)"
  ],
  ["a list without glyphs has no numbers", document([item("x", "b")], { lists: { b: list("NONE") } }), "- x"],
  [
    "spaces at the edges of bold text stay outside",
    document([paragraph([run("a"), run(" bold ", { bold: true }), run("b"), run(" ", { bold: true }), run("c")])]),
    "a **bold** b c"
  ],
  [
    "a table of contents is left out",
    document([{ tableOfContents: { content: [paragraph("Chapter 1")] } }, heading(1, "Chapter 1", "h.1")]),
    "# Chapter 1"
  ],
  [
    "a tab's title cannot end its banner comment",
    tabbed(tab("t.0", "a --> b", [paragraph("one")]), tab("t.1", "c", [paragraph("two")])),
    "<!-- tab t.0 \"a --\\u003e b\" -->\n\none\n\n<!-- tab t.1 \"c\" -->\n\ntwo",
    { tab: "*" }
  ]
]

describe("Reading a document: edge cases", () => {
  for (const [behaviour, state, text, input = {}] of cases) {
    it.effect(behaviour, () =>
      Effect.gen(function*() {
        const read = yield* readDoc(fakeDocument(state).provider, input)
        assert.strictEqual(read["text"], text)
      }))
  }
})
