import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { append, maxOf, minOf } from "../../src/Domain/Lists.ts"

describe("A list", () => {
  it("has the extremes that Math finds, and those of a bound", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer(), (numbers, bound) => {
      assert.strictEqual(maxOf(numbers), Math.max(...numbers))
      assert.strictEqual(minOf(numbers), Math.min(...numbers))
      assert.strictEqual(maxOf(numbers, bound), Math.max(bound, ...numbers))
      assert.strictEqual(minOf(numbers, bound), Math.min(bound, ...numbers))
    }))
  })

  it("may be longer than the arguments of a call", () => {
    const long = Array.from({ length: 500_000 }, (_, index) => index)
    const list = [0]
    append(list, long)
    assert.deepStrictEqual([list.length, maxOf(list), minOf(list)], [500_001, 499_999, 0])
  })
})
