import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, item, list, paragraph, run, table } from "../Elements.ts"
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

describe("Reading what paragraphs hold", () => {
  it.effect.each(cases)("%s", ([, content, markdown, text]) =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(document(content, { ...objects, lists: { l: list("●") } }))
      assert.strictEqual((yield* readDoc(provider))["text"], markdown)
      assert.strictEqual((yield* readDoc(provider, { format: "text" }))["text"], text)
    }))
})
