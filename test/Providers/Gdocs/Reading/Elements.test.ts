import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { JsonObject } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type { Json } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, run, tab, tabbed, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const sup = { baselineOffset: "SUPERSCRIPT" }
const sub = { baselineOffset: "SUBSCRIPT" }
const bold = { bold: true }
const code = { weightedFontFamily: { fontFamily: "Consolas", weight: 400 } }
const python = "def f():\u000B    return 1"

const picture = {
  embeddedObject: { title: "Floor plan", description: "Plan of the ground floor", imageProperties: {} }
}
const floating = { rest: { positionedObjectIds: ["kix.p"] } }
const objects = {
  inlineObjects: { "kix.i": { inlineObjectProperties: { embeddedObject: { title: "Logo", description: "" } } } },
  positionedObjects: { "kix.p": { positionedObjectProperties: picture } }
}
const plan = "![Plan of the ground floor](kix.p)"
const logo = (textStyle: JsonObject = {}): JsonObject => ({
  inlineObjectElement: { inlineObjectId: "kix.i", textStyle }
})
const person = (textStyle: JsonObject): JsonObject => ({
  person: { personProperties: { name: "Ann", email: "ann@a.example" }, textStyle }
})
const url = "https://a.example/"

const cases: ReadonlyArray<
  readonly [what: string, content: ReadonlyArray<JsonObject>, markdown: string, text: string]
> = [
  [
    "superscript and subscript",
    [paragraph([run("Area: 10"), run("2", sup), run(" m, in H"), run("3", sub), run("O.")])],
    "Area: 10<sup>2</sup> m, in H<sub>3</sub>O.",
    "Area: 10^(2) m, in H_(3)O."
  ],
  [
    "marks across a superscript",
    [paragraph([
      run("x", bold),
      run("n", { ...bold, ...sup }),
      run(" a"),
      run("y", bold),
      run("2", { ...bold, ...sup }),
      run("z")
    ])],
    "**x<sup>n</sup>** a**y**<sup>**2**</sup>z",
    "x^(n) ay^(2)z"
  ],
  [
    "superscript in an item, a cell and a heading",
    [heading(1, "a", "h"), item("b", "l"), table([cell([paragraph([run("m"), run("2", sup)])]), cell("\n")])],
    "# a\n\n- b\n\n| m<sup>2</sup> | |\n| --- | --- |",
    "a\n- b\nm^(2)\t"
  ],
  ["a floating picture", [paragraph("Above", floating)], `Above ${plan}`, "Above Plan of the ground floor"],
  ["a floating picture at an empty paragraph", [paragraph("", floating)], plan, "Plan of the ground floor"],
  [
    "a floating picture in a cell and an item",
    [item("b", "l"), table([cell([paragraph("", floating)]), cell("Fox")])],
    `- b\n\n| ${plan} | Fox |\n| --- | --- |`,
    "- b\nPlan of the ground floor\tFox"
  ],
  [
    "a linked picture",
    [paragraph([run("See "), logo({ link: { url } }), run(" here", { link: { url } })])],
    `See [![Logo](kix.i) here](${url})`,
    "See Logo here"
  ],
  [
    "marks on chips",
    [paragraph([
      person({ strikethrough: true }),
      run(" and "),
      { richLink: { richLinkProperties: { title: "Plan", uri: url }, textStyle: bold } },
      run(" on "),
      { dateElement: { dateElementProperties: { displayText: "1 May" }, textStyle: { italic: true } } },
      run(", page "),
      { autoText: { type: "PAGE_NUMBER", textStyle: bold } }
    ])],
    `[~~Ann~~](mailto:ann@a.example) and [**Plan**](${url}) on *1 May*, page **[page number]**`,
    "Ann and Plan on 1 May, page [page number]"
  ],
  [
    "lines of code in one paragraph",
    [paragraph([run(python, code)])],
    "```\ndef f():\n    return 1\n```",
    "def f():\n    return 1"
  ],
  [
    "a table that frames code, and code below it",
    [table([cell([paragraph([run(python, code)])])]), paragraph([run(python, code)]), paragraph("end")],
    "```\ndef f():\n    return 1\n```\n\n```\ndef f():\n    return 1\n```\n\nend",
    "def f():\n    return 1\ndef f():\n    return 1\nend"
  ],
  [
    "indented code in a cell and behind a text",
    [table([cell([paragraph([run("a:\u000B"), run("    b", code)])]), cell("c")]), paragraph([run("  x", code)])],
    "| a:<br>`    b` | c |\n| --- | --- |\n\n`  x`",
    "a:     b\tc\n  x"
  ]
]

const suggested = document([paragraph([
  run("The "),
  run("old", {}, { suggestedDeletionIds: ["s.1"] }),
  run("new", {}, { suggestedInsertionIds: ["s.1"] }),
  run(" text")
])])

const added = { suggestedInsertionIds: ["s.1"] }
const numbered = { bullet: { listId: "kix.l" } }
const addedItem: ReadonlyArray<JsonObject> = [
  { paragraph: { elements: [run("one"), run("\n", {}, added)], ...numbered } },
  { paragraph: { elements: [run("not yet", {}, added), run("\n")], ...numbered } },
  paragraph("two", { rest: numbered })
]

const documents: ReadonlyArray<readonly [behaviour: string, document: Document, text: string, input?: Json]> = [
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
    "a suggested list item is hidden and not counted",
    document([...addedItem, table([cell(addedItem)])], { lists: { "kix.l": list("DECIMAL") } }),
    "1. one\n2. two\n\n| 3. one<br>4. two |\n| --- |"
  ],
  [
    "a numbered column of a table goes on from row to row",
    document([table([cell([item("a", "d")]), cell("x")], [cell([item("b", "d")]), cell("y")])], {
      lists: { d: list("DECIMAL") }
    }),
    "| 1. a | x |\n| --- | --- |\n| 2. b | y |"
  ],
  [
    "a break or a rule inside a paragraph parts its words",
    document([
      paragraph([run("one"), { pageBreak: {} }, run("two"), { columnBreak: {} }, run("three"), { pageBreak: {} }]),
      paragraph([{ horizontalRule: {} }, run("four")])
    ]),
    "one<br>two<br>three\n\n---\n\nfour"
  ],
  [
    "a suggested footnote is hidden",
    document([paragraph([run("a"), { footnoteReference: { footnoteId: "f", footnoteNumber: "1", ...added } }])], {
      footnotes: { f: { content: [{ paragraph: { elements: [run("Not yet\n", {}, added)] } }] } }
    }),
    "a"
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
  ["a tab in a cell of a text is no further cell", document([table([cell("a\tb"), cell("c")])]), "a b\tc", {
    format: "text"
  }],
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

describe("Reading a document", () => {
  it.effect.each(cases)("%s", ([, content, markdown, text]) =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(document(content, { ...objects, lists: { l: list("●") } }))
      assert.strictEqual((yield* readDoc(provider))["text"], markdown)
      assert.strictEqual((yield* readDoc(provider, { format: "text" }))["text"], text)
    }))

  it.effect.each(documents)("%s", ([, state, text, input = {}]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* readDoc(fakeDocument(state).provider, input))["text"], text)
    }))
})
