import type { Examples } from "../Checks/Examples.ts"
import { id } from "./FakeSpreadsheet.ts"

const path = { spreadsheetId: "1a-b_C" }
const spreadsheet = id

export const gsheetsExamples: Examples = {
  rules: /the range of the path/,
  inputs: {
    "spreadsheets.get": [{ path, query: { ranges: [] } }],
    "values.get": ["Sheet1", "A1:B2", "R1C1:R2C2", "'My Sheet'!A:C", "..."].map((range) => ({
      path: { ...path, range }
    })),
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
