import { assert, describe, it } from "@effect/vitest"
import { spreadsheetsBatchUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { findIssues } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("spreadsheets.batchUpdate", () => {
  it.each([
    { request: {}, where: [] },
    { request: { addSheet: {}, deleteSheet: { sheetId: 1 } }, where: [] },
    { request: { add_sheet: {} }, where: ["add_sheet"] },
    { request: { insertComment: { content: "a" } }, where: ["insertComment"] },
    { request: { addSheet: { properties: { tabColour: {} } } }, where: ["addSheet", "properties", "tabColour"] },
    { request: { addSheet: { properties: { sheetId: 2 ** 31 } } }, where: ["addSheet", "properties", "sheetId"] },
    { request: { appendDimension: { dimension: "ROW" } }, where: ["appendDimension", "dimension"] },
    { request: { appendDimension: { length: 1.5 } }, where: ["appendDimension", "length"] },
    { request: { deleteSheet: { sheetId: "0" } }, where: ["deleteSheet", "sheetId"] },
    { request: { repeatCell: { range: grid, cell: {} } }, where: ["repeatCell", "fields"] },
    { request: { repeatCell: { range: grid, cell: {}, fields: "" } }, where: ["repeatCell", "fields"] },
    {
      request: { updateSheetProperties: { properties: { title: "a" } } },
      where: ["updateSheetProperties", "fields"]
    },
    { request: { updateCells: { fields: "*" } }, where: ["updateCells"] },
    { request: { updateCells: { fields: "*", start: {}, range: grid } }, where: ["updateCells"] },
    { request: { findReplace: { find: "a" } }, where: ["findReplace"] },
    { request: { findReplace: { find: "a", allSheets: true, sheetId: 0 } }, where: ["findReplace"] },
    { request: { pasteData: { data: "a" } }, where: ["pasteData"] },
    { request: { autoFill: { range: grid, sourceAndDestination: {} } }, where: ["autoFill"] },
    {
      request: { setBasicFilter: { filter: { criteria: { A: {} } } } },
      where: ["setBasicFilter", "filter", "criteria", "A"]
    },
    { request: { addTable: {} }, where: ["addTable", "table"] },
    {
      request: { updateDeveloperMetadata: { dataFilters: [], fields: "*" } },
      where: ["updateDeveloperMetadata", "dataFilters"]
    },
    {
      request: { repeatCell: { fields: "*", cell: { userEnteredValue: { stringValue: "a", numberValue: 1 } } } },
      where: ["repeatCell", "cell", "userEnteredValue"]
    },
    {
      request: { addConditionalFormatRule: { rule: { ranges: [grid] } } },
      where: ["addConditionalFormatRule", "rule"]
    },
    {
      request: { addChart: { chart: { spec: { pieChart: {} }, position: {} } } },
      where: ["addChart", "chart", "position"]
    },
    {
      request: { updateChartSpec: { chartId: 1, spec: { pieChart: {}, orgChart: {} } } },
      where: ["updateChartSpec", "spec"]
    }
  ])("refuses the change $request", ({ request, where }) => {
    assert.deepStrictEqual(
      findIssues(spreadsheetsBatchUpdate, { path, body: { requests: [{ addSheet: {} }, request] } })
        .map(({ path }) => path),
      [["input", "body", "requests", 1, ...where]]
    )
  })
})
