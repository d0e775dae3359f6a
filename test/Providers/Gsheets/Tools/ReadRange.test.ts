import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { fakeSpreadsheet, issuesOf, spreadsheetOf } from "../FakeSpreadsheet.ts"

const twoTabs = () =>
  fakeSpreadsheet(spreadsheetOf([
    { title: "Other" },
    {
      title: "Data",
      typed: [["x", "", "", ""], ["", "Name", "Age", ""], ["", "Ann", 31, "late"], ["", "Bob", 4, ""]]
    }
  ]))

describe("sheets_read of a range", () => {
  it.effect.each([
    { range: "B2:C4", keys: ["Name", "Age"], rows: [3, 4] },
    { range: "B2:C", keys: ["Name", "Age"], rows: [3, 4] },
    { range: "B2:D3", keys: ["Name", "Age", "col_D"], rows: [3] },
    { range: "$B$2:$C$3", keys: ["Name", "Age"], rows: [3] },
    { range: "C4:B2", keys: ["Name", "Age"], rows: [3, 4] },
    { range: "2:4", keys: ["col_A", "Name", "Age", "col_D"], rows: [3, 4] },
    { range: "'Data'!B2:C4", keys: ["Name", "Age"], rows: [3, 4] },
    { range: "data!B2:C4", keys: ["Name", "Age"], rows: [3, 4] },
    { range: "B2:C9000", keys: ["Name", "Age"], rows: [3, 4] }
  ])("$range has its header in its first row", ({ keys, range, rows }) =>
    Effect.gen(function*() {
      const tab = range.includes("!") ? {} : { tab: "Data" }
      const answer = yield* twoTabs().call(sheetsRead, { range, ...tab })
      assert.deepStrictEqual(answer.columns, keys)
      assert.deepStrictEqual(answer.rows.map(({ _row }: { _row: number }) => _row), rows)
    }))

  it.effect("without a header has column letters", () =>
    Effect.gen(function*() {
      const { rows } = yield* twoTabs().call(sheetsRead, { tab: "Data", range: "B3:C4", header_row: 0 })
      assert.deepStrictEqual(rows, [{ _row: 3, B: "Ann", C: 31 }, { _row: 4, B: "Bob", C: 4 }])
    }))

  it.effect.each([
    { input: { range: "Names" }, at: "range", says: "Expected cells in A1 notation" },
    { input: { range: "Data" }, at: "range", says: "\"Data\" is a tab: pass it as `tab`" },
    { input: { range: "B2:" }, at: "range", says: "Expected cells in A1 notation" },
    { input: { range: "A2000:B2001" }, at: "range", says: "starts beyond the grid: the tab \"Other\" has 1000 rows" },
    {
      input: { range: "Nope!A1:B2" },
      at: "range",
      says: "no tab \"Nope\". The tabs are \"Other\" (id 0), \"Data\" (id 1)."
    },
    {
      input: { range: "Data!A1:B2", tab: "Other" },
      at: "range",
      says: "is on the tab \"Data\", but `tab` is \"Other\""
    },
    {
      input: { range: "B2:C4", header_row: 3 },
      at: "header_row",
      says: "the header is the first row of the range, 2"
    }
  ])("$input is refused", ({ at, input, says }) =>
    Effect.gen(function*() {
      const [issue] = yield* issuesOf(twoTabs().call(sheetsRead, input))
      assert.deepStrictEqual(issue?.path, ["input", at])
      assert.include(issue?.message, says)
    }))
})
