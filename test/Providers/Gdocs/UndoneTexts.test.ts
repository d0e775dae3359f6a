import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isLossy } from "../../../src/Providers/Gdocs/Undo/LossyEdits.ts"
import type { PlacedParagraph } from "../../../src/Providers/Gdocs/Undo/Paragraphs.ts"
import { changedRegions } from "../../../src/Providers/Gdocs/Undo/Regions.ts"
import { editTexts, type TextEdit } from "../../../src/Providers/Gdocs/Undo/TextEdits.ts"
import { noText } from "../../../src/Providers/Gdocs/Undo/Texts.ts"

const place = { tabId: "t", segmentId: "" }

/** Each `noText` is an image. */
const paragraphsOf = (text: string): ReadonlyArray<PlacedParagraph> => {
  let at = 0
  return text.split(/(?<=\n)/).map((line) => {
    const start = at
    at += line.length
    const pieces = Array.from(line.match(/\uFFFC|[^\uFFFC]+/g) ?? [], (text) => ({
      text,
      style: {},
      ...text === noText ? { other: { inlineObjectElement: {} } } : {}
    }))
    return { ...place, container: "/0", start, pieces, style: {}, bullet: null }
  })
}

const parts = fc.constantFrom("a", "\u0301", "\u200d", "👩‍👧", "🇩🇪", "\n", noText, "ᄒ", "ᅡ", "🌱", "🏽")
const cases = fc.record({
  text: fc.array(parts, { minLength: 1, maxLength: 12 }).map((list) => `${list.join("")}\n`),
  place: fc.nat(1000),
  length: fc.nat(3),
  inserted: fc.constantFrom("", "x", "\u0301", "🌱", "\n", "a\u200d")
})

it("the preview of a write within what looks like one character says whether it can be undone", () => {
  let lossy = 0
  fc.assert(
    fc.property(cases, ({ inserted, length, place: by, text }) => {
      const startIndex = by % text.length
      const endIndex = Math.min(startIndex + length, text.length - 1)
      const isWhole = [startIndex, endIndex].every((index) => text.slice(0, index).isWellFormed())
      const edits: ReadonlyArray<TextEdit> = [
        ...endIndex > startIndex ? [{ deleteContentRange: { range: { startIndex, endIndex } } }] : [],
        ...inserted === "" ? [] : [{ insertText: { location: { index: startIndex }, text: inserted } }]
      ]
      const before = [{ ...place, text }]
      const edited = editTexts(before, edits)
      if (!isWhole || edited === undefined || edited.changes.some(({ removed }) => removed.includes(noText))) return
      const after = edited.texts.map((segment) => segment.text).join("")
      const regions = changedRegions(paragraphsOf(text), paragraphsOf(after))
      if (regions === undefined) lossy++
      assert.strictEqual(isLossy(before, paragraphsOf(text), edits), regions === undefined)
    }),
    { numRuns: 10_000 }
  )
  assert.isAbove(lossy, 0)
})
