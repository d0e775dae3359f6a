import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  averagePosition,
  type Ranked,
  ratio,
  roundCount,
  roundPosition
} from "../../../src/Providers/Tooling/Rounding.ts"

const ranked: fc.Arbitrary<Ranked> = fc.record({
  impressions: fc.integer({ min: 0, max: 1_000_000 }),
  position: fc.double({ min: 1, max: 200, noNaN: true })
})

describe("Rounding", () => {
  it.each([
    ["counts are integers", roundCount(3.0000001), 3],
    ["rates have 4 decimal places", ratio(1, 3), 0.3333],
    ["rates are rounded up", ratio(2, 3), 0.6667],
    ["positions have 1 decimal place", roundPosition(8.24), 8.2],
    ["positions are rounded up", roundPosition(8.25), 8.3],
    ["a rate of nothing is null", ratio(0, 0), null],
    ["a rate without hits is 0", ratio(0, 5), 0],
    ["an average of nothing is null", averagePosition([]), null],
    ["an average without impressions is null", averagePosition([{ impressions: 0, position: 4 }]), null],
    [
      "the average position is weighted by impressions",
      averagePosition([{ impressions: 90, position: 3 }, { impressions: 10, position: 13 }]),
      4
    ]
  ])("%s", (_, rounded, expected) => assert.strictEqual(rounded, expected))

  it("an average lies between the lowest and highest position", () => {
    fc.assert(fc.property(fc.array(ranked, { minLength: 1 }), (rows) => {
      const average = averagePosition(rows)
      const seen = rows.filter(({ impressions }) => impressions > 0).map(({ position }) => position)
      if (average === null) {
        assert.deepStrictEqual(seen, [])
      } else {
        assert.isAtLeast(average, Math.min(...seen) - 1e-9)
        assert.isAtMost(average, Math.max(...seen) + 1e-9)
      }
    }))
  })
})
