import { assert, describe, it } from "@effect/vitest"
import { parseUserEntered } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/UserEntered.ts"
import { growth } from "../../../../support/Linear.ts"
import { call, oneTab, read, spreadsheetOf, type Values } from "./SpreadsheetFixture.ts"

const raw = { valueInputOption: "RAW" }

const write = (method: string, spreadsheet: Parameters<typeof call>[0], range: string, values: Values, query = {}) =>
  call(spreadsheet, `values.${method}`, { range, query: { ...raw, ...query }, body: { values } })

describe("values.get", () => {
  const spreadsheet = oneTab([["Item", "Cost", ""], [], ["Wheel", "$20.50", "", 4], ["=1/0", "=\"\"", true]])
  const ask = (range: string, query = {}) => call(spreadsheet, "values.get", { range, query }).body

  it("leaves out trailing empty cells and rows, by rows or columns", () => {
    const values = [["Item", "Cost"], [], ["Wheel", "$20.50", "", "4"], ["#DIV/0!", "", "TRUE"]]
    assert.deepStrictEqual(ask("Sheet1"), { range: "Sheet1!A1:Z1000", majorDimension: "ROWS", values })
    assert.deepStrictEqual(ask("F1:G2"), { range: "Sheet1!F1:G2", majorDimension: "ROWS" })
    assert.deepStrictEqual(ask("A1:D3", { majorDimension: "COLUMNS", fields: "values" }), {
      values: [["Item", "", "Wheel"], ["Cost", "", "$20.50"], [], ["", "", "4"]]
    })
    // The formula's empty text is a value.
    assert.deepStrictEqual(ask("B4").values, [[""]])
  })
})

const valueOf = (formula: string) =>
  read(
    spreadsheetOf([
      { title: "Sheet1", typed: [[1, 2, "x"], [3, "4", ""], [true, "2020-01-01", "=1/0"], [], [formula]] },
      { title: "Jon's", typed: [[7]] }
    ]),
    "A5"
  )[0]?.[0]

describe("A formula", () => {
  it.each<[formula: string, value: string | number | boolean]>([
    ["=3/2", 1.5],
    ["=1+2*3^2-50%", 18.5],
    ["=\"A\"=\"a\"", true],
    ["=SUM(A1:B2)", 10],
    ["='Jon''s'!A1+1", 8],
    ["=AVERAGE(A1:B1)", 1.5],
    ["=SUMIF(A1:A2,\">1\",B1:B2)", 4],
    ["=COUNTIF(A1:C2,\"<>x\")", 5],
    ["=C3+1", "#DIV/0! (Function DIVIDE parameter 2 cannot be zero.)"],
    ["=\"x\"+1", "#VALUE! (The text 'x' cannot be used as a number.)"],
    ["=Nope!A1", "#REF! (Unresolved sheet name 'Nope'.)"],
    ["=A5", "#REF! (Circular dependency detected.)"],
    ["=nothing", "#NAME? (Unknown range name: 'nothing'.)"],
    ["=NOW()", 46_099.5]
  ])("%s gives %j", (formula, value) => assert.deepStrictEqual(valueOf(formula), value))
})

describe("values.update", () => {
  it("stores texts unchanged with RAW and parses them with USER_ENTERED", () => {
    const typed = [["007", "'x", "=1+1", 5, "25%", "2-10", "51-200", "-5 €", "- £1,000", "-5 %", "€5", "1e999"]]
    const writeAs = (valueInputOption: string) =>
      read(write("update", oneTab([]), "A1", typed, { valueInputOption }).spreadsheet, "1:1")
    assert.deepStrictEqual(writeAs("RAW"), typed)
    assert.deepStrictEqual(writeAs("USER_ENTERED"), [[
      7,
      "x",
      2,
      5,
      0.25,
      46_063,
      "51-200",
      -5,
      -1000,
      -0.05,
      "€5",
      "1e999"
    ]])
  })

  it.each<[message: string, range: string, values: Values, query?: object]>([
    ["Requested writing within range [Sheet1!A1:B1], but tried writing to column [C]", "Sheet1!A1:B1", [[1, 2, 3]]],
    ["Requested writing within range [Sheet1!A1:B1], but tried writing to row [2]", "Sheet1!A1:B1", [[1], [2]]],
    ["Range (Sheet1!A100000) exceeds grid limits. Max rows: 1000, max columns: 26", "Sheet1!A100000", [[1]]],
    ["Your input contains more than the maximum of 50000 characters in a single cell.", "A1", [["x".repeat(50_001)]]],
    ["Unable to parse range: Nope!A1", "Nope!A1", [[1]]],
    ["Invalid value at 'valueInputOption', \"x\"", "A1", [[1]], { valueInputOption: "x" }]
  ])("changes nothing if refused: %s", (message, range, values, query) => {
    const before = oneTab([["kept"]])
    const { body, spreadsheet, status } = write("update", before, range, values, query)
    assert.deepStrictEqual([status, body.error.status, body.error.message], [400, "INVALID_ARGUMENT", message])
    assert.strictEqual(spreadsheet, before)
  })

  it("of several ranges writes all or none", () => {
    const before = oneTab([["kept"]])
    const data = [{ range: "A1", values: [["x"]] }, { range: "Nope!A1", values: [["y"]] }]
    const { spreadsheet, status } = call(before, "values.batchUpdate", { body: { ...raw, data } })
    assert.strictEqual(status, 400)
    assert.strictEqual(spreadsheet, before)
  })

  it("parses long entries in linear time", () => {
    const growing = growth(5000, (size) => `-${" ".repeat(size)}x`, (text) => {
      parseUserEntered(text, 2026)
    })
    assert.isBelow(growing, 10)
  })
})

/** https://developers.google.com/workspace/sheets/api/guides/values#append_values */
describe("values.append", () => {
  const guide: Values = [["x", "y", "z"], ["x", "y", "z"], [], ["", "x", "y"], ["", "", "y", "z"], ["", "x", "y", "z"]]

  /** https://github.com/burnash/gspread/issues/603, https://github.com/pixiebrix/pixiebrix-extension/issues/7113 */
  const gaps: Values = [["A", "B", "C", "", "", "F", "", "H", "", "J"]]

  it.each<[range: string, table: string | undefined, written: string, typed: Values]>([
    ["Sheet1", "Sheet1!B4:D6", "Sheet1!B7", guide],
    ["A1", "Sheet1!A1:C2", "Sheet1!A3", guide],
    ["E4", undefined, "Sheet1!E4", guide],
    ["Sheet1", "Sheet1!J1", "Sheet1!J2", gaps],
    ["Sheet1", "Sheet1!C2", "Sheet1!C3", [["", "Header"], ["", "", "first"]]]
  ])("at %s finds the table %s and writes at %s", (range, table, written, typed) => {
    const { tableRange, updates } = write("append", oneTab(typed), range, [["new"]]).body
    assert.deepStrictEqual([tableRange, updates.updatedRange], [table, written])
  })

  it("overwrites cells below the table, or inserts rows", () => {
    const gapped = oneTab([[1], [2], [], [], [6]])
    const after = (query: object) => read(write("append", gapped, "A1", [["a"], ["b"]], query).spreadsheet, "Sheet1")
    assert.deepStrictEqual(after({}), [[1], [2], ["a"], ["b"], [6]])
    assert.deepStrictEqual(after({ insertDataOption: "INSERT_ROWS" }), [[1], [2], ["a"], ["b"], [], [], [6]])
  })

  it("grows a full grid", () => {
    const full = oneTab([[1], [2]], { rowCount: 2, columnCount: 1 })
    const { body, spreadsheet } = write("append", full, "A1", [[3, "x"], [4]])
    assert.strictEqual(body.updates.updatedRange, "Sheet1!A3:B4")
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 4, columnCount: 2 })
  })
})
