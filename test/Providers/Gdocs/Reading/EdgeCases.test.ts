import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { callsOf } from "../../../support/CallsOf.ts"
import type { Json } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, run, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

interface Case {
  readonly behaviour: string
  readonly document: Document
  readonly input?: Json
  readonly text: string
}

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

const cases: ReadonlyArray<Case> = [
  {
    behaviour: "chips are links",
    document: chips,
    text: "By [Ada](mailto:ada@example.com), <bob@example.com> in [Plan](https://docs.google.com/document/d/x)"
  },
  {
    behaviour: "a date chip is its date",
    document: document([paragraph([
      run("Due "),
      thing({
        dateElement: { dateElementProperties: { displayText: "8 Jan 2026", timestamp: "2026-01-08T12:00:00Z" } }
      }),
      run(" \uE907")
    ])]),
    text: "Due 8 Jan 2026 \uFFFC"
  },
  { behaviour: "suggested changes are hidden", document: suggested, text: "The old text" },
  {
    behaviour: "suggested changes are marked on request",
    document: suggested,
    input: { suggestions: "mark" },
    text: "The {--old--}{++new++} text"
  },
  {
    behaviour: "a suggested paragraph is hidden",
    document: document([paragraph("There"), {
      paragraph: { elements: [run("Not yet\n", {}, { suggestedInsertionIds: ["s.1"] })] }
    }, paragraph("Also there")]),
    text: "There\n\nAlso there"
  },
  {
    behaviour: "a merged header cell keeps the table's width when covered cells are listed",
    document: document([table([cell("Wide", { columnSpan: 2 }), cell("")], [cell("a"), cell("b")])]),
    text: "| Wide | |\n| --- | --- |\n| a | b |"
  },
  {
    behaviour: "a merged header cell keeps the table's width when covered cells are left out",
    document: document([table([cell("Wide", { columnSpan: 2 })], [cell("a", { rowSpan: 2 }), cell("b")], [cell("c")])]),
    text: "| Wide | |\n| --- | --- |\n| a | b |\n| | c |"
  },
  {
    behaviour: "the paragraphs of a cell are separated",
    document: document([table([cell("h")], [cell([paragraph("one"), paragraph("two")])])]),
    text: "| h |\n| --- |\n| one<br>two |"
  },
  {
    behaviour: "a nested table is kept in its cell",
    document: document([table([cell("h")], [cell([paragraph("before"), table([cell("a"), cell("b")])])])]),
    text: "| h |\n| --- |\n| before<br>a / b |"
  },
  {
    behaviour: "pipes in cells are escaped",
    document: document([table([cell("a|b")], [cell([paragraph([run("c|d", mono)])])])]),
    text: "| a\\|b |\n| --- |\n| `c\\|d` |"
  },
  { behaviour: "a soft line break is <br>", document: document([paragraph("one\u000Btwo")]), text: "one<br>two" },
  {
    behaviour: "links within the document are kept",
    document: document([
      paragraph([run("heading", { link: { heading: { id: "h.1", tabId: "t.0" } } })]),
      paragraph([run("elsewhere", { link: { heading: { id: "h.2", tabId: "t.9" } } })]),
      paragraph([run("bookmark", { link: { bookmark: { id: "id.1", tabId: "t.0" } } })]),
      paragraph([run("tab", { link: { tabId: "t.9" } })]),
      paragraph([run("old form", { link: { headingId: "h.1" } })])
    ]),
    text:
      "[heading](#heading=h.1)\n\n[elsewhere](?tab=t.9#heading=h.2)\n\n[bookmark](#bookmark=id.1)\n\n[tab](?tab=t.9)\n\n" +
      "[old form](#heading=h.1)"
  },
  {
    behaviour: "footnotes are listed below the text",
    document: document([
      paragraph([run("a"), thing({ footnoteReference: { footnoteId: "f", footnoteNumber: "1" } }), run(" b")])
    ], {
      footnotes: { f: { footnoteId: "f", content: [paragraph(" the note")] } }
    }),
    text: "a[^1] b\n\n[^1]: the note"
  },
  {
    behaviour: "equations and images are shown",
    document: document([
      paragraph([
        run("a "),
        thing({ equation: {} }),
        run(" b "),
        thing({ inlineObjectElement: { inlineObjectId: "kix.1" } })
      ])
    ], {
      inlineObjects: { "kix.1": { inlineObjectProperties: { embeddedObject: { title: "A cat" } } } }
    }),
    text: "a \uFFFC b ![A cat](kix.1)"
  },
  {
    behaviour: "numbers continue after a paragraph",
    document: document([item("one", "a"), item("two", "a"), paragraph("between"), item("three", "a")], { lists }),
    text: "1. one\n2. two\n\nbetween\n\n3. three"
  },
  {
    behaviour: "ordered items are numbered",
    document: document([item("one", "a"), item("a", "a", 1), item("b", "a", 1), item("two", "a"), item("a", "a", 1)], {
      lists
    }),
    text: "1. one\n   1. a\n   2. b\n2. two\n   1. a"
  },
  {
    behaviour: "nested numbers restart below each item",
    document: document([item("x", "d"), item("1", "d", 1), item("y", "d"), item("1", "d", 1)], { lists }),
    text: "- x\n  1. 1\n- y\n  1. 1"
  },
  { behaviour: "a list without glyphs has no numbers", document: document([item("x", "b")], { lists }), text: "- x" },
  { behaviour: "checkboxes are tasks", document: document([item("x", "c")], { lists }), text: "- [ ] x" },
  {
    behaviour: "monospaced text keeps its link",
    document: document([paragraph([run("a "), run("code", { ...mono, link: { url: "https://example.com" } })])]),
    text: "a [`code`](https://example.com)"
  },
  {
    behaviour: "spaces at the edges of bold text stay outside",
    document: document([
      paragraph([run("a"), run(" bold ", { bold: true }), run("b"), run(" ", { bold: true }), run("c")])
    ]),
    text: "a **bold** b c"
  },
  {
    behaviour: "adjacent runs with the same marks are one span",
    document: document([
      paragraph([
        run("a ", { bold: true }),
        run("b ", { bold: true, fontSize: { magnitude: 9 } }),
        run("c", { bold: true, italic: true })
      ])
    ]),
    text: "**a b _c_**"
  },
  {
    behaviour: "the title and subtitle are headings",
    document: document([
      paragraph("T", { style: { namedStyleType: "TITLE" } }),
      paragraph("S", { style: { namedStyleType: "SUBTITLE" } })
    ]),
    text: "# T\n\n## S"
  },
  {
    behaviour: "literal markdown characters are escaped",
    document: document([
      paragraph("# tag"),
      paragraph("1986. A year"),
      paragraph("- dash"),
      paragraph("*a* [b](c) `d` <e> snake_case a & b")
    ]),
    text: "\\# tag\n\n1986\\. A year\n\n\\- dash\n\n\\*a\\* \\[b]\\(c) \\`d\\` \\<e> snake_case a & b"
  },
  {
    behaviour: "a table of contents is left out",
    document: document([{ tableOfContents: { content: [paragraph("Chapter 1")] } }, heading(1, "Chapter 1", "h.1")]),
    text: "# Chapter 1"
  },
  {
    behaviour: "all tabs are read with *",
    document: tabbed(
      tab("t.0", "Main", [paragraph("one")], [tab("t.1", "Child", [paragraph("two")])]),
      tab("t.2", "Other", [paragraph("three")])
    ),
    input: { tab: "*" },
    text: "<!-- tab t.0 \"Main\" -->\n\none\n\n<!-- tab t.1 \"Child\" -->\n\ntwo\n\n<!-- tab t.2 \"Other\" -->\n\nthree"
  },
  {
    behaviour: "a tab's title cannot end its banner comment",
    document: tabbed(tab("t.0", "a --> b", [paragraph("one")]), tab("t.1", "c", [paragraph("two")])),
    input: { tab: "*" },
    text: "<!-- tab t.0 \"a --\\u003e b\" -->\n\none\n\n<!-- tab t.1 \"c\" -->\n\ntwo"
  },
  {
    behaviour: "suggested code is hidden",
    document: document([
      paragraph([run("a()", mono), run("b()", mono, { suggestedInsertionIds: ["s.1"] })], {
        style: { shading: { backgroundColor: { color: { rgbColor: {} } } } }
      })
    ]),
    text: "```\na()\n```"
  },
  {
    behaviour: "a nested tab is found by its title",
    document: tabbed(
      tab("t.0", "Main", [paragraph("one")], [
        tab("t.1", "Child", [paragraph("two")], [tab("t.3", "Grandchild", [paragraph("deep")])])
      ])
    ),
    input: { tab: "grandchild" },
    text: "deep"
  }
]

describe("Reading a document: edge cases", () => {
  for (const { document: state, input = {}, text, behaviour } of cases) {
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
