import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { callsOf } from "../../../support/CallsOf.ts"
import type { Json } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, run, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const mono = { weightedFontFamily: { fontFamily: "Roboto Mono", weight: 400 } }
const thing = (element: Json) => JSON.parse(JSON.stringify(element))

const chips = document([paragraph([
  run("By "),
  thing({ person: { personProperties: { name: "Ada", email: "ada@example.com" } } }),
  run(", "),
  thing({ person: { personProperties: { email: "bob@example.com" } } }),
  run(" in "),
  thing({ richLink: { richLinkProperties: { title: "Plan", uri: "https://docs.google.com/document/d/x" } } })
])])

const suggested = document([paragraph([
  run("The "),
  run("old", {}, { suggestedDeletionIds: ["s.1"] }),
  run("new", {}, { suggestedInsertionIds: ["s.1"] }),
  run(" text")
])])

const lists = {
  a: list("DECIMAL", "ALPHA"),
  b: list("NONE"),
  c: list("GLYPH_TYPE_UNSPECIFIED"),
  d: list("●", "DECIMAL")
}

const cases: ReadonlyArray<readonly [behaviour: string, document: Document, text: string, input?: Json]> = [
  [
    "chips are links",
    chips,
    "By [Ada](mailto:ada@example.com), <bob@example.com> in [Plan](https://docs.google.com/document/d/x)"
  ],
  [
    "a date chip is its date",
    document([paragraph([
      run("Due "),
      thing({
        dateElement: { dateElementProperties: { displayText: "8 Jan 2026", timestamp: "2026-01-08T12:00:00Z" } }
      }),
      run(" \uE907")
    ])]),
    "Due 8 Jan 2026 \uFFFC"
  ],
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
    "a merged header cell keeps the table's width when covered cells are left out",
    document([table([cell("Wide", { columnSpan: 2 })], [cell("a", { rowSpan: 2 }), cell("b")], [cell("c")])]),
    "| Wide | |\n| --- | --- |\n| a | b |\n| | c |"
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
    "pipes in cells are escaped",
    document([table([cell("a|b")], [cell([paragraph([run("c|d", mono)])])])]),
    "| a\\|b |\n| --- |\n| `c\\|d` |"
  ],
  ["a soft line break is <br>", document([paragraph("one\u000Btwo")]), "one<br>two"],
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
  [
    "footnotes are listed below the text",
    document([
      paragraph([run("a"), thing({ footnoteReference: { footnoteId: "f", footnoteNumber: "1" } }), run(" b")])
    ], {
      footnotes: { f: { footnoteId: "f", content: [paragraph(" the note")] } }
    }),
    "a[^1] b\n\n[^1]: the note"
  ],
  [
    "equations and images are shown",
    document([
      paragraph([
        run("a "),
        thing({ equation: {} }),
        run(" b "),
        thing({ inlineObjectElement: { inlineObjectId: "kix.1" } })
      ])
    ], {
      inlineObjects: { "kix.1": { inlineObjectProperties: { embeddedObject: { title: "A cat" } } } }
    }),
    "a \uFFFC b ![A cat](kix.1)"
  ],
  [
    "numbers continue after a paragraph",
    document([item("one", "a"), item("two", "a"), paragraph("between"), item("three", "a")], { lists }),
    "1. one\n2. two\n\nbetween\n\n3. three"
  ],
  [
    "ordered items are numbered",
    document([item("one", "a"), item("a", "a", 1), item("b", "a", 1), item("two", "a"), item("a", "a", 1)], {
      lists
    }),
    "1. one\n   1. a\n   2. b\n2. two\n   1. a"
  ],
  [
    "nested numbers restart below each item",
    document([item("x", "d"), item("1", "d", 1), item("y", "d"), item("1", "d", 1)], { lists }),
    "- x\n  1. 1\n- y\n  1. 1"
  ],
  ["a list without glyphs has no numbers", document([item("x", "b")], { lists }), "- x"],
  ["checkboxes are tasks", document([item("x", "c")], { lists }), "- [ ] x"],
  [
    "monospaced text keeps its link",
    document([paragraph([run("a "), run("code", { ...mono, link: { url: "https://example.com" } })])]),
    "a [`code`](https://example.com)"
  ],
  [
    "spaces at the edges of bold text stay outside",
    document([
      paragraph([run("a"), run(" bold ", { bold: true }), run("b"), run(" ", { bold: true }), run("c")])
    ]),
    "a **bold** b c"
  ],
  [
    "adjacent runs with the same marks are one span",
    document([
      paragraph([
        run("a ", { bold: true }),
        run("b ", { bold: true, fontSize: { magnitude: 9 } }),
        run("c", { bold: true, italic: true })
      ])
    ]),
    "**a b _c_**"
  ],
  [
    "the title and subtitle are headings",
    document([
      paragraph("T", { style: { namedStyleType: "TITLE" } }),
      paragraph("S", { style: { namedStyleType: "SUBTITLE" } })
    ]),
    "# T\n\n## S"
  ],
  [
    "literal markdown characters are escaped",
    document([
      paragraph("# tag"),
      paragraph("1986. A year"),
      paragraph("- dash"),
      paragraph("*a* [b](c) `d` <e> snake_case a & b")
    ]),
    "\\# tag\n\n1986\\. A year\n\n\\- dash\n\n\\*a\\* \\[b]\\(c) \\`d\\` \\<e> snake_case a & b"
  ],
  [
    "a table of contents is left out",
    document([{ tableOfContents: { content: [paragraph("Chapter 1")] } }, heading(1, "Chapter 1", "h.1")]),
    "# Chapter 1"
  ],
  [
    "all tabs are read with *",
    tabbed(
      tab("t.0", "Main", [paragraph("one")], [tab("t.1", "Child", [paragraph("two")])]),
      tab("t.2", "Other", [paragraph("three")])
    ),
    "<!-- tab t.0 \"Main\" -->\n\none\n\n<!-- tab t.1 \"Child\" -->\n\ntwo\n\n<!-- tab t.2 \"Other\" -->\n\nthree",
    { tab: "*" }
  ],
  [
    "a tab's title cannot end its banner comment",
    tabbed(tab("t.0", "a --> b", [paragraph("one")]), tab("t.1", "c", [paragraph("two")])),
    "<!-- tab t.0 \"a --\\u003e b\" -->\n\none\n\n<!-- tab t.1 \"c\" -->\n\ntwo",
    { tab: "*" }
  ],
  [
    "suggested code is hidden",
    document([
      paragraph([run("a()", mono), run("b()", mono, { suggestedInsertionIds: ["s.1"] })], {
        style: { shading: { backgroundColor: { color: { rgbColor: {} } } } }
      })
    ]),
    "```\na()\n```"
  ],
  [
    "a nested tab is found by its title",
    tabbed(
      tab("t.0", "Main", [paragraph("one")], [
        tab("t.1", "Child", [paragraph("two")], [tab("t.3", "Grandchild", [paragraph("deep")])])
      ])
    ),
    "deep",
    { tab: "grandchild" }
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

  it.effect("without tabs is read as one", () =>
    Effect.gen(function*() {
      const body = {
        content: [{ startIndex: 1, endIndex: 4, paragraph: { elements: [{ textRun: { content: "Hi\n" } }] } }]
      }
      const old = callsOf((_, _input, response) =>
        Effect.orDie(Schema.decodeUnknownEffect(response)({ documentId: "doc", title: "Old", body }))
      )
      assert.strictEqual((yield* readDoc(old))["text"], "Hi")
    }))
})
