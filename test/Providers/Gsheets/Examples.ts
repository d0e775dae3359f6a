import type { Examples } from "../Checks/Examples.ts"
import { id } from "./FakeSpreadsheet.ts"

const path = { spreadsheetId: "1a-b_C" }
const at = { ...path, range: "Sheet1!A1:B2" }
const raw = { valueInputOption: "RAW" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }
const spreadsheet = id

const requests = (...requests: ReadonlyArray<object>) => ({ path, body: { requests } })

export const gsheetsExamples: Examples = {
  rules: /the range of the path/,
  inputs: {
    "spreadsheets.get": [{ path, query: { ranges: [] } }],
    "values.get": ["Sheet1", "A1:B2", "R1C1:R2C2", "'My Sheet'!A:C", "..."].map((range) => ({
      path: { ...path, range }
    })),
    "values.update": [
      { path: at, query: raw, body: { range: "", values: [] } },
      { path: at, query: raw, body: { range: at.range, majorDimension: "DIMENSION_UNSPECIFIED", values: [[]] } },
      {
        path: { ...path, range: "Sheet1!A1:D5" },
        query: { valueInputOption: "USER_ENTERED" },
        body: {
          range: "Sheet1!A1:D5",
          majorDimension: "ROWS",
          values: [["Item", "Cost"], ["Wheel", "$20.50"], ["Totals", "=SUM(B2:B4)"]]
        }
      }
    ],
    "values.batchUpdate": [
      { path, body: raw },
      {
        path,
        body: {
          valueInputOption: "USER_ENTERED",
          data: [
            { range: "Sheet1!A1:A4", majorDimension: "COLUMNS", values: [["Item", "Wheel", "Door", "Engine"]] },
            { range: "Sheet1!B1:D2", majorDimension: "ROWS", values: [["Cost", "Stocked", "Ship Date"]] }
          ]
        }
      }
    ],
    "spreadsheets.create": [
      // A response can be sent back: output-only fields are accepted.
      {
        body: {
          spreadsheetId: "1a",
          spreadsheetUrl: "https://docs.google.com/spreadsheets/d/1a/edit",
          properties: { title: "Untitled", autoRecalc: "ON_CHANGE" },
          sheets: [{
            properties: { sheetId: 0, index: 0, sheetType: "GRID", gridProperties: { rowCount: 1000 } },
            data: [{
              rowData: [{
                values: [{ effectiveValue: { errorValue: { type: "REF", message: "…" } }, formattedValue: "#REF!" }]
              }]
            }]
          }],
          dataSourceSchedules: [{ nextRun: { startTime: "2026-01-31T09:30:00.123Z" } }]
        }
      }
    ],
    "spreadsheets.batchUpdate": [
      requests({ updateSheetProperties: { properties: {}, fields: "*" } }),
      requests({ updateBorders: { range: grid, top: { style: "NONE" } } }),
      requests({ setDataValidation: { range: grid } }),
      requests({ pasteData: { data: "a,b", delimiter: ",", type: "PASTE_VALUES" } }),
      requests({ updateCells: { start: { sheetId: 1 }, fields: "note", rows: [{}] } }),
      requests({
        addSlicer: { slicer: { position: { overlayPosition: { anchorCell: {} } }, spec: { columnIndex: 1 } } }
      }),
      requests({
        addConditionalFormatRule: {
          rule: {
            ranges: [grid],
            gradientRule: {
              minpoint: { color: { red: 1 }, type: "MIN" },
              maxpoint: { colorStyle: { rgbColor: { green: 1, alpha: 0 } }, type: "MAX" }
            }
          }
        }
      }),
      requests({
        updateCells: {
          range: grid,
          fields: "pivotTable",
          rows: [{
            values: [{
              pivotTable: {
                source: grid,
                rows: [{ sourceColumnOffset: 0, showTotals: true, sortOrder: "ASCENDING" }],
                values: [{ summarizeFunction: "COUNTA", sourceColumnOffset: 4 }],
                criteria: { "0": { visibleValues: ["a"] } },
                valueLayout: "HORIZONTAL"
              }
            }]
          }]
        }
      })
    ],
    sheets_read: [
      { spreadsheet },
      { spreadsheet: `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`, tab: 0 },
      { spreadsheet, tab: "Data", range: "B2:C", header_row: 0, limit: 1000, offset: 5, values: "formula" },
      { spreadsheet, tab: "", range: "", include_blank_rows: true }
    ],
    sheets_list_tabs: [{ spreadsheet }, { spreadsheet, include_headers: true }],
    sheets_append_rows: [
      { spreadsheet, rows: [{ a: 1, b: "x", c: null, d: true }] },
      { spreadsheet, rows: [["a", 1, null, false]], tab: 3, header_row: 0, parse: true, allow_formulas: true },
      { spreadsheet, rows: "[]", create_headers: false }
    ],
    sheets_update_range: [
      { spreadsheet, range: "B2", values: [[1, "x", null, true]] },
      { spreadsheet, range: "B2", values: "x", overwrite_formulas: true, expect: [[null]] },
      { spreadsheet, range: "B2", values: 0, tab: "Data" }
    ],
    sheets_create: [
      { title: "T" },
      { title: "T", headers: ["a"], rows: [{ a: 1 }], tab: "x", freeze_header: false },
      { title: "T", rows: [["a"]] }
    ]
  }
}
