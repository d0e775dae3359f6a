import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cutJson } from "../../../src/Features/Mcp/Tools/CutJson.ts"

const cut = (value: unknown, budget: number) => {
  const text = cutJson(JSON.stringify(value), budget)
  assert.isAtMost(text.length, budget)
  return JSON.parse(text)
}

describe("A long result", () => {
  it("keeps short fields whole and shares the rest between long ones", () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ index }))
    const { left, next, right } = cut({ left: rows, next: 100, right: rows }, 600)
    assert.strictEqual(next, 100)
    assert.strictEqual(left.length, right.length)
    assert.deepStrictEqual(left, rows.slice(0, left.length))
    assert.isAbove(left.length, 15)
  })

  it("splits neither an escape nor a pair of surrogates", () => {
    for (const unit of ["\\", "\"", "\u0001", "\ud83d\ude80", "\ud800", "é"]) {
      for (let budget = 20; budget < 60; budget++) {
        const { text } = cut({ text: unit.repeat(100) }, budget)
        assert.match(text, /…$/)
        assert.strictEqual(text.slice(0, -1), unit.repeat(100).slice(0, text.length - 1))
      }
    }
  })

  it("is valid JSON within its budget, whatever it is, and is not changed where it fits", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 20, max: 400 }), (value, budget) => {
        const json = JSON.stringify({ value })
        const text = cutJson(json, budget)
        assert.isAtMost(text.length, budget)
        JSON.parse(text)
        if (json.length <= budget) assert.strictEqual(text, json)
      }),
      { numRuns: 500 }
    )
  })
})
