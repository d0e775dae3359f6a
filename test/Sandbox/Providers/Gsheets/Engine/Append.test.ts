import { assert, describe, it } from "@effect/vitest"
import { call, oneTab, read, type Values } from "./SpreadsheetFixture.ts"

const append = (spreadsheet: Parameters<typeof call>[0], range: string, values: Values, query: object = {}) =>
  call(spreadsheet, "values.append", { range, query: { valueInputOption: "RAW", ...query }, body: { values } })

/** https://developers.google.com/workspace/sheets/api/guides/values#append_values */
describe("values.append", () => {
  const guide: Values = [["x", "y", "z"], ["x", "y", "z"], [], ["", "x", "y"], ["", "", "y", "z"], ["", "x", "y", "z"]]

  /** https://github.com/burnash/gspread/issues/603, https://github.com/pixiebrix/pixiebrix-extension/issues/7113 */
  const gaps: Values = [["A", "B", "C", "", "", "F", "", "H", "", "J"]]
  const header: Values = [["", "Header"], ["", "", "first"]]

  it.each<[range: string, table: string | undefined, written: string, typed: Values]>([
    ["Sheet1", "Sheet1!B4:D6", "Sheet1!B7", guide],
    ["A1", "Sheet1!A1:C2", "Sheet1!A3", guide],
    ["E4", undefined, "Sheet1!E4", guide],
    ["Sheet1", "Sheet1!J1", "Sheet1!J2", gaps],
    ["Sheet1", "Sheet1!C2", "Sheet1!C3", header]
  ])("at %s finds the table %s and writes at %s", (range, table, written, typed) => {
    const { tableRange, updates } = append(oneTab(typed), range, [["new"]]).body
    assert.deepStrictEqual([tableRange, updates.updatedRange], [table, written])
  })

  const gapped: Values = [[1], [2], [3], [], [], [6], [7]]

  it("overwrites cells below the table by default", () => {
    const { spreadsheet } = append(oneTab(gapped), "A1", [["a"], ["b"], ["c"]])
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[1], [2], [3], ["a"], ["b"], ["c"], [7]])
  })

  it("inserts rows with INSERT_ROWS", () => {
    const { spreadsheet } = append(oneTab(gapped), "A1", [["a"], ["b"], ["c"]], { insertDataOption: "INSERT_ROWS" })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[1], [2], [3], ["a"], ["b"], ["c"], [], [], [6], [7]])
    assert.strictEqual(spreadsheet.tabs[0]?.rowCount, 1003)
  })

  it("grows a full grid", () => {
    const full = oneTab([[1], [2]], { rowCount: 2, columnCount: 1 })
    const { body, spreadsheet } = append(full, "A1", [[3, "x"], [4]])
    assert.strictEqual(body.updates.updatedRange, "Sheet1!A3:B4")
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 4, columnCount: 2 })
  })
})
