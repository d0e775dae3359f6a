import { assert, describe, it } from "@effect/vitest"
import { sheetsTools } from "../../../src/Providers/Gsheets/Tools.ts"
import { jsonSchemaOf } from "../../../src/Providers/JsonSchema.ts"
import { compileJsonSchema, findDisagreements, findGaps } from "../../support/InputSchema.ts"
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

const isRow = (gap: string) => gap.includes("/properties/rows/")

describe.each(sheetsTools)("$name", (tool) => {
  const schema = jsonSchemaOf(tool.input)

  it("has a valid, closed, described input_schema", () => {
    compileJsonSchema(schema)
    assert.deepStrictEqual(findGaps(schema).filter((gap) => !isRow(gap)), [])
    assert.strictEqual(schema["type"], "object")
  })

  it("accepts exactly what its input_schema accepts", () => {
    assert.deepStrictEqual(findDisagreements(tool.input, valid[tool.name] ?? []), [])
  })

  it("names a sibling tool", () => {
    assert.match(
      tool.description,
      new RegExp(sheetsTools.map(({ name }) => name).filter((name) => name !== tool.name).join("|"))
    )
  })
})

describe("The tools", () => {
  it("declare writes and new files", () => {
    assert.deepStrictEqual(
      sheetsTools.map(({ createsFile = false, name, writes }) => ({ createsFile, name, writes })),
      [
        { createsFile: false, name: "sheets_read", writes: false },
        { createsFile: false, name: "sheets_list_tabs", writes: false },
        { createsFile: false, name: "sheets_append_rows", writes: true },
        { createsFile: false, name: "sheets_update_range", writes: true },
        { createsFile: true, name: "sheets_create", writes: true }
      ]
    )
  })
})
