import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { CellValue } from "../../../src/Providers/Gsheets/CellValues.ts"
import { columnKeys, letterKeys } from "../../../src/Providers/Gsheets/ColumnKeys.ts"

describe("Column keys", () => {
  it.each<{ header: ReadonlyArray<CellValue>; keys: ReadonlyArray<string> }>([
    { header: ["a", "b"], keys: ["a", "b"] },
    { header: ["", null, "c"], keys: ["col_A", "col_B", "c"] },
    { header: ["a", "a", "a_2", "a"], keys: ["a", "a_3", "a_2", "a_4"] },
    { header: ["a_2", "a", "a"], keys: ["a_2", "a", "a_3"] },
    { header: ["col_B", ""], keys: ["col_B", "col_B_2"] },
    { header: ["", "col_A"], keys: ["col_A_2", "col_A"] },
    { header: ["_row", "_row"], keys: ["_row_2", "_row_3"] },
    { header: ["__proto__", "__proto__"], keys: ["__proto__", "__proto___2"] },
    { header: [2024, true, 1.5], keys: ["2024", "TRUE", "1.5"] }
  ])("of $header", ({ header, keys }) => {
    assert.deepStrictEqual(columnKeys(header, { width: header.length }).map(({ key }) => key), keys)
  })

  const header = fc.array(
    fc.oneof(fc.constantFrom("", "a", "a_2", "col_A", "col_C", "_row"), fc.string({ maxLength: 4 })),
    { maxLength: 12 }
  )

  it("are unique and never _row", () => {
    fc.assert(fc.property(header, (texts) => {
      const keys = columnKeys(texts, { width: texts.length + 3 }).map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.notInclude(keys, "_row")
    }))
  })

  it("do not change when columns are added to the right", () => {
    fc.assert(fc.property(header, fc.nat(20), (texts, more) => {
      const keys = columnKeys(texts, { width: texts.length })
      assert.deepStrictEqual(columnKeys(texts, { width: texts.length + more }).slice(0, texts.length), keys)
    }))
  })

  it("count from the first column of a range", () => {
    assert.deepStrictEqual(columnKeys(["", "x"], { first: 3, width: 3 }), [
      { key: "col_D", index: 3, renamed: true },
      { key: "x", index: 4, renamed: false },
      { key: "col_F", index: 5, renamed: true }
    ])
    assert.deepStrictEqual(letterKeys({ first: 25, width: 2 }).map(({ key }) => key), ["Z", "AA"])
  })
})
