import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Spreadsheet } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { area, batchUpdate, call, read, rows, spreadsheetOf, titles } from "./SpreadsheetFixture.ts"

const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])

const repeat = (range: object, fields = "note") => ({ range, cell: {}, fields })

describe("spreadsheets.batchUpdate", () => {
  it("applies its requests in order, with one reply each", () => {
    const { body, spreadsheet } = batchUpdate(
      two,
      {
        addSheet: {
          properties: { title: "C", index: 1, gridProperties: { rowCount: 5, columnCount: 2, frozenRowCount: 1 } }
        }
      },
      { deleteSheet: { sheetId: 0 } }
    )
    const sheetId = spreadsheet.tabs[0]?.sheetId
    assert.isAbove(sheetId ?? 0, 1)
    const gridProperties = { rowCount: 5, columnCount: 2, frozenRowCount: 1 }
    const properties = { sheetId, title: "C", index: 1, sheetType: "GRID", gridProperties }
    assert.deepStrictEqual(body, { spreadsheetId: "s1", replies: [{ addSheet: { properties } }, {}] })
    assert.deepStrictEqual(titles(spreadsheet), ["C", "B"])
    assert.deepStrictEqual(read(spreadsheet, "B"), [["in B", "#REF!"]])
  })

  it("changes nothing if one request fails", () => {
    const { body, spreadsheet, status } = batchUpdate(
      two,
      { deleteSheet: { sheetId: 0 } },
      { deleteSheet: { sheetId: 7 } }
    )
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body.error, {
      code: 400,
      message: "Invalid requests[1].deleteSheet: No sheet with id: 7",
      status: "INVALID_ARGUMENT"
    })
    assert.strictEqual(spreadsheet, two)
  })

  it("returns the spreadsheet on request", () => {
    const { body } = call(two, "spreadsheets.batchUpdate", {
      body: {
        requests: [{ deleteSheet: { sheetId: 1 } }],
        includeSpreadsheetInResponse: true,
        responseIncludeGridData: true,
        responseRanges: ["A!A1"]
      }
    })
    const [sheet] = body.updatedSpreadsheet.sheets
    assert.strictEqual(sheet.properties.title, "A")
    assert.strictEqual(sheet.data[0].rowData[0].values[0].formattedValue, "in A")
  })

  const limit = "This action would increase the number of cells in the workbook above the limit of 10000000 cells."

  it.each<[kind: string, request: object, says: string]>([
    [
      "addSheet",
      { properties: { title: "a" } },
      "A sheet with the name \"a\" already exists. Please enter another name."
    ],
    ["addSheet", { properties: { sheetId: 0 } }, "A sheet with the id 0 already exists"],
    [
      "addSheet",
      { properties: { gridProperties: { rowCount: 1, frozenRowCount: 1 } } },
      "You can't freeze all visible rows on the sheet."
    ],
    ["addSheet", { properties: { gridProperties: { rowCount: 1_000_000 } } }, limit],
    [
      "updateSheetProperties",
      { properties: { sheetId: 0, title: "b" }, fields: "title" },
      "A sheet with the name \"b\" already exists"
    ],
    [
      "updateSheetProperties",
      { properties: { sheetId: 0, title: "x" } },
      "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"
    ],
    ["repeatCell", repeat({ sheetId: 0 }, ""), "At least one field must be listed in 'fields'."],
    [
      "deleteDimension",
      { range: rows(1000, 1001) },
      "Cannot delete a row that doesn't exist. Tried to delete row index 1000 but there are only 1000 rows."
    ],
    ["deleteDimension", { range: rows(0, 1000) }, "You can't delete all the rows on the sheet."],
    ["insertDimension", { range: rows(-1, 1) }, "DimensionRange indexes must be >= 0"],
    ["insertDimension", { range: rows(1001, 1002) }, "range.startIndex[1001]"],
    ["appendDimension", { sheetId: 9, dimension: "ROWS", length: 1 }, "No grid with id: 9"],
    ["repeatCell", repeat({ sheetId: 9 }), "No grid with id: 9"],
    ["repeatCell", repeat(area(5, 2, 0, 1)), "endRowIndex[2] cannot be before startRowIndex[5]"],
    [
      "repeatCell",
      repeat(area(2000, 2001, 0, 1)),
      "Range (A!A2001) exceeds grid limits. Max rows: 1000, max columns: 26"
    ],
    [
      "updateCells",
      { start: { rowIndex: 1000 }, rows: [{ values: [{}] }], fields: "*" },
      "Range (A!A1001) exceeds grid limits."
    ],
    ["findReplace", { find: "(", searchByRegex: true, allSheets: true }, "The regular expression is not valid: ("],
    ["addChart", { chart: {} }, "The sandbox does not carry out addChart requests."]
  ])("refuses %s %j: %s", (kind, request, says) => {
    const { body, spreadsheet, status } = batchUpdate(two, { [kind]: request })
    assert.strictEqual(status, 400)
    assert.include(body.error.message, `Invalid requests[0].${kind}: ${says}`)
    assert.strictEqual(spreadsheet, two)
  })

  it("rejects an empty list and an unknown request", () => {
    assert.strictEqual(batchUpdate(two).body.error.message, "Must specify at least one request.")
    assert.strictEqual(batchUpdate(two, { fly: {} }).status, 400)
  })

  it("gives a spreadsheet that can be stored as JSON", () => {
    const format = { note: "n", userEnteredFormat: { textFormat: { bold: true } } }
    const { spreadsheet } = batchUpdate(
      two,
      { addNamedRange: { namedRange: { name: "Total", range: area(0, 1, 0, 2) } } },
      { repeatCell: { range: area(0, 2, 0, 2), cell: format, fields: "note,userEnteredFormat" } },
      { mergeCells: { range: area(4, 6, 0, 2), mergeType: "MERGE_ALL" } }
    )
    const stored: unknown = JSON.parse(JSON.stringify(spreadsheet))
    assert.deepStrictEqual(Schema.decodeUnknownSync(Spreadsheet)(stored), spreadsheet)
  })
})
