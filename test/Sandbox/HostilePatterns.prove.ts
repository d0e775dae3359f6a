import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import { filtered, query } from "./Providers/Gsc/Fixture.ts"
import { batchUpdate, oneTab } from "./Providers/Gsheets/Engine/SpreadsheetFixture.ts"
import { now, sandboxAt } from "./SandboxFixture.ts"

const patterns = [
  "^(([a-z ])+.)+[A-Z]([a-z])+$",
  "^(\\w+\\s?)+$!",
  "(x+x+)+y",
  "(.*a){25}Q",
  "^((.*)(.*)){40}[A-Z]$",
  ".?".repeat(450) + "[A-Z]$"
]

layer(sandboxAt(now))("A filter by regular expression", (it) => {
  for (const pattern of patterns) {
    it.effect(`does not hold the process for ${pattern.slice(0, 30)}`, () =>
      Effect.gen(function*() {
        yield* query(filtered("query", "contains", "compost"))
        const search = query(filtered("query", "includingRegex", pattern))
        assert.isBelow(yield* longestHold(search), maxHoldMillis)
      }))
  }
})

const findReplace = (cells: ReadonlyArray<string>, request: object) =>
  longestHold(
    Effect.sync(() =>
      batchUpdate(oneTab(cells.map((cell) => [cell])), { findReplace: { replacement: "z", sheetId: 0, ...request } })
    )
  )

describe("Find and replace", () => {
  const longTexts = ["a".repeat(50_000), "x".repeat(50_000), "word ".repeat(10_000)]

  for (const find of [...patterns, "a*?b|a", "(a?){200}", "(a|aa)+$"]) {
    it.effect(`does not hold the process for ${find.slice(0, 30)}`, () =>
      Effect.gen(function*() {
        assert.isBelow(yield* findReplace(longTexts, { find, searchByRegex: true }), maxHoldMillis)
      }))
  }

  it("refuses a search that takes too long, and changes nothing", () => {
    const before = oneTab([["b"], ["a".repeat(50_000)]])
    const { body, spreadsheet, status } = batchUpdate(before, {
      findReplace: { find: "a*?b|a", replacement: "c", searchByRegex: true, sheetId: 0 }
    })
    assert.strictEqual(status, 400)
    assert.include(JSON.stringify(body), "takes too long")
    assert.strictEqual(spreadsheet, before)
  })
})
