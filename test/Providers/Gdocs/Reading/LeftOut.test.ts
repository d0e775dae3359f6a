import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldDecisions } from "../../../../src/Providers/Gdocs/Reading/Fields.ts"
import type { JsonObject } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { discovery } from "../../../support/Discovery.ts"
import { providerDocuments } from "../../../support/OutsideFolder.ts"
import { readDoc } from "../DocumentTools.ts"
import { cell, document, heading, paragraph, run, table } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

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

  it.skipIf(providerDocuments.isAbsent)(
    `is decided for each field of the provider's schema${providerDocuments.absence}`,
    () => {
      const decided = Object.entries(fieldDecisions).map(([schema, decisions]) => {
        const { noted = {}, ...others } = Object(decisions)
        const names = Object.values<string>(others).flatMap((fields) => fields.split(" "))
        return [schema, [...Object.keys(noted), ...names].toSorted()]
      })
      const { schemas } = discovery("gdocs")
      const fields = decided.map(([schema]) => [
        schema,
        Object.keys(schemas[String(schema)]?.properties ?? {}).toSorted()
      ])
      assert.deepStrictEqual(decided, fields)
    }
  )
})
