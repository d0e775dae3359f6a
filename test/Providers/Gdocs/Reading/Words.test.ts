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
import { readDoc } from "../DocumentTools.ts"
import { document, paragraph, run } from "../Elements.ts"
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
