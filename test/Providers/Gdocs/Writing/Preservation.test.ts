import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { batchUpdate } from "../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document, Paragraph } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { endOf } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import { paragraphsOf } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import type { Json } from "../../../support/RunTool.ts"
import { insertDoc, written } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"
import { markdown } from "./ArbitraryMarkdown.ts"

const fraction = fc.double({ min: 0, max: 1, noNaN: true })

/** The place as a fraction of the document, and the kind. */
const edit = fc.tuple(
  fraction,
  fc.constantFrom("center", "bold", "bullet", "number", "heading", "rtl", "code", "blank")
)

const bodyEnd = (state: Document): number => endOf(state.tabs[0]?.body ?? [])

const indexAt = (state: Document, at: number): number => 1 + Math.floor(at * (bodyEnd(state) - 2))

const editRequest = (state: Document, [at, what]: readonly [number, string]): Request => {
  const index = indexAt(state, at)
  const range = { startIndex: index, endIndex: index + 1 }
  const paragraphStyle = (field: string, value: string): Request => ({
    updateParagraphStyle: { range, paragraphStyle: { [field]: value }, fields: field }
  })
  const weightedFontFamily = { fontFamily: "Roboto Mono", weight: 400 }
  const requests: Readonly<Record<string, Request>> = {
    bold: { updateTextStyle: { range, textStyle: { bold: true }, fields: "bold" } },
    code: { updateTextStyle: { range, textStyle: { weightedFontFamily }, fields: "weightedFontFamily" } },
    bullet: { createParagraphBullets: { range, bulletPreset: "BULLET_STAR_CIRCLE_SQUARE" } },
    number: { createParagraphBullets: { range, bulletPreset: "NUMBERED_DECIMAL_ALPHA_ROMAN" } },
    blank: { insertText: { location: { index }, text: "\n\n" } },
    center: paragraphStyle("alignment", "CENTER"),
    rtl: paragraphStyle("direction", "RIGHT_TO_LEFT"),
    heading: paragraphStyle("namedStyleType", "HEADING_2")
  }
  return requests[what] ?? assert.fail(what)
}

const applyEdits = (state: Document, edits: ReadonlyArray<readonly [number, string]>): Document =>
  edits.reduce((before, each) =>
    Result.match(batchUpdate(before, { requests: [editRequest(before, each)] }), {
      onSuccess: ([after]) => after,
      onFailure: () => before
    }), state)

const visible = ({ bullet, inlines, style }: Paragraph): string =>
  JSON.stringify({
    bullet,
    style,
    inlines: inlines.map((inline) => "text" in inline ? { ...inline, text: inline.text.replace("\n", "") } : inline)
      .filter((inline) => !("text" in inline) || inline.text !== "")
  })

const equalAtStart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const at = one.findIndex((each, position) => each !== other[position])
  return at === -1 ? one.length : at
}

/** The number of paragraphs that were changed, between those in front of the written text and those behind it. */
const lostIn = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): number =>
  before.length - equalAtStart(before, after) - equalAtStart(before.toReversed(), after.toReversed())

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect.pipe(Effect.provide(TestClock.layer())))

const document = fc.tuple(markdown, fc.array(edit, { maxLength: 4 }))

/** Inserts a text into a document, and counts the paragraphs that were lost. */
const write = Effect.fnUntraced(function*(
  [base, edits]: readonly [string, ReadonlyArray<readonly [number, string]>],
  inputOf: (start: Document) => Json,
  check: (lost: number) => void
) {
  const start = applyEdits(yield* written(base), edits)
  const { provider, state } = fakeDocument(start)
  const answer = yield* Effect.option(insertDoc(provider, inputOf(start)))
  if (answer._tag === "None") return assert.strictEqual(state(), start)
  check(lostIn(paragraphsOf(start).map(visible), paragraphsOf(state()).map(visible)))
  assert.strictEqual(answer.value["endIndex"], bodyEnd(state()))
})

const runs = { numRuns: 40, seed: 20_261_006 }

describe("Writing keeps the text, style and bullet of every other paragraph", () => {
  it("when text is inserted at an index, but for one paragraph that may be filled or gone on with", () =>
    fc.assert(
      fc.asyncProperty(document, markdown, fraction, (base, text, at) =>
        run(write(base, (start) => ({ text, index: indexAt(start, at) }), (lost) =>
          assert.isAtMost(lost, 1)))),
      runs
    ))

  it("when text is inserted at a heading", () =>
    fc.assert(
      fc.asyncProperty(
        document,
        markdown,
        fc.constantFrom("below_heading", "section_end"),
        ([base, edits], text, placement) =>
          run(write(
            [`# Before\n\nHere.\n\n## The place\n\n${base}`, edits],
            () => ({ text, heading: "The place", occurrence: 1, placement }),
            (lost) => assert.isAtMost(lost, placement === "section_end" ? 1 : 0)
          ))
      ),
      runs
    ))
})
