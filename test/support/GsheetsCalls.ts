import { sheets } from "@googleapis/sheets"
import * as gsheets from "../../src/Providers/Gsheets/Endpoints.ts"
import { callsOf, commonQuery } from "./EndpointCalls.ts"

const spreadsheet = { spreadsheetId: "1q0gLhLdGXYZblahblahblah-_" }
const awkwardRange = { ...spreadsheet, range: "'Jon''s Q1/Q2'!A1:B2" }
const unicodeRange = { ...spreadsheet, range: "'Größe? #1 & 100%+'!$A$1:R2" }
const written = {
  valueInputOption: "USER_ENTERED",
  includeValuesInResponse: true,
  responseValueRenderOption: "UNFORMATTED_VALUE",
  responseDateTimeRenderOption: "FORMATTED_STRING"
}
const cells = [["Ünïcode 🚀", 1.5, true, null], [], ["=SUM(A1:B2)", "", "\"quoted\"", -0.1]]

export const gsheetsCalls = callsOf("gsheets", (rootUrl) => sheets({ version: "v4", rootUrl }), [
  [gsheets.spreadsheetsGet, "sheets.spreadsheets.get", [
    { path: spreadsheet },
    {
      path: spreadsheet,
      query: {
        ranges: ["'Jon''s Q1/Q2'!A1:B2", "Größe", "A,B"],
        includeGridData: true,
        excludeTablesInBandedRanges: false,
        fields: "spreadsheetId,sheets.properties(sheetId,title)"
      }
    }
  ]],
  [gsheets.valuesGet, "sheets.spreadsheets.values.get", [
    { path: awkwardRange },
    {
      path: unicodeRange,
      query: { majorDimension: "COLUMNS", valueRenderOption: "FORMULA", dateTimeRenderOption: "SERIAL_NUMBER" }
    },
    { path: { spreadsheetId: "a/b?c", range: "a..b" }, query: commonQuery }
  ]],
  [gsheets.valuesBatchGet, "sheets.spreadsheets.values.batchGet", [
    { path: spreadsheet, query: { ranges: ["A1"] } },
    { path: spreadsheet, query: { ranges: ["'Jon''s Q1/Q2'!A1:B2", "A1", "A1"], majorDimension: "ROWS" } }
  ]],
  [gsheets.valuesUpdate, "sheets.spreadsheets.values.update", [
    { path: awkwardRange, query: { valueInputOption: "RAW" }, body: { values: cells } },
    {
      path: unicodeRange,
      query: { ...written, ...commonQuery },
      body: { range: unicodeRange.range, majorDimension: "COLUMNS", values: [] }
    }
  ]],
  [gsheets.valuesAppend, "sheets.spreadsheets.values.append", [
    { path: awkwardRange, query: { valueInputOption: "RAW" }, body: { values: cells } },
    {
      path: { ...spreadsheet, range: "Sheet1" },
      query: { ...written, insertDataOption: "INSERT_ROWS" },
      body: { range: "Sheet1", values: [["a"]] }
    }
  ]],
  [gsheets.valuesBatchUpdate, "sheets.spreadsheets.values.batchUpdate", [
    { path: spreadsheet, body: { valueInputOption: "RAW", data: [] } },
    {
      path: spreadsheet,
      query: commonQuery,
      body: {
        ...written,
        data: [{ range: "'Jon''s Q1/Q2'!A1:B2", values: cells }, {
          range: "B1",
          majorDimension: "COLUMNS",
          values: [[1]]
        }]
      }
    }
  ]],
  [gsheets.valuesClear, "sheets.spreadsheets.values.clear", [{ path: awkwardRange }, {
    path: unicodeRange,
    query: commonQuery,
    body: {}
  }]],
  [gsheets.spreadsheetsCreate, "sheets.spreadsheets.create", [
    {},
    { body: {} },
    {
      query: { fields: "spreadsheetId,spreadsheetUrl" },
      body: {
        properties: { title: "Jon's \"Q1/Q2\" ü", locale: "de_CH", timeZone: "Europe/Zurich" },
        sheets: [{
          properties: { sheetId: 0, title: "Größe", gridProperties: { rowCount: 10, frozenRowCount: 1 } },
          data: [{
            startRow: 0,
            rowData: [{
              values: [{
                userEnteredValue: { stringValue: "a" },
                userEnteredFormat: { textFormat: { bold: true, foregroundColorStyle: { rgbColor: { red: 0.5 } } } }
              }]
            }]
          }]
        }],
        namedRanges: [{ name: "all", range: { sheetId: 0, startRowIndex: 0, endRowIndex: 5 } }]
      }
    }
  ]],
  [gsheets.spreadsheetsBatchUpdate, "sheets.spreadsheets.batchUpdate", [{
    path: spreadsheet,
    query: commonQuery,
    body: {
      includeSpreadsheetInResponse: true,
      responseIncludeGridData: false,
      responseRanges: ["'Jon''s Q1/Q2'!A1:B2"],
      requests: [
        { addSheet: { properties: { title: "Jon's Q1/Q2", tabColorStyle: { themeColor: "ACCENT1" } } } },
        {
          repeatCell: {
            range: { sheetId: 0, endRowIndex: 1 },
            cell: { userEnteredFormat: { textFormat: { bold: true } } },
            fields: "userEnteredFormat.textFormat.bold"
          }
        },
        { findReplace: { find: "a", replacement: "ü", allSheets: true } },
        { deleteSheet: { sheetId: 2_147_483_647 } }
      ]
    }
  }]]
])
