import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Inline, type Marks, mergeTexts, noMarks } from "../../../../src/Providers/Gdocs/Reading/Inlines.ts"
import { phrasingOf } from "../../../../src/Providers/Gdocs/Reading/Phrasing.ts"
import { serializeMarkdown } from "../../../../src/Providers/Gdocs/Reading/SerializeMarkdown.ts"
import { noLinkTargets } from "../../../../src/Providers/Gdocs/Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../../../../src/Providers/Gdocs/Writing/Markdown/FromMarkdown.ts"
import type { Marks as NewMarks } from "../../../../src/Providers/Gdocs/Writing/NewBlocks.ts"
import { UnsupportedContent } from "../../../../src/Providers/Gdocs/Writing/UnsupportedContent.ts"
import type { JsonObject } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { fromResource } from "../../../Sandbox/Providers/Gdocs/FromResource.ts"
import { fixture } from "../../../support/Fixtures.ts"
import { recordedTraffic } from "../../../support/OutsideFolder.ts"
import { objectsOf } from "../../../support/RunTool.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, paragraph, run, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const styles: Readonly<Record<string, JsonObject>> = {
  p: {},
  b: { bold: true },
  i: { italic: true },
  x: { bold: true, italic: true },
  s: { strikethrough: true }
}

describe("Styles that change inside a word", () => {
  it.effect.each<readonly [runs: string, text: string]>([
    ["b:un x:likely", "**un*likely***"],
    ["i:un x:likely", "*un**likely***"],
    ["x:un b:likely", "***un*likely**"],
    ["x:un i:likely", "***un**likely*"],
    ["b:un x:like b:ly", "**un*like*ly**"],
    ["p:un x:likely", "un***likely***"],
    ["p:un x:like p:ly", "un***like***ly"],
    ["x:un p:likely", "***un***likely"],
    ["p:un b:like p:ly", "un**like**ly"],
    ["p:un i:like p:ly", "un*like*ly"],
    ["p:un s:like p:ly", "un~~like~~ly"],
    ["b:un i:likely", "**un**_likely_"],
    ["i:a b:b i:c", "*a*__b__*c*"],
    ["x:a b:b x:c", "__*a*b*c*__"],
    ["b:Note: p:text", "**Note:**&#x74;ext"]
  ])("%s", ([runs, text]) =>
    Effect.gen(function*() {
      const elements = runs.split(" ").map((each) => run(each.slice(2), styles[each.charAt(0)]))
      const { provider } = fakeDocument(document([paragraph(elements)]))
      assert.strictEqual((yield* readDoc(provider))["text"], text)
    }))

  const url = "https://a.example/"
  const marks: fc.Arbitrary<Marks> = fc.tuple(
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom({}, {}, {}, { code: true }, { baseline: "sup" as const }, { baseline: "sub" as const }, {
      href: url
    })
  ).map(([strong, emphasis, strike, more]) => ({ ...noMarks, strong, emphasis, delete: strike, ...more }))
  const value = fc.constantFrom(
    ..."a un likely . (x) é * _ ~ < a_b ` 5 & \\ [x] ! | # &#x61; </sup>".split(" "),
    " ",
    "c d"
  )

  it("read by CommonMark, each character has the marks that it had", () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(value, marks), { minLength: 1, maxLength: 6 }), (runs) => {
        const inlines = runs.map(([text, each]): Inline => ({ kind: "text", value: text, marks: each }))
        const wanted = runs.flatMap(([text, each]) => Array.from(text, (letter) => letter + names(each, letter)))
        const markdown = serializeMarkdown([{
          type: "paragraph",
          children: phrasingOf([end, ...mergeTexts(inlines), end])
        }])
        assert.deepStrictEqual(charactersOf(markdown), ["^", ...wanted, "^"], markdown)
      }),
      { numRuns: 3000, seed: 20_261_129 }
    ))
})

const end: Inline = { kind: "text", value: "^", marks: noMarks }

const names = ({ baseline, code, delete: strike, emphasis, href, strong }: Marks, letter: string): string =>
  letter.trim() === ""
    ? ""
    : [strong && "b", emphasis && "i", strike && "s", code && "c", baseline, href !== undefined && "a"].filter(Boolean)
      .join("")

const newNames = ({ baseline, bold, code, italic, link, strikethrough }: NewMarks = {}): Marks => ({
  strong: bold === true,
  emphasis: italic === true,
  delete: strikethrough === true,
  code: code === true,
  ...(baseline === undefined ? {} : { baseline: baseline === "SUPERSCRIPT" ? "sup" : "sub" }),
  ...(link === undefined ? {} : { href: "" })
})

const charactersOf = (markdown: string): ReadonlyArray<string> =>
  blocksFromMarkdown(markdown, noLinkTargets, new UnsupportedContent()).flatMap((block) =>
    block.kind !== "paragraphs" ? [] : block.paragraphs.flatMap(({ runs, text }) => {
      let at = 0
      return Array.from(text, (letter) => {
        const found = runs.find(({ end: to, start }) => start <= at && at < to)
        at += letter.length
        return letter + names(newNames(found?.marks), letter)
      })
    })
  )

const code = { weightedFontFamily: { fontFamily: "Consolas", weight: 400 } }
const yellow = { backgroundColor: { color: { rgbColor: { red: 1, green: 1 } } } }
const white = { backgroundColor: { color: { rgbColor: { red: 1, green: 1, blue: 1 } } } }
const link = { url: "https://a.example/" }

const cases: ReadonlyArray<
  readonly [content: ReadonlyArray<JsonObject>, note: string | undefined, text?: string | undefined, more?: JsonObject]
> = [
  [[heading(1, "A", "h"), paragraph([run("b", { ...white, bold: true, underline: true, link })])], undefined, "1 link"],
  [
    [
      paragraph([run("a"), { pageBreak: {} }, { columnBreak: {} }, run("b"), { equation: {} }, run("\uE907")]),
      paragraph("c", { style: { pageBreakBefore: true } }),
      { sectionBreak: { sectionStyle: {} } },
      { tableOfContents: { content: [paragraph("c")] } },
      paragraph([{ somethingNew: {} }])
    ],
    "2 page breaks, 1 column break, 1 equation, 1 section break, 1 table of contents, " +
    "1 element of an unknown kind, 1 chip of an unknown kind"
  ],
  [
    [
      paragraph([run("a", { underline: true }), run("b", { underline: true, ...yellow }), run("c"), run("d", yellow)]),
      table([cell([heading(2, "e", "h")]), cell("f")]),
      paragraph([run("if", { ...code, bold: true }), run(" x:\u000B  y", code), run("z", { ...code, link })])
    ],
    "1 underlined passage, 2 highlighted passages, 1 heading style in a table, 2 marks in code",
    "1 underlined passage, 2 highlighted passages, 1 heading style in a table, 1 link, 2 marks in code"
  ],
  [[paragraph([run("old", { strikethrough: true })])], undefined, "1 struck-through passage"],
  [
    [paragraph([
      { person: { personProperties: { name: "Ada", email: "ada@example.com" } } },
      { person: { personProperties: { email: "ben@example.com" } } },
      { richLink: { richLinkProperties: { title: "Plan", uri: "https://docs.example/plan" } } }
    ])],
    undefined,
    "2 links"
  ],
  [
    [paragraph("a")],
    "1 header, 1 title of a picture, 1 link to a chart, 1 drawing, 2 named ranges, 1 comment",
    undefined,
    {
      headers: { h: { headerId: "h", content: [paragraph([{ autoText: { type: "PAGE_NUMBER" } }])] } },
      footers: { f: { footerId: "f", content: [paragraph("")] } },
      inlineObjects: {
        i: { inlineObjectProperties: { embeddedObject: { title: "t", description: "d" } } },
        j: { inlineObjectProperties: { embeddedObject: { linkedContentReference: {} } } }
      },
      positionedObjects: { p: { positionedObjectProperties: { embeddedObject: { embeddedDrawingProperties: {} } } } },
      namedRanges: { a: {}, b: {} },
      commentAnchors: { c: {} }
    }
  ]
]

const noteOf = (kinds: string | undefined) =>
  kinds === undefined ? undefined : `The text leaves out: ${kinds}. The endpoint documents.get has them.`

describe("What the text of a document leaves out", () => {
  it.effect.each(cases)(
    "is counted in `note`: %#",
    ([content, note, text = note, more = {}]) =>
      Effect.gen(function*() {
        const { provider } = fakeDocument(document(content, more))
        assert.strictEqual((yield* readDoc(provider))["note"], noteOf(note))
        assert.strictEqual((yield* readDoc(provider, { format: "text" }))["note"], noteOf(text))
      })
  )
})

const read = (name: string) =>
  readDoc(fakeDocument(fromResource(JSON.parse(JSON.stringify(fixture(`google-docs/${name}.json`))))).provider)

describe.skipIf(recordedTraffic.isAbsent)(`Recorded documents${recordedTraffic.absence}`, () => {
  const texts: ReadonlyArray<readonly [name: string, start: string, end: string]> = [
    ["breaks", "", ""],
    ["empty", "", ""],
    ["footnotes", "Text with a footnote[^1] and an other one[^2]", "[^2]: Footnote 2 description"],
    ["horizontal-rule", "Text followed by horizontal rule\n\n---", "and some other text"],
    [
      "links",
      "[to self](https://docs.google.com/document/d/",
      "[unknown url](https://docs.google.com/document/d/unknown)"
    ],
    [
      "lists",
      "- List **item** 1\n  1. Sublist item 1\n  2. Sublist item 2",
      "  2. Sub list item 2\n  3. Sub list item 3\n- List item 4\n- List item 5"
    ],
    ["special-chars", "19980006564\u202F-\u202F0081", "19980006564\u202F-\u202F0081"],
    ["tables", "| Col 1 | Col 2 | Col 3 |\n| --- | --- | --- |", "| Col 1 line 2 | Col 2 line 2 | Col 3 line 2 |"],
    [
      "texts",
      "# Title level 1\n\n## Title level 2",
      "Text Coloredredgreenblue\n\nText with background colorredgreenblue"
    ]
  ]
  for (const [name, start, end] of texts) {
    it.effect(`are read: ${name}`, () =>
      Effect.gen(function*() {
        const text = String((yield* read(`gatsby-source-google-docs__${name}`))["text"])
        assert.strictEqual(text.slice(0, start.length), start)
        assert.strictEqual(text.slice(text.length - end.length), end)
      }))
  }

  it.effect("are read: single-tab, with a table of contents, chips, suggestions, an image and code", () =>
    Effect.gen(function*() {
      const { endIndex, note, outline, pending_suggestions, text } = yield* read("markkohdev__single-tab")
      const parts = [
        "# Markdown Conversion Example - Single Tab\n\n## Document Subtitle\n\nAuthor: [Mark Koh](mailto:person@example.com)\n\nDate: 2026-01-08\n\n**Table of Contents**\n\n# Project Overview",
        "![](kix.z7gloano634x)",
        "This text **should be bold**. This text *should be italic*. This text has a blue",
        "| Header 1 | Header 2 | Header 3 |\n| --- | --- | --- |\n| Data A1 | Data B1 | Data C1 |",
        "- [ ] **Project Lead:** [Mark Koh](mailto:person@example.com)\n- [ ] Other person: \uFFFC",
        "```\ndef calculate_markdown_conversion(doc_content):\n    \"\"\"Placeholder for a Python function.\"\"\"\n    if"
      ]
      for (const part of parts) assert.include(String(text), part)
      assert.isTrue(String(text).endsWith("return \"Content converted\"\n```"), "what is only suggested is not there")
      assert.deepStrictEqual([pending_suggestions, endIndex], [2, 3042])
      assert.include(String(note), ": 1 table of contents, 1 highlighted passage, 4 chips of an unknown kind.")
      assert.deepStrictEqual(
        objectsOf(outline).slice(0, 3).map(({ level, style, text: title }) => [level, style, title]),
        [
          [0, "title", "Markdown Conversion Example - Single Tab"],
          [0, "subtitle", "Document Subtitle"],
          [1, undefined, "Project Overview: Markdown Tool Testing (Heading 1)"]
        ]
      )
    }))
})
