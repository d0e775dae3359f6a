import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { insertBlocks } from "../../../../src/Providers/Gdocs/Writing/Insertion.ts"
import { noLinkTargets } from "../../../../src/Providers/Gdocs/Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../../../../src/Providers/Gdocs/Writing/Markdown/FromMarkdown.ts"
import { UnsupportedContent } from "../../../../src/Providers/Gdocs/Writing/UnsupportedContent.ts"
import { batchUpdate } from "../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { blankDocument } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import { endOf } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Tree.ts"
import { requestFaults } from "../../../support/Discovery.ts"
import { roundTrip } from "../DocumentTools.ts"
import { markdown } from "./ArbitraryMarkdown.ts"

const target = { id: "t.0", contents: {}, body: [], endIndex: 2 }

const planFor = (text: string) =>
  insertBlocks(
    blocksFromMarkdown(text, noLinkTargets, new UnsupportedContent()),
    { index: 1, mode: "fill", inTable: false },
    target,
    new UnsupportedContent()
  )

const seed = 20_261_006

describe("Any markdown", () => {
  it("becomes documented requests, and `endIndex` is the document's end", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { endIndex, requests } = planFor(text)
        if (requests.length === 0) return
        const body = JSON.stringify({ requests })
        const request = { method: "POST", url: "/v1/documents/doc:batchUpdate", body }
        assert.deepStrictEqual(requestFaults("gdocs", request), [])
        const [written] = Result.getOrThrow(batchUpdate(blankDocument("doc"), { requests }))
        assert.strictEqual(endOf(written.tabs[0]?.body ?? []), endIndex)
      }),
      { numRuns: 1000, seed }
    )
  })

  it("that was read is written and read back unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(markdown, (text) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const read = (yield* roundTrip(text)).text
            assert.strictEqual((yield* roundTrip(read)).text, read)
          }).pipe(Effect.provide(TestClock.layer()))
        )),
      { numRuns: 40, seed }
    )
  })
})
