import { assert, describe, it } from "@effect/vitest"
import { call, spreadsheetOf } from "./SpreadsheetFixture.ts"

const workbook = spreadsheetOf([
  {
    title: "Data",
    typed: [["a", "=1+1"], [], ["", "=1/0"]],
    grid: { frozenRowCount: 1 },
    rowCount: 5,
    columnCount: 4
  },
  { title: "Empty", sheetId: 88, hidden: true, rowCount: 2, columnCount: 2 },
  { title: "Chart", sheetId: 99, type: "OBJECT", rowCount: 0, columnCount: 0 }
])

const get = (query: Readonly<Record<string, string | ReadonlyArray<string>>> = {}) =>
  call(workbook, "spreadsheets.get", { query }).body

describe("spreadsheets.get", () => {
  it("lists the tabs without cells by default", () => {
    const { properties, sheets, spreadsheetId, spreadsheetUrl } = get()
    assert.deepStrictEqual([spreadsheetId, spreadsheetUrl, properties.title], [
      "s1",
      "https://docs.google.com/spreadsheets/d/s1/edit",
      "Test"
    ])
    const grid = { rowCount: 5, columnCount: 4, frozenRowCount: 1 }
    const empty = { sheetId: 88, hidden: true, gridProperties: { rowCount: 2, columnCount: 2 } }
    assert.deepStrictEqual(sheets, [
      { properties: { sheetId: 0, title: "Data", index: 0, sheetType: "GRID", gridProperties: grid } },
      { properties: { ...empty, title: "Empty", index: 1, sheetType: "GRID" } },
      { properties: { sheetId: 99, title: "Chart", index: 2, sheetType: "OBJECT" } }
    ])
  })

  it("returns only the selected fields, which override includeGridData", () => {
    const selected = get({ fields: "sheets.properties(sheetId,title),properties/title", includeGridData: "true" })
    assert.deepStrictEqual(selected, {
      sheets: [[0, "Data"], [88, "Empty"], [99, "Chart"]].map(([sheetId, title]) => ({
        properties: { sheetId, title }
      })),
      properties: { title: "Test" }
    })
    assert.deepStrictEqual(get({ fields: "sheets.charts.chartId,developerMetadata" }), { sheets: [{}, {}, {}] })
    assert.isUndefined(get({ fields: "*", includeGridData: "true" }).sheets[0].data)
    assert.isDefined(get({ fields: "sheets" }).sheets[0].data)
    assert.deepStrictEqual(get({ fields: "sheets.data.rowData.values.formattedValue", ranges: "Data!A1:B1" }), {
      sheets: [{ data: [{ rowData: [{ values: [{ formattedValue: "a" }, { formattedValue: "2" }] }] }] }]
    })
  })

  it.each([
    ["content", "content"],
    ["sheets(", "sheets("]
  ])("rejects the fields %s", (fields, path) => {
    const { body, status } = call(workbook, "spreadsheets.get", { query: { fields } })
    assert.strictEqual(status, 400)
    assert.strictEqual(body.error.message, "Request contains an invalid argument.")
    assert.include(JSON.stringify(body.error.details), `Cannot find matching fields for path '${path}'.`)
  })

  it("rejects an unknown range and an invalid boolean", () => {
    assert.strictEqual(get({ ranges: "NOPE!A5:F15" }).error.message, "Unable to parse range: NOPE!A5:F15")
    const { message } = get({ includeGridData: "on" }).error
    assert.strictEqual(message, "Invalid value at 'include_grid_data' (TYPE_BOOL), \"on\"")
  })
})
