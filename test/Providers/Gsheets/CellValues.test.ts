import { assert, describe, it } from "@effect/vitest"
import { type CellRows, countRows, lastDataRow, widthOf } from "../../../src/Providers/Gsheets/CellValues.ts"

describe("The last row with data", () => {
  it.each<{ rows: CellRows; last: number }>([
    { rows: [], last: -1 },
    { rows: [["a"], ["b"]], last: 1 },
    { rows: [["a"], [], [], ["b"], [], []], last: 3 },
    { rows: [["a"], ["", null, false]], last: 0 },
    { rows: [["a"], [0]], last: 1 },
    { rows: [["a"], ["", true]], last: 1 },
    { rows: [["a"], [" "]], last: 1 },
    { rows: [[false], [""]], last: -1 }
  ])("of $rows", ({ last, rows }) => assert.strictEqual(lastDataRow(rows), last))
})

describe("Rows and columns", () => {
  it("count up to the last value", () => {
    const rows: CellRows = [["a", "", ""], [], ["", "", "c", null], ["", ""]]
    assert.strictEqual(widthOf(rows), 3)
    assert.strictEqual(countRows(rows, false), 2)
    assert.strictEqual(countRows(rows, true), 3)
  })
})
