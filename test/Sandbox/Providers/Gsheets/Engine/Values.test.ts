import { assert, describe, it } from "@effect/vitest"
import { call, oneTab, read, type Values } from "./SpreadsheetFixture.ts"

const update = (spreadsheet: Parameters<typeof call>[0], range: string, values: Values, query: object = {}) =>
  call(spreadsheet, "values.update", { range, query: { valueInputOption: "RAW", ...query }, body: { values } })

describe("values.get", () => {
  const spreadsheet = oneTab([["Item", "Cost", ""], [], ["Wheel", "$20.50", "", 4], ["=1/0", "=\"\"", true]])
  const ask = (range: string, query = {}) => call(spreadsheet, "values.get", { range, query })

  it("leaves out trailing empty cells and rows, by rows or columns", () => {
    const values = [["Item", "Cost"], [], ["Wheel", "$20.50", "", "4"], ["#DIV/0!", "", "TRUE"]]
    assert.deepStrictEqual(ask("Sheet1").body, { range: "Sheet1!A1:Z1000", majorDimension: "ROWS", values })
    assert.deepStrictEqual(ask("F1:G2").body, { range: "Sheet1!F1:G2", majorDimension: "ROWS" })
    assert.deepStrictEqual(ask("A1:D3", { majorDimension: "COLUMNS", fields: "values" }).body, {
      values: [["Item", "", "Wheel"], ["Cost", "", "$20.50"], [], ["", "", "4"]]
    })
    // The formula's empty text is a value.
    assert.deepStrictEqual(ask("B4").body.values, [[""]])
  })

  it.each([
    [
      { valueRenderOption: "" },
      "Invalid value at 'value_render_option' (type.googleapis.com/google.apps.sheets.v4.ValueRenderOption), \"\""
    ],
    [{ fields: "cells" }, "Request contains an invalid argument."]
  ])("rejects %j", (query, message) => {
    const { body, status } = ask("A1", query)
    assert.strictEqual(status, 400)
    assert.include(body.error.message, message)
  })
})

describe("values.batchGet", () => {
  it("returns ranges in order, and fails if one of them is invalid", () => {
    const spreadsheet = oneTab([[1, 2], [3, 4]])
    const { body } = call(spreadsheet, "values.batchGet", { query: { ranges: ["B:B", "A1"] } })
    assert.deepStrictEqual(body.valueRanges.map(({ range }: { range: string }) => range), [
      "Sheet1!B1:B1000",
      "Sheet1!A1"
    ])
    assert.strictEqual(call(spreadsheet, "values.batchGet", { query: { ranges: ["A1", "Nope"] } }).status, 400)
    assert.deepStrictEqual(call(spreadsheet, "values.batchGet").body, { spreadsheetId: "s1" })
  })
})

const writeAs = (option: string) =>
  read(update(oneTab([]), "A1", [["007", "'x", "=1+1", 5, true]], { valueInputOption: option }).spreadsheet, "1:1")

const raw = { valueInputOption: "RAW" }

describe("values.update", () => {
  it("writes from a cell on, skips null, clears with an empty text, and counts the written cells", () => {
    const { body, spreadsheet } = update(oneTab([["a", "b", "c"], ["d"]]), "Sheet1!A1", [[null, "", "x"], [1]])
    assert.deepStrictEqual(body, {
      spreadsheetId: "s1",
      updatedRange: "Sheet1!A1:C2",
      updatedRows: 2,
      updatedColumns: 3,
      updatedCells: 3
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [["a", "", "x"], [1]])
    const nothing = update(oneTab([]), "Sheet1!B2", [[null]]).body
    assert.deepStrictEqual(nothing, { spreadsheetId: "s1", updatedRange: "Sheet1!B2" })
    assert.strictEqual(update(oneTab([]), "A1:C3", [[1]]).body.updatedRange, "Sheet1!A1")
  })

  it("stores texts unchanged with RAW and parses them with USER_ENTERED", () => {
    assert.deepStrictEqual(writeAs("RAW"), [["007", "'x", "=1+1", 5, true]])
    assert.deepStrictEqual(writeAs("USER_ENTERED"), [[7, "x", 2, 5, true]])
  })

  const grid = "exceeds grid limits. Max rows: 1000, max columns: 26"
  const within = "Requested writing within range [Sheet1!A1:B1], but tried writing to"

  it.each<[range: string, values: Values, message: string]>([
    ["Sheet1!A1:B1", [[1, 2, 3]], `${within} column [C]`],
    ["Sheet1!A1:B1", [[1], [2]], `${within} row [2]`],
    ["Sheet1!A100000", [[1]], `Range (Sheet1!A100000) ${grid}`],
    [
      "Sheet1!A1",
      [["x".repeat(50_001)]],
      "Your input contains more than the maximum of 50000 characters in a single cell."
    ]
  ])("to %s is rejected when it does not fit", (range, values, message) => {
    const before = oneTab([["kept"]])
    const { body, spreadsheet, status } = update(before, range, values)
    assert.deepInclude(body.error, { message, status: "INVALID_ARGUMENT" })
    assert.strictEqual(status, 400)
    assert.strictEqual(spreadsheet, before)
  })

  it.each<[query: Readonly<Record<string, string>>, body: object, says: string]>([
    [{}, { values: [[1]] }, "'valueInputOption' is required but not specified"],
    [raw, { range: "A1", values: [[1]] }, "Request range[A1:B2] does not match value's range[A1]"],
    [raw, { values: [[{}]] }, "Invalid value at 'data.values[0][0]'"]
  ])("with the query %j and the body %j is rejected", (query, body, says) => {
    const answered = call(oneTab([]), "values.update", { range: "A1:B2", query, body })
    assert.include(answered.body.error.message, says)
  })
})

const writes = (ranges: ReadonlyArray<{ range: string; values: Values }>) => ({ valueInputOption: "RAW", data: ranges })

/** https://developers.google.com/workspace/sheets/api/samples/writing */
describe("values.batchUpdate", () => {
  it("writes all ranges or none", () => {
    const before = oneTab([["kept"]])
    const { spreadsheet, status } = call(before, "values.batchUpdate", {
      body: writes([{ range: "A1", values: [["x"]] }, { range: "Nope!A1", values: [["y"]] }])
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(spreadsheet, before)
  })
})

describe("values.clear", () => {
  it("clears values, keeps formats, and returns the range clipped to the grid", () => {
    const format = { textFormat: { bold: true } }
    const before = oneTab([["a", "b"], ["=1"]], {
      rows: [[{ userEnteredFormat: format }]],
      rowCount: 3,
      columnCount: 2
    })
    const { body, spreadsheet } = call(before, "values.clear", { range: "Sheet1!A1:Z99", body: {} })
    assert.deepStrictEqual(body, { spreadsheetId: "s1", clearedRange: "Sheet1!A1:B3" })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.rows, [[{ userEnteredFormat: format }]])
  })
})
