import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { batchUpdate } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Content, Document } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { plainText } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Inlines.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { endOf } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import { fromResource } from "../FromResource.ts"
import { draft, insert, table } from "./DocumentFixture.ts"

/** Long enough for most random requests to succeed. */
const start = draft(insert(1, "One two 🚀\nThree\n\tFour\nFive\n\nSix seven eight nine ten"), table(20, 2, 2))

const index = fc.integer({ min: 0, max: 40 })
const range = fc.tuple(index, fc.integer({ min: -1, max: 12 })).map(([startIndex, length]) => ({
  startIndex,
  endIndex: Math.max(0, startIndex + length)
}))

const request: fc.Arbitrary<Request> = fc.oneof(
  {
    arbitrary: fc.tuple(index, fc.constantFrom("a", "word ", "\n", "a\nb", "\tx\n\ty", "🚀", "e\u0301\n")).map((
      [at, text]
    ) => ({ insertText: { location: { index: at }, text } })),
    weight: 6
  },
  range.map((each) => ({ deleteContentRange: { range: each } })),
  range.map((each) => ({ updateTextStyle: { range: each, textStyle: { bold: true }, fields: "bold" } })),
  range.map((each) => ({
    updateTextStyle: { range: each, textStyle: { link: { url: "https://example.com" } }, fields: "link" }
  })),
  range.map((each) => ({
    updateParagraphStyle: {
      range: each,
      paragraphStyle: { namedStyleType: "HEADING_1" as const },
      fields: "namedStyleType"
    }
  })),
  range.map((each) => ({ createParagraphBullets: { range: each, bulletPreset: "BULLET_CHECKBOX" as const } })),
  range.map((each) => ({ deleteParagraphBullets: { range: each } })),
  index.map((at) => ({ insertTable: { location: { index: at }, rows: 2, columns: 2 } })),
  index.map((at) => ({ insertPageBreak: { location: { index: at } } })),
  fc.constantFrom("a", "b\n", "🚀").map((text) => ({ replaceAllText: { containsText: { text }, replaceText: "x\ny" } }))
)

const faults = (content: Content): ReadonlyArray<string> => [
  ...(content.at(-1)?.kind === "paragraph" ? [] : ["ends without a paragraph"]),
  ...content.flatMap((block, position) => {
    if (block.kind === "paragraph") return /^[^\n]*\n$/.test(plainText(block.inlines)) ? [] : [`paragraph ${position}`]
    if (block.kind !== "table") return []
    return [
      ...(content[position - 1]?.kind === "paragraph" ? [] : [`no paragraph before table ${position}`]),
      ...block.rows.flatMap((row) => row.cells.flatMap((cell) => faults(cell.content)))
    ]
  })
]

const bodyOf = (state: Document): Content => state.tabs[0]?.body ?? []

describe("A document after any requests", () => {
  it("is valid, plain JSON, and survives a round trip through its resource", () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 10, maxLength: 25 }), (requests) => {
        const state = requests.reduce(
          (before, each) =>
            Result.match(batchUpdate(before, { requests: [each] }), {
              onSuccess: ([after]) => after,
              onFailure: () => before
            }),
          start
        )
        assert.deepStrictEqual(faults(bodyOf(state)), [])
        assert.deepStrictEqual(JSON.parse(JSON.stringify(state)), state)
        const again = fromResource(documentResource(state, { includeTabsContent: true }))
        assert.deepStrictEqual(bodyOf(again), bodyOf(state))
        assert.strictEqual(endOf(bodyOf(again)), endOf(bodyOf(state)))
      }),
      { numRuns: 200, seed: 20_261_006 }
    )
  })
})
