import { assert, describe, it } from "@effect/vitest"
import { area, call, read, spreadsheetOf } from "./SpreadsheetFixture.ts"

const workbook = {
  ...spreadsheetOf([
    {
      title: "Data",
      typed: [["a", "=1+1"], [], ["", "=1/0"]],
      grid: { frozenRowCount: 1 },
      rowCount: 5,
      columnCount: 4
    },
    { title: "Empty", sheetId: 88, hidden: true, rowCount: 2, columnCount: 2 },
    { title: "Chart", sheetId: 99, type: "OBJECT", rowCount: 0, columnCount: 0 }
  ]),
  namedRanges: [{ namedRangeId: "n", name: "Total", sheetId: 0, area: { top: 0, left: 0, bottom: 1, right: 2 } }]
}

const get = (query: Readonly<Record<string, string | ReadonlyArray<string>>> = {}) =>
  call(workbook, "spreadsheets.get", { query }).body

describe("spreadsheets.get", () => {
  it("lists the tabs without cells by default", () => {
    const { namedRanges, properties, sheets, spreadsheetId, spreadsheetUrl } = get()
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
    assert.deepStrictEqual(namedRanges, [{ namedRangeId: "n", name: "Total", range: area(0, 1, 0, 2) }])
  })

  it("includes the cells of each grid on request, without trailing empty cells", () => {
    const [data, empty, chart] = get({ includeGridData: "true" }).sheets
    const [{ columnMetadata, rowData, rowMetadata, startRow }] = data.data
    assert.deepStrictEqual([columnMetadata.length, rowMetadata.length, rowData.length, startRow], [4, 5, 3, undefined])
    assert.deepStrictEqual(rowData[1], {})
    assert.deepStrictEqual(rowData[2].values[0], {})
    const [, formula] = rowData[0].values
    assert.deepInclude(formula, {
      userEnteredValue: { formulaValue: "=1+1" },
      effectiveValue: { numberValue: 2 },
      formattedValue: "2"
    })
    assert.deepInclude(rowData[2].values[1], {
      effectiveValue: {
        errorValue: { type: "DIVIDE_BY_ZERO", message: "Function DIVIDE parameter 2 cannot be zero." }
      },
      formattedValue: "#DIV/0!"
    })
    assert.deepStrictEqual(Object.keys(empty.data[0]), ["rowMetadata", "columnMetadata"])
    assert.isUndefined(chart.data)
  })

  it("with ranges, returns only their tabs, with one data block per range", () => {
    const { sheets } = get({ ranges: ["Data!B1:B3", "Data!A3"], includeGridData: "true" })
    assert.lengthOf(sheets, 1)
    const [first, second] = sheets[0].data
    assert.deepInclude(first, { startColumn: 1 })
    assert.lengthOf(first.rowMetadata, 3)
    assert.deepInclude(second, { startRow: 2 })
    assert.isUndefined(second.rowData)
    assert.isUndefined(get({ ranges: "Data!A1" }).sheets[0].data)
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
    ["sheets.cells", "sheets.cells"],
    ["sheets(properties(name))", "sheets.properties.name"],
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

const create = (body: unknown, query = {}) => call(workbook, "spreadsheets.create", { body, query })

describe("spreadsheets.create", () => {
  it("creates one blank tab by default", () => {
    const { body: { properties, sheets, spreadsheetId } } = create({})
    assert.deepStrictEqual([spreadsheetId, properties.title, sheets.length], ["new", "Untitled spreadsheet", 1])
    assert.deepInclude(sheets[0].properties, { title: "Sheet1", gridProperties: { rowCount: 1000, columnCount: 26 } })
  })

  it("creates the given tabs with their cells", () => {
    const { body, spreadsheet } = create({
      properties: { title: "Stock", timeZone: "Europe/Berlin" },
      sheets: [
        {
          properties: { title: "Lager", gridProperties: { frozenRowCount: 1 } },
          data: [{
            rowData: [{
              values: [{ userEnteredValue: { stringValue: "=x" }, userEnteredFormat: { textFormat: { bold: true } } }]
            }]
          }, { startRow: 2, startColumn: 1, rowData: [{ values: [{ userEnteredValue: { formulaValue: "=1+1" } }] }] }]
        },
        { properties: { gridProperties: { rowCount: 0, columnCount: 0 } } }
      ],
      namedRanges: []
    }, { fields: "properties.title,sheets.properties.title" })
    assert.deepStrictEqual(body, {
      properties: { title: "Stock" },
      sheets: [{ properties: { title: "Lager" } }, { properties: { title: "Sheet2" } }]
    })
    assert.deepStrictEqual(read(spreadsheet, "Lager"), [["=x"], [], ["", 2]])
    assert.strictEqual(spreadsheet.properties.timeZone, "Europe/Berlin")
    assert.deepInclude(spreadsheet.tabs[1], { rowCount: 1000, columnCount: 26 })
  })

  it.each<[sheets: object, says: string]>([
    [[{ properties: { gridProperties: { rowCount: 1, frozenRowCount: 1 } } }], "You can't freeze all visible rows"],
    [[{ properties: { title: "a" } }, { properties: { title: "A" } }], "already exists"],
    [[{ properties: { sheetId: 0 } }, { properties: { sheetId: 0 } }], "already exists"],
    [[{ name: "x" }], "Unknown name \"name\""]
  ])("rejects the tabs %j", (sheets, says) => {
    const { body, status } = create({ sheets })
    assert.strictEqual(status, 400)
    assert.include(body.error.message, says)
  })

  it("NOW() shows the time in the spreadsheet's time zone", () => {
    const cell = { userEnteredValue: { formulaValue: "=NOW()" } }
    const { spreadsheet } = create({
      properties: { timeZone: "America/New_York" },
      sheets: [{ data: [{ rowData: [{ values: [cell] }] }] }]
    })
    assert.deepStrictEqual(read(spreadsheet, "A1", "FORMATTED_VALUE"), [["3/18/2026 8:00:00"]])
  })
})
