import { assert, describe, it } from "@effect/vitest"
import { spreadsheetsBatchUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { wrongAt } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("spreadsheets.batchUpdate", () => {
  const refused: ReadonlyArray<readonly [request: object, at: string]> = [
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
  for (const [request, at] of refused) {
    it(`refuses the change ${JSON.stringify(request).slice(0, 100)}`, () => {
      const input = { path, body: { requests: [{ addSheet: {} }, request] } }
      assert.deepStrictEqual(wrongAt(spreadsheetsBatchUpdate, input), [`body.requests.1${at}`])
    })
  }
})
