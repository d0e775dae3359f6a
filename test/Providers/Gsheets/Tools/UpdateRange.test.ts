import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsUpdateRange } from "../../../../src/Providers/Gsheets/Tools/UpdateRange.ts"
import { answers, fakeSpreadsheet, issuesOf, oneTab, refusals, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"

const stock: Values = [["Item", "Count", "Total"], ["Nuts", 3, "=B2*2"], ["Bolts", 4, "=B3*2"]]
const square = [["a", "b"], ["c", "d"]]
const twoTabs = { spreadsheet: spreadsheetOf([{ title: "First" }, { title: "Jon's A1" }]) }

describe("sheets_update_range", () => {
  answers(sheetsUpdateRange, {
    "writes rows from a cell on": {
      on: stock,
      input: { range: "A2", values: [["Screws", 5], ["Pins", 6]] },
      whole: { updated_range: "Data!A2:B3", rows: 2, columns: 2, cells: 4 },
      cells: ["Data", [["Item", "Count", "Total"], ["Screws", 5, 10], ["Pins", 6, 12]]]
    },
    "finds a quoted tab in the range": {
      on: twoTabs,
      input: { range: "'Jon''s A1'!C3", values: 2 },
      cells: ["'Jon''s A1'", [[], [], ["", "", 2]]]
    },
    "keeps a cell by null, clears it by an empty text, and never parses numbers and booleans": {
      on: [["a", "b", "c", "d"]],
      input: { range: "A1", values: [[null, "", 5, true]], parse: true },
      answer: { cells: 3, coerced: undefined },
      cells: ["Data", [["a", "", 5, true]]]
    },
    "overwrites a formula with `overwrite_formulas`, without a look at it": {
      on: stock,
      input: { range: "C2", values: 9, overwrite_formulas: true },
      cells: ["Data!C2", [[9]], "FORMULA"],
      sends: ["spreadsheets.get", "values.update"]
    },
    "writes a formula from outside as a text": {
      on: stock,
      input: { range: "A2", values: "=1+1" },
      cells: ["Data!A2", [["=1+1"]]]
    },
    "writes a formula with `allow_formulas`": {
      on: stock,
      input: { range: "A2", values: "=B2+1", parse: true, allow_formulas: true },
      answer: { coerced: undefined },
      cells: ["Data!A2", [[4]]]
    },
    "reports cells stored differently than sent": {
      on: stock,
      input: { range: "A2", values: [["007", "x"]], parse: true },
      answer: { coerced: [{ cell: "A2", sent: "007", stored: 7 }] }
    },
    "writes when the cells are as expected": {
      on: [["d", "n", ""], ["2026-01-02", 4, ""]],
      input: { range: "A2", values: [["2026-01-03", 5, "x"]], expect: [["2026-01-02", 4, null]] },
      cells: ["Data!B2:C2", [[5, "x"]]]
    },
    "expects a number as sheets_read shows it": {
      on: [["a"], [1 / 3]],
      input: { range: "A2", values: [[1]], expect: [[0.333333333333333]] },
      cells: ["Data", [["a"], [1]]]
    }
  })

  refusals(sheetsUpdateRange, {
    "a range larger than the data": [
      [["x"]],
      { range: "B2:D4", values: square },
      ["values"],
      "the range is 3 rows by 3 columns",
      []
    ],
    "a range beyond the grid, and names sheets_append_rows": [
      { spreadsheet: oneTab([["x"]], { rowCount: 3, columnCount: 3 }) },
      { range: "C3", values: square },
      ["range"],
      "The values would fill C3:D4, but the tab \"Data\" has 3 rows and 3 columns. sheets_append_rows makes room by itself."
    ],
    "a range on another tab than `tab`": [twoTabs, { tab: "Jon's A1", range: "First!A1", values: 1 }, ["range"]],
    "rows of different length": [stock, { range: "A2", values: [[1, 2], [3]] }, ["values", 1], "", []],
    "to overwrite formulas, and names them": [
      stock,
      { range: "B2", values: [[1, 2], [3, 4]] },
      ["values"],
      "C2 (=B2*2), C3 (=B3*2)"
    ],
    "when a cell is not as expected, and names it": [
      stock,
      { range: "A2", values: [["x", 1]], expect: [["Nuts", 4]] },
      ["expect", 0, 1],
      "B2 is 3, not 4. Nothing was written."
    ],
    "to expect another shape than the values have": [
      stock,
      { range: "A2", values: [[1, 2]], expect: [[1]] },
      ["expect"],
      "Expected the shape of `values`, 1 rows by 2 columns."
    ]
  })

  it.effect("refuses each formula of several with `parse`", () =>
    Effect.gen(function*() {
      const input = { range: "A2", values: [["a", "+1"], ["@x", "-5"]], parse: true }
      const issues = yield* issuesOf(fakeSpreadsheet(oneTab(stock)).call(sheetsUpdateRange, input))
      assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "values", 0, 1], ["input", "values", 1, 0]])
      assert.include(issues[1]?.message, "A3")
    }))
})
