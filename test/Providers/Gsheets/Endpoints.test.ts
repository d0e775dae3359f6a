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
import { endpointSuite, findIssues } from "../../support/EndpointSuite.ts"

const path = { spreadsheetId: "1a-b_C" }
const at = { ...path, range: "Sheet1!A1:B2" }
const raw = { valueInputOption: "RAW" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 1 }

describe("Gsheets endpoints", () => {
  it("match the specification", () => {
    const spreadsheet = "/v4/spreadsheets/{spreadsheetId}"
    assert.deepStrictEqual(
      gsheetsEndpoints.map(({ createsFile = false, id, method, path, writes }) => [
        id,
        method,
        path,
        writes,
        createsFile
      ]),
      [
        ["spreadsheets.get", "GET", spreadsheet, false, false],
        ["values.get", "GET", `${spreadsheet}/values/{range}`, false, false],
        ["values.batchGet", "GET", `${spreadsheet}/values:batchGet`, false, false],
        ["values.update", "PUT", `${spreadsheet}/values/{range}`, true, false],
        ["values.append", "POST", `${spreadsheet}/values/{range}:append`, true, false],
        ["values.batchUpdate", "POST", `${spreadsheet}/values:batchUpdate`, true, false],
        ["values.clear", "POST", `${spreadsheet}/values/{range}:clear`, true, false],
        ["spreadsheets.create", "POST", "/v4/spreadsheets", true, true],
        ["spreadsheets.batchUpdate", "POST", `${spreadsheet}:batchUpdate`, true, false]
      ]
    )
  })

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

  it.each([
    { endpoint: spreadsheetsGet, input: { path: { spreadsheetId: "" } }, where: ["path", "spreadsheetId"] },
    { endpoint: spreadsheetsGet, input: { path: { spreadsheetId: "." } }, where: ["path", "spreadsheetId"] },
    { endpoint: valuesGet, input: { path: { ...path, range: ".." } }, where: ["path", "range"] },
    { endpoint: valuesGet, input: { path: { ...path, range: "" } }, where: ["path", "range"] },
    { endpoint: valuesGet, input: { path }, where: ["path", "range"] },
    { endpoint: valuesGet, input: {}, where: ["path"] },
    { endpoint: valuesGet, input: { path: at, query: { majorDimension: "rows" } }, where: ["query", "majorDimension"] },
    { endpoint: valuesGet, input: { path: at, body: {} }, where: ["body"] },
    { endpoint: spreadsheetsGet, input: { path, query: { ranges: "A1" } }, where: ["query", "ranges"] },
    { endpoint: spreadsheetsGet, input: { path, query: { ranges: ["A1", ""] } }, where: ["query", "ranges", 1] },
    {
      endpoint: spreadsheetsGet,
      input: { path, query: { includeGridData: "true" } },
      where: ["query", "includeGridData"]
    },
    {
      endpoint: spreadsheetsGet,
      input: { path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_OMITTED" } },
      where: ["query", "commentsViewMode"]
    },
    { endpoint: valuesBatchGet, input: { path }, where: ["query"] },
    { endpoint: valuesBatchGet, input: { path, query: {} }, where: ["query", "ranges"] },
    { endpoint: valuesBatchGet, input: { path, query: { ranges: [] } }, where: ["query", "ranges"] },
    { endpoint: valuesUpdate, input: { path: at, body: { values: [] } }, where: ["query"] },
    {
      endpoint: valuesUpdate,
      input: { path: at, query: {}, body: { values: [] } },
      where: ["query", "valueInputOption"]
    },
    {
      endpoint: valuesUpdate,
      input: { path: at, query: { valueInputOption: "INPUT_VALUE_OPTION_UNSPECIFIED" }, body: { values: [] } },
      where: ["query", "valueInputOption"]
    },
    { endpoint: valuesUpdate, input: { path: at, query: raw }, where: ["body"] },
    { endpoint: valuesUpdate, input: { path: at, query: raw, body: {} }, where: ["body", "values"] },
    { endpoint: valuesUpdate, input: { path: at, query: raw, body: { values: ["a"] } }, where: ["body", "values", 0] },
    {
      endpoint: valuesUpdate,
      input: { path: at, query: raw, body: { values: [["a"], [["b"]]] } },
      where: ["body", "values", 1, 0]
    },
    {
      endpoint: valuesUpdate,
      input: { path: at, query: raw, body: { values: [[{ v: 1 }]] } },
      where: ["body", "values", 0, 0]
    },
    {
      endpoint: valuesUpdate,
      input: { path: at, query: raw, body: { range: "Sheet1!A1", values: [] } },
      where: ["body", "range"]
    },
    {
      endpoint: valuesAppend,
      input: { path: at, query: raw, body: { range: "sheet1!A1:B2", values: [] } },
      where: ["body", "range"]
    },
    {
      endpoint: valuesAppend,
      input: { path: at, query: { ...raw, insertDataOption: "INSERT" }, body: { values: [] } },
      where: ["query", "insertDataOption"]
    },
    { endpoint: valuesBatchUpdate, input: { path, body: {} }, where: ["body", "valueInputOption"] },
    { endpoint: valuesBatchUpdate, input: { path, query: raw, body: raw }, where: ["query", "valueInputOption"] },
    {
      endpoint: valuesBatchUpdate,
      input: { path, body: { ...raw, data: [{ values: [] }] } },
      where: ["body", "data", 0, "range"]
    },
    {
      endpoint: valuesBatchUpdate,
      input: { path, body: { ...raw, data: [{ range: "A1" }] } },
      where: ["body", "data", 0, "values"]
    },
    { endpoint: valuesClear, input: { path: at, body: { range: "A1" } }, where: ["body", "range"] },
    { endpoint: spreadsheetsCreate, input: { body: { title: "a" } }, where: ["body", "title"] },
    {
      endpoint: spreadsheetsCreate,
      input: { body: { sheets: [{ properties: { sheetId: -1 } }] } },
      where: ["body", "sheets", 0, "properties", "sheetId"]
    },
    { endpoint: spreadsheetsBatchUpdate, input: { path }, where: ["body"] },
    { endpoint: spreadsheetsBatchUpdate, input: { path, body: {} }, where: ["body", "requests"] },
    { endpoint: spreadsheetsBatchUpdate, input: { path, body: { requests: [] } }, where: ["body", "requests"] },
    { endpoint: spreadsheetsBatchUpdate, input: { path, body: { requests: {} } }, where: ["body", "requests"] }
  ])("$endpoint.id refuses $input", ({ endpoint, input, where }) => {
    assert.deepStrictEqual(findIssues(endpoint, input).map(({ path }) => path), [["input", ...where]])
  })
})
