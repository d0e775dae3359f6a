import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { readDoc, refusal } from "../DocumentTools.ts"
import { document, item, list, paragraph, tab, tabbed } from "../Elements.ts"
import { fakeDocument } from "../FakeDocument.ts"

const long = (paragraphs: number): Document =>
  document(Array.from({ length: paragraphs }, (_, at) => paragraph(`Paragraph ${at} ${"x".repeat(80)}`)))

describe("docs_read of a text longer than `max_chars`", () => {
  it.effect("ends after the last paragraph that fits and continues there", () =>
    Effect.gen(function*() {
      const { provider } = fakeDocument(long(60))
      const whole = String((yield* readDoc(provider))["text"])
      const parts: Array<string> = []
      let start: unknown = 0
      do {
        const part = yield* readDoc(provider, { max_chars: 1000, start_index: start })
        parts.push(String(part["text"]))
        start = part["nextStartIndex"]
        assert.strictEqual(part["truncated"], start !== undefined)
        assert.strictEqual(part["endIndex"], whole.length - 59 + 2)
      } while (start !== undefined)
      assert.strictEqual(parts.join("\n\n"), whole)
      assert.isTrue(parts.every((part) => part.length <= 1000))
      assert.isTrue(parts.slice(0, -1).every((part) => part.length + 2 + 94 > 1000), "no part could have held one more")
    }))

  it.effect("returns a longer paragraph whole", () =>
    Effect.gen(function*() {
      const state = document([paragraph("x".repeat(3000)), paragraph("y")])
      const read = yield* readDoc(fakeDocument(state).provider, { max_chars: 1000 })
      assert.deepStrictEqual([String(read["text"]).length, read["truncated"], read["nextStartIndex"]], [
        3000,
        true,
        3002
      ])
    }))

  it.effect("keeps the item numbers of the whole text", () =>
    Effect.gen(function*() {
      const state = document(Array.from({ length: 30 }, (_, at) => item(`item ${at} ${"x".repeat(50)}`, "a")), {
        lists: { a: list("DECIMAL") }
      })
      const { provider } = fakeDocument(state)
      const { nextStartIndex } = yield* readDoc(provider, { max_chars: 1000 })
      const { text } = yield* readDoc(provider, { max_chars: 1000, start_index: nextStartIndex })
      assert.match(String(text), /^17\. item 16 /)
    }))

  it.effect("returns the tab to continue in, and refuses an index for all tabs", () =>
    Effect.gen(function*() {
      const one = tab("t.0", "One", [paragraph("short")])
      const two = tab("t.1", "Two", [paragraph("x".repeat(800)), paragraph("y".repeat(800))])
      const { provider } = fakeDocument(tabbed(one, two, tab("t.2", "Three", [paragraph("z")])))
      const read = yield* readDoc(provider, { tab: "*", max_chars: 1000 })
      assert.deepStrictEqual([read["truncated"], read["next_tab"], read["nextStartIndex"]], [true, "t.1", 802])
      assert.strictEqual(
        yield* refusal(readDoc(provider, { tab: "*", start_index: 5 })),
        "start_index: An index belongs to one tab: name it as `tab` to go on in it."
      )
    }))
})
