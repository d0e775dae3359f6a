import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { compactJson, cutJson } from "../../../src/Agents/Mcp/Tools/CutJson.ts"

const cut = (value: unknown, budget: number) => {
  const text = cutJson(JSON.stringify(value), budget)
  assert.isAtMost(text.length, budget)
  return JSON.parse(text)
}

describe("A long result", () => {
  it("keeps the first values of a list", () => {
    assert.deepStrictEqual(cut([1, 22, 333, 4444], 12), [1, 22, 333])
  })

  it("keeps short fields whole and shares the rest between long ones", () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ index }))
    const { left, next, right } = cut({ left: rows, next: 100, right: rows }, 600)
    assert.strictEqual(next, 100)
    assert.strictEqual(left.length, right.length)
    assert.deepStrictEqual(left, rows.slice(0, left.length))
    assert.isAbove(left.length, 15)
  })

  it("cuts a text at the end of a line, and marks it", () => {
    const { text } = cut({ text: "One line of text\n".repeat(50) }, 200)
    assert.match(text, /^(?:One line of text\n)+One line of text…$/)
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

  it("goes into the first value of a list that is too long, and cuts below it", () => {
    const row = { cells: Array.from({ length: 1000 }, (_, index) => `cell ${index}`) }
    const [first, ...others] = cut([row, row], 500)
    assert.isAbove(first.cells.length, 30)
    assert.deepStrictEqual(others, [])
  })

  it("keeps every digit, and the white space of texts", () => {
    const text = "{ \"big\": 12345678901234567890.10,\n  \"text\": \"a  b \\\" c\" }"
    assert.strictEqual(compactJson(text), "{\"big\":12345678901234567890.10,\"text\":\"a  b \\\" c\"}")
    assert.strictEqual(compactJson(cutJson(text, 500)), compactJson(text))
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

  it("is not searched to its end, however long it is", () => {
    const row = JSON.stringify({ text: "x".repeat(88) })
    const rows = (count: number) => `{"rows":[${`${row},`.repeat(count)}${row}],"next_offset":7}`
    assert.strictEqual(JSON.parse(cutJson(rows(10_000), 60_000)).next_offset, 7)
    const cutOff = JSON.parse(cutJson(rows(100_000), 60_000))
    assert.isAbove(cutOff.rows.length, 400)
    assert.notProperty(cutOff, "next_offset")
  })
})
