import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Spreadsheet } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { area, batchUpdate, call, read, rows, spreadsheetOf, titles } from "./SpreadsheetFixture.ts"

const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])

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
    assert.deepStrictEqual(body, {
      spreadsheetId: "s1",
      replies: [{
        addSheet: {
          properties: {
            sheetId,
            title: "C",
            index: 1,
            sheetType: "GRID",
            gridProperties: { rowCount: 5, columnCount: 2, frozenRowCount: 1 }
          }
        }
      }, {}]
    })
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

  it.each<{ request: object; says: string }>([
    {
      request: { addSheet: { properties: { title: "a" } } },
      says: "addSheet: A sheet with the name \"a\" already exists. Please enter another name."
    },
    { request: { addSheet: { properties: { sheetId: 0 } } }, says: "addSheet: A sheet with the id 0 already exists" },
    {
      request: { addSheet: { properties: { gridProperties: { rowCount: 1, frozenRowCount: 1 } } } },
      says: "addSheet: You can't freeze all visible rows on the sheet."
    },
    {
      request: { addSheet: { properties: { gridProperties: { rowCount: 1_000_000 } } } },
      says:
        "addSheet: This action would increase the number of cells in the workbook above the limit of 10000000 cells."
    },
    {
      request: { updateSheetProperties: { properties: { sheetId: 0, title: "b" }, fields: "title" } },
      says: "updateSheetProperties: A sheet with the name \"b\" already exists"
    },
    {
      request: { updateSheetProperties: { properties: { sheetId: 0, title: "x" } } },
      says: "updateSheetProperties: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"
    },
    {
      request: { repeatCell: { range: { sheetId: 0 }, cell: {}, fields: "" } },
      says: "repeatCell: At least one field must be listed in 'fields'."
    },
    {
      request: { deleteDimension: { range: rows(1000, 1001) } },
      says:
        "deleteDimension: Cannot delete a row that doesn't exist. Tried to delete row index 1000 but there are only 1000 rows."
    },
    {
      request: { deleteDimension: { range: rows(0, 1000) } },
      says: "deleteDimension: You can't delete all the rows on the sheet."
    },
    {
      request: { insertDimension: { range: rows(-1, 1) } },
      says: "insertDimension: DimensionRange indexes must be >= 0"
    },
    {
      request: { insertDimension: { range: rows(0, 1), inheritFromBefore: true } },
      says: "insertDimension: inheritFromBefore cannot be true"
    },
    { request: { insertDimension: { range: rows(1001, 1002) } }, says: "insertDimension: range.startIndex[1001]" },
    {
      request: { appendDimension: { sheetId: 9, dimension: "ROWS", length: 1 } },
      says: "appendDimension: No grid with id: 9"
    },
    {
      request: { repeatCell: { range: { sheetId: 9 }, cell: {}, fields: "note" } },
      says: "repeatCell: No grid with id: 9"
    },
    {
      request: { repeatCell: { range: area(5, 2, 0, 1), cell: {}, fields: "note" } },
      says: "repeatCell: endRowIndex[2] cannot be before startRowIndex[5]"
    },
    {
      request: { repeatCell: { range: area(2000, 2001, 0, 1), cell: {}, fields: "note" } },
      says: "repeatCell: Range (A!A2001) exceeds grid limits. Max rows: 1000, max columns: 26"
    },
    {
      request: { updateCells: { start: { rowIndex: 1000 }, rows: [{ values: [{}] }], fields: "*" } },
      says: "updateCells: Range (A!A1001) exceeds grid limits."
    },
    {
      request: { sortRange: { range: area(0, 2, 0, 2), sortSpecs: [{ dimensionIndex: 5 }] } },
      says: "sortRange: The sort column 5 is not in the range to sort."
    },
    {
      request: { addNamedRange: { namedRange: { name: "A1", range: area(0, 1, 0, 1) } } },
      says: "addNamedRange: The name you entered is not valid: \"A1\"."
    },
    { request: { deleteNamedRange: { namedRangeId: "x" } }, says: "deleteNamedRange: No named range with id: x" },
    {
      request: { findReplace: { find: "(", searchByRegex: true, allSheets: true } },
      says: "findReplace: The regular expression is not valid: ("
    },
    { request: { addChart: { chart: {} } }, says: "addChart: The sandbox does not carry out addChart requests." }
  ])("$says", ({ request, says }) => {
    const { body, spreadsheet, status } = batchUpdate(two, request)
    assert.strictEqual(status, 400)
    assert.include(body.error.message, `Invalid requests[0].${says}`)
    assert.strictEqual(spreadsheet, two)
  })

  it("rejects an empty list and an unknown request", () => {
    assert.strictEqual(batchUpdate(two).body.error.message, "Must specify at least one request.")
    assert.strictEqual(batchUpdate(two, { fly: {} }).status, 400)
  })

  it("gives a spreadsheet that can be stored as JSON", () => {
    const { spreadsheet } = batchUpdate(
      two,
      { addNamedRange: { namedRange: { name: "Total", range: area(0, 1, 0, 2) } } },
      {
        repeatCell: {
          range: area(0, 2, 0, 2),
          cell: { note: "n", userEnteredFormat: { textFormat: { bold: true } } },
          fields: "note,userEnteredFormat"
        }
      },
      { mergeCells: { range: area(4, 6, 0, 2), mergeType: "MERGE_ALL" } }
    )
    const stored: unknown = JSON.parse(JSON.stringify(spreadsheet))
    assert.deepStrictEqual(Schema.decodeUnknownSync(Spreadsheet)(stored), spreadsheet)
  })
})
