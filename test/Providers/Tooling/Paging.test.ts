import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { probeLimit, type RowPage, slicePage, takePage } from "../../../src/Providers/Tooling/Paging.ts"

describe("Paging", () => {
  it("a next page beyond the largest offset has no next_offset", () => {
    const page = { rows: ["a"], info: { returned: 1, has_more: true } }
    assert.deepStrictEqual(takePage(["a", "b"], { limit: 1, offset: 9 }, 9), page)
    assert.deepStrictEqual(takePage(["a", "b"], { limit: 1, offset: 8 }, 9).info.next_offset, 9)
  })

  it("following next_offset returns every row once", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (all, limit) => {
      const seen: Array<number> = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: RowPage<number> = takePage(all.slice(offset, offset + probeLimit({ limit, offset })), {
          limit,
          offset
        })
        assert.deepStrictEqual(page, slicePage(all, { limit, offset }))
        seen.push(...page.rows)
        offset = page.info.next_offset
      }
      assert.deepStrictEqual(seen, all)
    }))
  })
})
