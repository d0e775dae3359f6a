import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { rawOperation } from "../../../src/Providers/Catalog/Operation.ts"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { documentsBatchUpdate } from "../../../src/Providers/Gdocs/Endpoints.ts"
import { gdocs } from "../../../src/Providers/Gdocs/Provider.ts"
import { searchanalyticsQuery } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { spreadsheetsBatchUpdate, valuesUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"

const operations = {
  gsheets: [rawOperation(gsheets, spreadsheetsBatchUpdate), { path: { spreadsheetId: "1a" } }],
  values: [
    rawOperation(gsheets, valuesUpdate),
    { path: { spreadsheetId: "1a", range: "A1" }, query: { valueInputOption: "RAW" } }
  ],
  gdocs: [rawOperation(gdocs, documentsBatchUpdate), { path: { documentId: "1a" } }],
  ga4: [rawOperation(ga4, propertiesRunReport), { path: { property: "1" } }],
  gsc: [rawOperation(gsc, searchanalyticsQuery), { path: { siteUrl: "sc-domain:example.com" } }]
} as const

const prepare = (name: keyof typeof operations, body: unknown) => {
  const [operation, rest] = operations[name]
  return Effect.runSync(Effect.result(operation.prepare({ ...rest, body })))
}

const dates = [{ startDate: "today", endDate: "today" }]
const days = { startDate: "2026-08-01", endDate: "2026-08-02" }
const grid = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
const sort = { addSheet: {} }

describe("A body for Google", () => {
  it.each<readonly [string, keyof typeof operations, sent: object, read: object]>([
    [
      "nulls for an unset text and an unset message",
      "gsheets",
      { requests: [{ addProtectedRange: { protectedRange: { range: grid, description: null, editors: null } } }] },
      { requests: [{ addProtectedRange: { protectedRange: { range: grid } } }] }
    ],
    ["null among requests", "gsheets", { requests: [null, sort, null, sort] }, { requests: [sort, sort] }],
    ["null for another request", "gsheets", { requests: [{ addSheet: {}, sortRange: null }] }, { requests: [sort] }],
    [
      "the names of the .proto file, in field masks too",
      "gsheets",
      {
        requests: [{
          update_sheet_properties: {
            properties: { sheet_id: 7, grid_properties: { frozen_row_count: 3 } },
            fields: "grid_properties(frozen_row_count)"
          }
        }]
      },
      {
        requests: [{
          updateSheetProperties: {
            properties: { sheetId: 7, gridProperties: { frozenRowCount: 3 } },
            fields: "gridProperties(frozenRowCount)"
          }
        }]
      }
    ],
    [
      "names below a map",
      "gsheets",
      { requests: [{ setBasicFilter: { filter: { range: grid, criteria: { "0": { hidden_values: ["a"] } } } } }] },
      { requests: [{ setBasicFilter: { filter: { range: grid, criteria: { "0": { hiddenValues: ["a"] } } } } }] }
    ],
    [
      "rows of cells, which keep null and texts that are numbers",
      "values",
      { major_dimension: "ROWS", range: null, values: [["7", null, 1], [null]] },
      { majorDimension: "ROWS", values: [["7", null, 1], [null]] }
    ],
    [
      "requests of documents",
      "gdocs",
      {
        requests: [null, { insert_text: { location: { index: "1", tab_id: null }, text: "null" } }],
        write_control: null
      },
      { requests: [{ insertText: { location: { index: 1 }, text: "null" } }] }
    ],
    [
      "a report, in which 64-bit integers are numbers while these keep their digits",
      "ga4",
      {
        date_ranges: [{ start_date: "today", end_date: "today", name: null }],
        metrics: [{ name: "activeUsers" }, null],
        metric_filter: {
          not_expression: {
            filter: {
              field_name: "activeUsers",
              numeric_filter: { operation: "EQUAL", value: { int64_value: "1234567890123456789" } }
            }
          }
        },
        limit: "10"
      },
      {
        dateRanges: dates,
        metrics: [{ name: "activeUsers" }],
        metricFilter: {
          notExpression: {
            filter: {
              fieldName: "activeUsers",
              numericFilter: { operation: "EQUAL", value: { int64Value: "1234567890123456789" } }
            }
          }
        },
        limit: 10
      }
    ],
    [
      "a query of Search Console",
      "gsc",
      { start_date: days.startDate, endDate: days.endDate, row_limit: "5", dimensions: null, type: null },
      { ...days, rowLimit: 5 }
    ]
  ])("is read with %s", (_, name, sent, read) => {
    const prepared = Result.getOrThrow(prepare(name, sent))
    assert.deepStrictEqual(prepared.sent?.["body"], read)
    assert.deepStrictEqual(Object(prepared.input).body, read)
  })

  it("that is in its one form already is the same object", () =>
    assert.isUndefined(Result.getOrThrow(prepare("gsheets", { requests: [sort] })).sent))

  it.each<readonly [string, keyof typeof operations, body: unknown, path: ReadonlyArray<string | number>]>([
    ["null for a required field", "gsheets", { requests: null }, ["requests"]],
    ["null for a required text", "gsc", { ...days, endDate: null }, ["endDate"]],
    ["a body that is null", "gsc", null, []],
    ["an unknown field that is null", "gsc", { ...days, start_days: null }, ["start_days"]],
    ["one field under both names", "gsc", { ...days, start_date: days.startDate }, ["start_date"]],
    ["a text that is no number", "gsc", { ...days, row_limit: "five" }, ["row_limit"]],
    ["a number for a text", "gsheets", { requests: [null, { add_sheet: { properties: { title: 7 } } }] }, [
      "requests",
      1,
      "add_sheet",
      "properties",
      "title"
    ]],
    ["null in the place of a cell", "gsheets", {
      requests: [{ updateCells: { rows: [{ values: [{}, null] }], fields: "note", range: grid } }]
    }, ["requests", 0, "updateCells", "rows", 0, "values", 1]],
    ["null among texts", "gdocs", { requests: [{ deleteHeader: { headerId: "h", tabId: ["t", null] } }] }, [
      "requests",
      0,
      "deleteHeader",
      "tabId"
    ]]
  ])("is refused with %s, where it was sent", (_, name, body, path) => {
    const { details = [] } = Option.getOrThrow(Result.getFailure(prepare(name, body)))
    assert.deepStrictEqual(details.map((issue) => issue.path), [["input", "body", ...path]])
  })
})
