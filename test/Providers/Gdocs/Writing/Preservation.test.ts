import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { batchUpdate } from "../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document, Paragraph } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { endOf } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import { paragraphsOf } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { appendDoc, insertDoc, written } from "../DocumentTools.ts"
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
  switch (what) {
    case "bold":
      return { updateTextStyle: { range, textStyle: { bold: true }, fields: "bold" } }
    case "code":
      return {
        updateTextStyle: {
          range,
          textStyle: { weightedFontFamily: { fontFamily: "Roboto Mono", weight: 400 } },
          fields: "weightedFontFamily"
        }
      }
    case "bullet":
      return { createParagraphBullets: { range, bulletPreset: "BULLET_STAR_CIRCLE_SQUARE" } }
    case "number":
      return { createParagraphBullets: { range, bulletPreset: "NUMBERED_DECIMAL_ALPHA_ROMAN" } }
    case "blank":
      return { insertText: { location: { index }, text: "\n\n" } }
    default:
      return {
        updateParagraphStyle: {
          range,
          paragraphStyle: what === "center"
            ? { alignment: "CENTER" }
            : what === "rtl"
            ? { direction: "RIGHT_TO_LEFT" }
            : { namedStyleType: "HEADING_2" },
          fields: what === "center" ? "alignment" : what === "rtl" ? "direction" : "namedStyleType"
        }
      }
  }
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

/**
 * The number of unchanged paragraphs before the written text, or -1 if another paragraph changed. `lost` paragraphs may
 * be filled.
 */
const keptInFront = (before: ReadonlyArray<string>, after: ReadonlyArray<string>, lost: number): number => {
  const front = before.findIndex((each, position) => each !== after[position])
  const first = front === -1 ? before.length : front
  for (let at = first; at >= 0; at--) {
    const behind = before.slice(at + lost)
    if (behind.every((each, position) => each === after[after.length - behind.length + position])) return at
  }
  return -1
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect.pipe(Effect.provide(TestClock.layer())))

const document = fc.tuple(markdown, fc.array(edit, { maxLength: 4 }))

const seed = 20_261_006

describe("Writing keeps the text, style and bullet of every other paragraph", () => {
  it("when text is appended", async () => {
    await fc.assert(
      fc.asyncProperty(document, markdown, ([base, edits], text) =>
        run(Effect.gen(function*() {
          const start = applyEdits(yield* written(base), edits)
          const { provider, state } = fakeDocument(start)
          const answer = yield* Effect.option(appendDoc(provider, { text }))
          if (answer._tag === "None") return assert.strictEqual(state(), start)
          const before = paragraphsOf(start).map(visible)
          const filled = paragraphsOf(start).at(-1)?.inlines.map((inline) =>
              "text" in inline ? inline.text : "x"
            ).join("") === "\n"
            ? 1
            : 0
          const after = paragraphsOf(state()).map(visible)
          assert.deepStrictEqual(after.slice(0, before.length - filled), before.slice(0, before.length - filled))
          assert.strictEqual(answer.value["endIndex"], bodyEnd(state()))
        }))),
      { numRuns: 40, seed }
    )
  })

  it("when text is inserted at an index", async () => {
    await fc.assert(
      fc.asyncProperty(document, markdown, fraction, ([base, edits], text, at) =>
        run(Effect.gen(function*() {
          const start = applyEdits(yield* written(base), edits)
          const { provider, state } = fakeDocument(start)
          const answer = yield* Effect.option(insertDoc(provider, { text, index: indexAt(start, at) }))
          if (answer._tag === "None") return assert.strictEqual(state(), start)
          const [before, after] = [start, state()].map((each) => paragraphsOf(each).map(visible))
          assert.isAtLeast(keptInFront(before ?? [], after ?? [], 1), 0, "one paragraph may be filled or gone on with")
          assert.strictEqual(answer.value["endIndex"], bodyEnd(state()))
        }))),
      { numRuns: 40, seed }
    )
  })

  it("when text is inserted at a heading", async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        markdown,
        fc.constantFrom("below_heading", "section_end"),
        ([base, edits], text, placement) =>
          run(Effect.gen(function*() {
            const start = applyEdits(yield* written(`# Before\n\nHere.\n\n## The place\n\n${base}`), edits)
            const { provider, state } = fakeDocument(start)
            const answer = yield* Effect.option(
              insertDoc(provider, { text, heading: "The place", occurrence: 1, placement })
            )
            if (answer._tag === "None") return assert.strictEqual(state(), start)
            const [before, after] = [start, state()].map((each) => paragraphsOf(each).map(visible))
            const lost = placement === "section_end" ? 1 : 0
            assert.isAtLeast(keptInFront(before ?? [], after ?? [], lost), 0)
            assert.strictEqual(answer.value["endIndex"], bodyEnd(state()))
          }))
      ),
      { numRuns: 40, seed }
    )
  })
})
