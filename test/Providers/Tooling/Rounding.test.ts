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
  it("counts are integers, rates have 4 decimal places and positions 1", () => {
    assert.strictEqual(roundCount(3.0000001), 3)
    assert.strictEqual(ratio(1, 3), 0.3333)
    assert.strictEqual(ratio(2, 3), 0.6667)
    assert.strictEqual(roundPosition(8.25), 8.3)
    assert.strictEqual(roundPosition(8.24), 8.2)
  })

  it("a ratio or average without data is null", () => {
    assert.strictEqual(ratio(0, 0), null)
    assert.strictEqual(ratio(0, 5), 0)
    assert.strictEqual(averagePosition([]), null)
    assert.strictEqual(averagePosition([{ impressions: 0, position: 4 }]), null)
  })

  it("the average position is weighted by impressions", () => {
    assert.strictEqual(
      averagePosition([{ impressions: 90, position: 3 }, { impressions: 10, position: 13 }]),
      4
    )
  })

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
