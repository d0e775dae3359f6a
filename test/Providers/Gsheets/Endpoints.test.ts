import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  spreadsheetsBatchUpdate,
  spreadsheetsCreate,
  spreadsheetsGet,
  valuesAppend,
  valuesBatchGet,
  valuesBatchUpdate,
  valuesClear,
  valuesGet,
  valuesUpdate
} from "../../../src/Providers/Gsheets/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const at = { ...path, range: "Sheet1!A1:B2" }
const raw = { valueInputOption: "RAW" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("Gsheets endpoints", () => {
  it.each(["'Jon''s Q1/Q2'!A1:B2", "Größe", "A1"])("send exactly the caller's range %s and nothing else", (range) => {
    const input = { path: { ...path, range } }
    assert.deepStrictEqual(Result.getOrThrow(validator(valuesGet.input)(input)), input)
    assert.deepStrictEqual(Result.getOrThrow(validator(valuesClear.input)(input)), input)
  })

  refuses(spreadsheetsGet, [
    [{ path: { spreadsheetId: "" } }, "path.spreadsheetId"],
    [{ path: { spreadsheetId: "." } }, "path.spreadsheetId"],
    [{ path, query: { ranges: "A1" } }, "query.ranges"],
    [{ path, query: { ranges: ["A1", ""] } }, "query.ranges.1"],
    [{ path, query: { includeGridData: "true" } }, "query.includeGridData"],
    [{ path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_OMITTED" } }, "query.commentsViewMode"]
  ])
  refuses(valuesGet, [
    [{ path: { ...path, range: ".." } }, "path.range"],
    [{ path: { ...path, range: "" } }, "path.range"],
    [{ path }, "path.range"],
    [{}, "path"],
    [{ path: at, query: { majorDimension: "rows" } }, "query.majorDimension"],
    [{ path: at, body: {} }, "body"]
  ])
  refuses(valuesBatchGet, [
    [{ path }, "query"],
    [{ path, query: {} }, "query.ranges"],
    [{ path, query: { ranges: [] } }, "query.ranges"]
  ])
  refuses(valuesUpdate, [
    [{ path: at, body: { values: [] } }, "query"],
    [{ path: at, query: {}, body: { values: [] } }, "query.valueInputOption"],
    [
      { path: at, query: { valueInputOption: "INPUT_VALUE_OPTION_UNSPECIFIED" }, body: { values: [] } },
      "query.valueInputOption"
    ],
    [{ path: at, query: raw }, "body"],
    [{ path: at, query: raw, body: {} }, "body.values"],
    [{ path: at, query: raw, body: { values: ["a"] } }, "body.values.0"],
    [{ path: at, query: raw, body: { values: [["a"], [["b"]]] } }, "body.values.1.0"],
    [{ path: at, query: raw, body: { values: [[{ v: 1 }]] } }, "body.values.0.0"],
    [{ path: at, query: raw, body: { range: "Sheet1!A1", values: [] } }, "body.range"]
  ])
  refuses(valuesAppend, [
    [{ path: at, query: raw, body: { range: "sheet1!A1:B2", values: [] } }, "body.range"],
    [{ path: at, query: { ...raw, insertDataOption: "INSERT" }, body: { values: [] } }, "query.insertDataOption"]
  ])
  refuses(valuesBatchUpdate, [
    [{ path, body: {} }, "body.valueInputOption"],
    [{ path, query: raw, body: raw }, "query.valueInputOption"],
    [{ path, body: { ...raw, data: [{ values: [] }] } }, "body.data.0.range"],
    [{ path, body: { ...raw, data: [{ range: "A1" }] } }, "body.data.0.values"]
  ])
  refuses(valuesClear, [[{ path: at, body: { range: "A1" } }, "body.range"]])
  refuses(spreadsheetsCreate, [
    [{ body: { title: "a" } }, "body.title"],
    [{ body: { sheets: [{ properties: { sheetId: -1 } }] } }, "body.sheets.0.properties.sheetId"]
  ])
  refuses(spreadsheetsBatchUpdate, [
    [{ path }, "body"],
    [{ path, body: {} }, "body.requests"],
    [{ path, body: { requests: [] } }, "body.requests"],
    [{ path, body: { requests: {} } }, "body.requests"]
  ])

  const changes: ReadonlyArray<readonly [request: object, at: string]> = [
    [{}, ""],
    [{ addSheet: {}, deleteSheet: { sheetId: 1 } }, ""],
    [{ add_sheet: {} }, ".add_sheet"],
    [{ insertComment: { content: "a" } }, ".insertComment"],
    [{ addSheet: { properties: { tabColour: {} } } }, ".addSheet.properties.tabColour"],
    [{ addSheet: { properties: { sheetId: 2 ** 31 } } }, ".addSheet.properties.sheetId"],
    [{ appendDimension: { dimension: "ROW" } }, ".appendDimension.dimension"],
    [{ appendDimension: { length: 1.5 } }, ".appendDimension.length"],
    [{ deleteSheet: { sheetId: "0" } }, ".deleteSheet.sheetId"],
    [{ repeatCell: { range: grid, cell: {} } }, ".repeatCell.fields"],
    [{ repeatCell: { range: grid, cell: {}, fields: "" } }, ".repeatCell.fields"],
    [{ updateSheetProperties: { properties: { title: "a" } } }, ".updateSheetProperties.fields"],
    [{ updateCells: { fields: "*" } }, ".updateCells"],
    [{ updateCells: { fields: "*", start: {}, range: grid } }, ".updateCells"],
    [{ findReplace: { find: "a" } }, ".findReplace"],
    [{ findReplace: { find: "a", allSheets: true, sheetId: 0 } }, ".findReplace"],
    [{ pasteData: { data: "a" } }, ".pasteData"],
    [{ autoFill: { range: grid, sourceAndDestination: {} } }, ".autoFill"],
    [{ setBasicFilter: { filter: { criteria: { A: {} } } } }, ".setBasicFilter.filter.criteria.A"],
    [{ addTable: {} }, ".addTable.table"],
    [{ updateDeveloperMetadata: { dataFilters: [], fields: "*" } }, ".updateDeveloperMetadata.dataFilters"],
    [
      { repeatCell: { fields: "*", cell: { userEnteredValue: { stringValue: "a", numberValue: 1 } } } },
      ".repeatCell.cell.userEnteredValue"
    ],
    [{ addConditionalFormatRule: { rule: { ranges: [grid] } } }, ".addConditionalFormatRule.rule"],
    [{ addChart: { chart: { spec: { pieChart: {} }, position: {} } } }, ".addChart.chart.position"],
    [{ updateChartSpec: { chartId: 1, spec: { pieChart: {}, orgChart: {} } } }, ".updateChartSpec.spec"]
  ]
  refuses(
    spreadsheetsBatchUpdate,
    changes.map(([request, at]) => [
      { path, body: { requests: [{ addSheet: {} }, request] } },
      `body.requests.1${at}`,
      `the change ${JSON.stringify(request)}`
    ])
  )
})
