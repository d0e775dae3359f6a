import { assert, describe, it } from "@effect/vitest"
import { sheetsTools } from "../../../src/Providers/Gsheets/Tools.ts"
import { findDisagreements } from "../../support/InputSchema.ts"
import { id } from "./FakeSpreadsheet.ts"

const spreadsheet = id

const valid: Readonly<Record<string, ReadonlyArray<object>>> = {
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

describe("The spreadsheet tools", () => {
  it.each(sheetsTools)("$name accepts exactly what its input_schema accepts", ({ input, name }) => {
    assert.deepStrictEqual(findDisagreements(input, valid[name] ?? []), [])
  })
})
