import { assert, describe, it } from "@effect/vitest"
import { call, oneTab, read, type Values } from "./SpreadsheetFixture.ts"

const update = (spreadsheet: Parameters<typeof call>[0], range: string, values: Values, query: object = {}) =>
  call(spreadsheet, "values.update", { range, query: { valueInputOption: "RAW", ...query }, body: { values } })

describe("values.get", () => {
  const spreadsheet = oneTab([["Item", "Cost", ""], [], ["Wheel", "$20.50", "", 4], ["=1/0", "", true]])

  it("leaves out trailing empty cells and rows", () => {
    assert.deepStrictEqual(call(spreadsheet, "values.get", { range: "Sheet1" }).body, {
      range: "Sheet1!A1:Z1000",
      majorDimension: "ROWS",
      values: [["Item", "Cost"], [], ["Wheel", "$20.50", "", "4"], ["#DIV/0!", "", "TRUE"]]
    })
  })

  it("has no values field for an empty range", () => {
    assert.deepStrictEqual(call(spreadsheet, "values.get", { range: "F1:G2" }).body, {
      range: "Sheet1!F1:G2",
      majorDimension: "ROWS"
    })
  })

  it("supports majorDimension COLUMNS", () => {
    assert.deepStrictEqual(
      call(spreadsheet, "values.get", { range: "A1:D3", query: { majorDimension: "COLUMNS" } }).body,
      {
        range: "Sheet1!A1:D3",
        majorDimension: "COLUMNS",
        values: [["Item", "", "Wheel"], ["Cost", "", "$20.50"], [], ["", "", "4"]]
      }
    )
  })

  it("keeps cells whose formula gives an empty text", () => {
    assert.deepStrictEqual(read(oneTab([["a"], ["=\"\""]]), "Sheet1"), [["a"], [""]])
  })

  it.each([
    [
      "majorDimension",
      "DIAGONAL",
      "Invalid value at 'major_dimension' (type.googleapis.com/google.apps.sheets.v4.Dimension), \"DIAGONAL\""
    ],
    [
      "valueRenderOption",
      "",
      "Invalid value at 'value_render_option' (type.googleapis.com/google.apps.sheets.v4.ValueRenderOption), \"\""
    ]
  ])("rejects %s=%s", (name, value, message) => {
    const { body, status } = call(spreadsheet, "values.get", { range: "A1", query: { [name]: value } })
    assert.strictEqual(status, 400)
    assert.strictEqual(body.error.message, message)
  })

  it("rejects an unknown parameter", () => {
    const { body } = call(spreadsheet, "values.get", { range: "A1", query: { foo: "1" } })
    assert.include(body.error.message, "Unknown name \"foo\": Cannot bind query parameter.")
  })

  it("returns only the selected fields", () => {
    assert.deepStrictEqual(call(spreadsheet, "values.get", { range: "A1", query: { fields: "values" } }).body, {
      values: [["Item"]]
    })
    const { body } = call(spreadsheet, "values.get", { range: "A1", query: { fields: "cells" } })
    assert.strictEqual(body.error.message, "Request contains an invalid argument.")
    assert.include(JSON.stringify(body.error.details), "Cannot find matching fields for path 'cells'.")
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

const errorMessage = (query: Readonly<Record<string, string>>, body: object) =>
  call(oneTab([]), "values.update", { range: "A1:B2", query, body }).body.error.message

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
  })

  it("omits counts when nothing was written", () => {
    const { body } = update(oneTab([]), "Sheet1!B2", [[null]])
    assert.deepStrictEqual(body, { spreadsheetId: "s1", updatedRange: "Sheet1!B2" })
  })

  it("stores texts unchanged with RAW and parses them with USER_ENTERED", () => {
    assert.deepStrictEqual(writeAs("RAW"), [["007", "'x", "=1+1", 5, true]])
    assert.deepStrictEqual(writeAs("USER_ENTERED"), [[7, "x", 2, 5, true]])
  })

  it("returns the written cells on request, in the requested rendering", () => {
    const query = { valueInputOption: "USER_ENTERED", includeValuesInResponse: "true" }
    const shown = (more: object) =>
      update(oneTab([]), "A1", [["=1+1", "2020-01-01"]], { ...query, ...more }).body.updatedData
    assert.deepStrictEqual(shown({}), { range: "Sheet1!A1:B1", majorDimension: "ROWS", values: [["2", "2020-01-01"]] })
    assert.deepStrictEqual(shown({ responseValueRenderOption: "FORMULA" }).values, [["=1+1", 43_831]])
  })

  it("supports majorDimension COLUMNS", () => {
    const { spreadsheet } = call(oneTab([]), "values.update", {
      range: "A1",
      query: { valueInputOption: "RAW" },
      body: { majorDimension: "COLUMNS", values: [[1, 2], [3]] }
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[1, 3], [2]])
  })

  it.each<{ range: string; values: Values; message: string }>([
    {
      range: "Sheet1!A1:B1",
      values: [[1, 2, 3]],
      message: "Requested writing within range [Sheet1!A1:B1], but tried writing to column [C]"
    },
    {
      range: "Sheet1!A1:B1",
      values: [[1], [2]],
      message: "Requested writing within range [Sheet1!A1:B1], but tried writing to row [2]"
    },
    {
      range: "Sheet1!A100000",
      values: [[1]],
      message: "Range (Sheet1!A100000) exceeds grid limits. Max rows: 1000, max columns: 26"
    },
    {
      range: "Sheet1!A1:B2306",
      values: [[1]],
      message: "Range (Sheet1!A1:B2306) exceeds grid limits. Max rows: 1000, max columns: 26"
    },
    {
      range: "Sheet1!Z1000",
      values: [[1, 2]],
      message: "Range (Sheet1!Z1000:AA1000) exceeds grid limits. Max rows: 1000, max columns: 26"
    },
    {
      range: "Sheet1!A1",
      values: [["x".repeat(50_001)]],
      message: "Your input contains more than the maximum of 50000 characters in a single cell."
    }
  ])("to $range is rejected: $message", ({ message, range, values }) => {
    const before = oneTab([["kept"]])
    const { body, spreadsheet, status } = update(before, range, values)
    assert.deepStrictEqual({ status, message: body.error.message, code: body.error.status }, {
      status: 400,
      message,
      code: "INVALID_ARGUMENT"
    })
    assert.strictEqual(spreadsheet, before)
  })

  it("may write fewer cells than its range", () => {
    assert.strictEqual(update(oneTab([]), "A1:C3", [[1]]).body.updatedRange, "Sheet1!A1")
  })

  it("requires valueInputOption and a body that matches the URL", () => {
    assert.strictEqual(errorMessage({}, { values: [[1]] }), "'valueInputOption' is required but not specified")
    assert.strictEqual(
      errorMessage({ valueInputOption: "RAW" }, { range: "A1", values: [[1]] }),
      "Request range[A1:B2] does not match value's range[A1]"
    )
    assert.strictEqual(
      errorMessage({ valueInputOption: "RAW" }, { cells: [] }),
      "Invalid JSON payload received. Unknown name \"cells\" at 'data': Cannot find field."
    )
    assert.include(
      errorMessage({ valueInputOption: "RAW" }, { values: [[{}]] }),
      "Invalid value at 'data.values[0][0]'"
    )
  })

  it("keeps the notes, formats and rules of its cells", () => {
    const cell = { note: "n", userEnteredFormat: { textFormat: { bold: true } } }
    const { spreadsheet } = update(oneTab([], { rows: [[cell]] }), "A1", [["x"]])
    assert.deepStrictEqual(spreadsheet.tabs[0]?.rows[0]?.[0], { ...cell, userEnteredValue: { stringValue: "x" } })
  })
})

const writes = (ranges: ReadonlyArray<{ range: string; values: Values }>) => ({ valueInputOption: "RAW", data: ranges })

/** https://developers.google.com/workspace/sheets/api/samples/writing */
describe("values.batchUpdate", () => {
  it("counts rows and columns shared by several ranges once", () => {
    const answer = call(oneTab([]), "values.batchUpdate", {
      body: writes([{ range: "Sheet1!A1:A4", values: [["a"], ["b"], ["c"], ["d"]] }, {
        range: "Sheet1!B1:D2",
        values: [[1, 2, 3], [4, 5, 6]]
      }])
    }).body
    assert.deepInclude(answer, {
      totalUpdatedRows: 4,
      totalUpdatedColumns: 4,
      totalUpdatedCells: 10,
      totalUpdatedSheets: 1
    })
    assert.lengthOf(answer.responses, 2)
  })

  it("writes all ranges or none", () => {
    const before = oneTab([["kept"]])
    const { spreadsheet, status } = call(before, "values.batchUpdate", {
      body: writes([{ range: "A1", values: [["x"]] }, { range: "Nope!A1", values: [["y"]] }])
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(spreadsheet, before)
  })

  it("requires valueInputOption", () => {
    const { body: refused } = call(oneTab([]), "values.batchUpdate", {
      body: { data: [{ range: "A1", values: [[1]] }] }
    })
    assert.strictEqual(refused.error.message, "'valueInputOption' is required but not specified")
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

describe("130,000 rows", () => {
  const column = Array.from({ length: 130_000 }, (_, index) => [index])

  it("are written, appended and read, and a formula takes them all", () => {
    const written = update(oneTab([], { rowCount: 130_000, columnCount: 1 }), "A1", column)
    assert.strictEqual(written.body.updatedCells, 130_000)
    const appended = call(written.spreadsheet, "values.append", {
      range: "A1",
      query: { valueInputOption: "USER_ENTERED" },
      body: { majorDimension: "COLUMNS", values: [[...column.map(() => 1), "=MAX(A1:A260000)", "=MIN(A1:A260000)"]] }
    })
    assert.strictEqual(appended.body.updates.updatedRange, "Sheet1!A130001:A260002")
    assert.deepStrictEqual(read(appended.spreadsheet, "A260000:A260002"), [[1], [129_999], [0]])
  })
})
