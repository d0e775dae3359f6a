import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { pageOf, pageOfAll, probeLimit, type RowPage } from "../../../src/Providers/Tooling/Paging.ts"

describe("Paging", () => {
  it("a list that fits exactly has no more", () => {
    const request = { limit: 2, offset: 0 }
    assert.strictEqual(probeLimit(request), 3)
    assert.deepStrictEqual(pageOf(["a", "b"], request), { rows: ["a", "b"], paging: { returned: 2, has_more: false } })
    assert.deepStrictEqual(pageOf(["a", "b", "c"], request), {
      rows: ["a", "b"],
      paging: { returned: 2, has_more: true, next_offset: 2 }
    })
  })

  it("the next page has no offset where none can be asked for", () => {
    const page = { rows: ["a"], paging: { returned: 1, has_more: true } }
    assert.deepStrictEqual(pageOf(["a", "b"], { limit: 1, offset: 9 }, 9), page)
    assert.deepStrictEqual(pageOf(["a", "b"], { limit: 1, offset: 8 }, 9).paging.next_offset, 9)
  })

  it("a page past the end is empty", () => {
    assert.deepStrictEqual(pageOfAll(["a"], { limit: 2, offset: 5 }), {
      rows: [],
      paging: { returned: 0, has_more: false }
    })
  })

  it("following next_offset gives every row once", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (all, limit) => {
      const seen: Array<number> = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: RowPage<number> = pageOf(all.slice(offset, offset + probeLimit({ limit, offset })), {
          limit,
          offset
        })
        assert.deepStrictEqual(page, pageOfAll(all, { limit, offset }))
        seen.push(...page.rows)
        offset = page.paging.next_offset
      }
      assert.deepStrictEqual(seen, all)
    }))
  })
})
