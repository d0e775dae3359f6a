import { describe } from "@effect/vitest"
import {
  spreadsheetsBatchUpdate,
  spreadsheetsGet,
  valuesAppend,
  valuesBatchUpdate,
  valuesClear,
  valuesUpdate
} from "../../../src/Providers/Gsheets/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const at = { ...path, range: "Sheet1!A1:B2" }
const raw = { valueInputOption: "RAW" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("Gsheets endpoints", () => {
  refuses(spreadsheetsGet, [
    [{ path: { spreadsheetId: "" } }, "path.spreadsheetId"],
    [{ path, query: { ranges: ["A1", ""] } }, "query.ranges.1"],
    [{ path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_OMITTED" } }, "query.commentsViewMode"]
  ])
  refuses(valuesUpdate, [
    [{ path: at, query: {}, body: { values: [] } }, "query.valueInputOption"],
    [
      { path: at, query: { valueInputOption: "INPUT_VALUE_OPTION_UNSPECIFIED" }, body: { values: [] } },
      "query.valueInputOption"
    ],
    [{ path: at, query: raw, body: { values: [["a"], [["b"]]] } }, "body.values.1.0"],
    [{ path: at, query: raw, body: { values: [[{ v: 1 }]] } }, "body.values.0.0"],
    [{ path: at, query: raw, body: { range: "Sheet1!A1", values: [] } }, "body.range"]
  ])
  refuses(valuesAppend, [
    [{ path: at, query: raw, body: { range: "sheet1!A1:B2", values: [] } }, "body.range"]
  ])
  refuses(valuesBatchUpdate, [
    [{ path, query: raw, body: raw }, "query.valueInputOption"],
    [{ path, body: { ...raw, data: [{ values: [] }] } }, "body.data.0.range"]
  ])
  refuses(valuesClear, [[{ path: at, body: { range: "A1" } }, "body.range"]])

  const changes: ReadonlyArray<readonly [request: object, at: string]> = [
    [{}, ""],
    [{ insertComment: { content: "a" } }, ".insertComment"],
    [{ addSheet: { properties: { sheetId: 2 ** 31 } } }, ".addSheet.properties.sheetId"],
    [{ appendDimension: { length: 1.5 } }, ".appendDimension.length"],
    [{ repeatCell: { range: grid, cell: {} } }, ".repeatCell.fields"],
    [{ updateCells: { fields: "*" } }, ".updateCells"],
    [{ findReplace: { find: "a" } }, ".findReplace"],
    [{ autoFill: { range: grid, sourceAndDestination: {} } }, ".autoFill"],
    [{ setBasicFilter: { filter: { criteria: { A: {} } } } }, ".setBasicFilter.filter.criteria.A"],
    [{ updateDeveloperMetadata: { dataFilters: [], fields: "*" } }, ".updateDeveloperMetadata.dataFilters"],
    [
      { repeatCell: { fields: "*", cell: { userEnteredValue: { stringValue: "a", numberValue: 1 } } } },
      ".repeatCell.cell.userEnteredValue"
    ],
    [{ addConditionalFormatRule: { rule: { ranges: [grid] } } }, ".addConditionalFormatRule.rule"],
    [{ addChart: { chart: { spec: { pieChart: {} }, position: {} } } }, ".addChart.chart.position"]
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
