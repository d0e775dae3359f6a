import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  gsheetsEndpoints,
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
import type { RawEndpoint } from "../../../src/Providers/Provider.ts"
import { endpointSuite, wrongAt } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const at = { ...path, range: "Sheet1!A1:B2" }
const raw = { valueInputOption: "RAW" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("Gsheets endpoints", () => {
  endpointSuite(gsheetsEndpoints, {
    betweenFields: /the range of the path/,
    accepted: {
      "spreadsheets.get": [{ path, query: { ranges: [] } }],
      "values.get": [
        { path: { ...path, range: "Sheet1" } },
        { path: { ...path, range: "A1:B2" } },
        { path: { ...path, range: "R1C1:R2C2" } },
        { path: { ...path, range: "'My Sheet'!A:C" } },
        { path: { ...path, range: "..." } }
      ],
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
                  values: [{
                    effectiveValue: { errorValue: { type: "REF", message: "…" } },
                    formattedValue: "#REF!"
                  }]
                }]
              }]
            }],
            dataSourceSchedules: [{ nextRun: { startTime: "2026-01-31T09:30:00.123Z" } }]
          }
        }
      ],
      "spreadsheets.batchUpdate": [
        { path, body: { requests: [{ updateSheetProperties: { properties: {}, fields: "*" } }] } },
        { path, body: { requests: [{ updateBorders: { range: grid, top: { style: "NONE" } } }] } },
        { path, body: { requests: [{ setDataValidation: { range: grid } }] } },
        { path, body: { requests: [{ pasteData: { data: "a,b", delimiter: ",", type: "PASTE_VALUES" } }] } },
        { path, body: { requests: [{ updateCells: { start: { sheetId: 1 }, fields: "note", rows: [{}] } }] } },
        {
          path,
          body: {
            requests: [{
              addSlicer: { slicer: { position: { overlayPosition: { anchorCell: {} } }, spec: { columnIndex: 1 } } }
            }]
          }
        },
        {
          path,
          body: {
            requests: [{
              addConditionalFormatRule: {
                rule: {
                  ranges: [grid],
                  gradientRule: {
                    minpoint: { color: { red: 1 }, type: "MIN" },
                    maxpoint: { colorStyle: { rgbColor: { green: 1, alpha: 0 } }, type: "MAX" }
                  }
                }
              }
            }]
          }
        },
        {
          path,
          body: {
            requests: [{
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
            }]
          }
        }
      ]
    }
  })

  it("sends exactly the caller's range and nothing else", () => {
    for (const range of ["'Jon''s Q1/Q2'!A1:B2", "Größe", "A1"]) {
      const input = { path: { ...path, range } }
      assert.deepStrictEqual(Result.getOrThrow(validator(valuesGet.input)(input)), input)
      assert.deepStrictEqual(Result.getOrThrow(validator(valuesClear.input)(input)), input)
    }
  })

  const refused: ReadonlyArray<readonly [endpoint: RawEndpoint, input: object, where: string]> = [
    [spreadsheetsGet, { path: { spreadsheetId: "" } }, "path.spreadsheetId"],
    [spreadsheetsGet, { path: { spreadsheetId: "." } }, "path.spreadsheetId"],
    [valuesGet, { path: { ...path, range: ".." } }, "path.range"],
    [valuesGet, { path: { ...path, range: "" } }, "path.range"],
    [valuesGet, { path }, "path.range"],
    [valuesGet, {}, "path"],
    [valuesGet, { path: at, query: { majorDimension: "rows" } }, "query.majorDimension"],
    [valuesGet, { path: at, body: {} }, "body"],
    [spreadsheetsGet, { path, query: { ranges: "A1" } }, "query.ranges"],
    [spreadsheetsGet, { path, query: { ranges: ["A1", ""] } }, "query.ranges.1"],
    [spreadsheetsGet, { path, query: { includeGridData: "true" } }, "query.includeGridData"],
    [spreadsheetsGet, { path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_OMITTED" } }, "query.commentsViewMode"],
    [valuesBatchGet, { path }, "query"],
    [valuesBatchGet, { path, query: {} }, "query.ranges"],
    [valuesBatchGet, { path, query: { ranges: [] } }, "query.ranges"],
    [valuesUpdate, { path: at, body: { values: [] } }, "query"],
    [valuesUpdate, { path: at, query: {}, body: { values: [] } }, "query.valueInputOption"],
    [
      valuesUpdate,
      { path: at, query: { valueInputOption: "INPUT_VALUE_OPTION_UNSPECIFIED" }, body: { values: [] } },
      "query.valueInputOption"
    ],
    [valuesUpdate, { path: at, query: raw }, "body"],
    [valuesUpdate, { path: at, query: raw, body: {} }, "body.values"],
    [valuesUpdate, { path: at, query: raw, body: { values: ["a"] } }, "body.values.0"],
    [valuesUpdate, { path: at, query: raw, body: { values: [["a"], [["b"]]] } }, "body.values.1.0"],
    [valuesUpdate, { path: at, query: raw, body: { values: [[{ v: 1 }]] } }, "body.values.0.0"],
    [valuesUpdate, { path: at, query: raw, body: { range: "Sheet1!A1", values: [] } }, "body.range"],
    [valuesAppend, { path: at, query: raw, body: { range: "sheet1!A1:B2", values: [] } }, "body.range"],
    [
      valuesAppend,
      { path: at, query: { ...raw, insertDataOption: "INSERT" }, body: { values: [] } },
      "query.insertDataOption"
    ],
    [valuesBatchUpdate, { path, body: {} }, "body.valueInputOption"],
    [valuesBatchUpdate, { path, query: raw, body: raw }, "query.valueInputOption"],
    [valuesBatchUpdate, { path, body: { ...raw, data: [{ values: [] }] } }, "body.data.0.range"],
    [valuesBatchUpdate, { path, body: { ...raw, data: [{ range: "A1" }] } }, "body.data.0.values"],
    [valuesClear, { path: at, body: { range: "A1" } }, "body.range"],
    [spreadsheetsCreate, { body: { title: "a" } }, "body.title"],
    [spreadsheetsCreate, { body: { sheets: [{ properties: { sheetId: -1 } }] } }, "body.sheets.0.properties.sheetId"],
    [spreadsheetsBatchUpdate, { path }, "body"],
    [spreadsheetsBatchUpdate, { path, body: {} }, "body.requests"],
    [spreadsheetsBatchUpdate, { path, body: { requests: [] } }, "body.requests"],
    [spreadsheetsBatchUpdate, { path, body: { requests: {} } }, "body.requests"]
  ]
  for (const [endpoint, input, where] of refused) {
    it(`${endpoint.id} refuses ${JSON.stringify(input).slice(0, 100)}`, () => {
      assert.deepStrictEqual(wrongAt(endpoint, input), [where])
    })
  }
})
