import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import * as fc from "fast-check"
import { issuesOf, strict, validator } from "../../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { rawOperation } from "../../../src/Providers/Catalog/Operation.ts"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { documentsBatchUpdate } from "../../../src/Providers/Gdocs/Endpoints.ts"
import { gdocs } from "../../../src/Providers/Gdocs/Provider.ts"
import { DocumentReference, SpreadsheetReference } from "../../../src/Providers/Google/FileReference.ts"
import { exactlyOneField, message, optional } from "../../../src/Providers/Google/Message.ts"
import { searchanalyticsQuery } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { spreadsheetsBatchUpdate, valuesUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import type { RawEndpoint } from "../../../src/Providers/Provider.ts"
import { compileJsonSchema } from "../../support/InputSchema.ts"
import { growth } from "../../support/Linear.ts"

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

  it("has what is refused later where it was sent, too", () => {
    const note = { note: "=IMPORTDATA(A1)" }
    const cells = { range: { sheet_id: 0 }, cell: note, fields: "note" }
    const { subject } = Result.getOrThrow(prepare("gsheets", { requests: [null, { repeat_cell: cells }] }))
    const place = ["input", "body", "requests", 1, "repeat_cell", "cell", "note"]
    assert.deepStrictEqual(subject().refuses().map(({ path }) => path), [place])
  })

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

const Inner = message("Inner", "A message.", {
  id: optional(Schema.Int, "An id."),
  name: optional(Schema.String, "A name.")
})
const fields = { one: optional(Inner, "One."), other: optional(Schema.Array(Schema.String), "Another.") }
const request = message("Request", "A request.", fields, exactlyOneField)
const equal = Schema.Struct(fields).check(exactlyOneField).annotate({ identifier: "Request" })
const batchOf = (item: Schema.Codec<unknown, unknown>) =>
  Schema.Struct({ items: Schema.Array(item), last: Schema.optionalKey(item) })

describe("A message with exactly one field", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ id: fc.oneof(fc.integer(), fc.string()), name: fc.string() }, { requiredKeys: [] }),
    fc.array(fc.string())
  )
  const item = fc.oneof(
    value,
    fc.dictionary(fc.constantFrom("one", "other", "third", "__proto__", "toString"), value, { maxKeys: 2 })
  )

  it.each([strict, { ...strict, errors: "first" }, {}] as const)("is decoded as Effect does, with %j", (options) => {
    const [decode, expected] = [request, equal].map((item) => {
      const decode = Schema.decodeUnknownResult(batchOf(item), options)
      return (input: unknown) => Result.mapError(decode(input), ({ issue }) => issuesOf(issue))
    })
    fc.assert(
      fc.property(fc.record({ items: fc.array(item, { maxLength: 3 }), last: item }, { requiredKeys: [] }), (batch) => {
        assert.deepStrictEqual(decode?.(batch), expected?.(batch))
      }),
      { numRuns: 500 }
    )
  })
})

describe("A large batch", () => {
  const batches: ReadonlyArray<readonly [id: string, endpoint: RawEndpoint, path: object, request: object]> = [
    ["spreadsheets", spreadsheetsBatchUpdate, { spreadsheetId: "x" }, { deleteSheet: { sheetId: 1 } }],
    ["documents", documentsBatchUpdate, { documentId: "x" }, { deleteHeader: { headerId: "x" } }]
  ]
  it.each(batches)("is decoded in time that grows with it: %s", (_, endpoint, path, request) => {
    const validate = validator(endpoint.input)
    const inputOf = (size: number) => ({ path, body: { requests: Array(size).fill(request) } })
    const decode = (input: unknown) => assert.isTrue(Result.isSuccess(validate(input)))
    assert.isBelow(growth(50_000, inputOf, decode), 10)
  })

  it("is refused in linear time for an id of spaces", () => {
    const validate = validator(documentsBatchUpdate.input)
    const growing = growth(10_000, (size) => `${" ".repeat(size)}x`, (documentId) => {
      validate({ path: { documentId }, body: 1 })
    })
    assert.isBelow(growing, 10)
  })
})

const id = "1fLfF7Mx-Vt_ZZSYJ3ksfEIcH9gEV5Fnat4tPewazyug"

const documents: ReadonlyArray<readonly [address: string, ref: DocumentReference]> = [
  [id, { documentId: id }],
  [`https://docs.google.com/document/u/1/d/${id}/preview`, { documentId: id }],
  [`https://docs.google.com/document/d/${id}/edit?tab=t.0`, { documentId: id, tab: "t.0" }],
  [`https://docs.google.com/document/d/${id}/edit?usp=x&tab=t.kdr8#heading=h.aa1`, {
    documentId: id,
    tab: "t.kdr8",
    heading: "h.aa1"
  }],
  [`https://docs.google.com/document/d/${id}/edit?tab=100%`, { documentId: id, tab: "100%" }],
  [`https://drive.google.com/file/d/${id}/view`, { documentId: id }],
  [`Https://drive.google.com/file/d/${id}/view`, { documentId: id }],
  [`https://drive.google.com/open?id=${id}`, { documentId: id }],
  [`https://drive.google.com/open?usp=drive_link&id=${id}`, { documentId: id }],
  [`https://drive.google.com/open?id=${id}&usp=drive_fs`, { documentId: id }],
  [`https://drive.google.com/open?authuser=0&id=${id}&usp=drive_link#x`, { documentId: id }],
  [`https://drive.google.com/uc?export=download&id=${id}`, { documentId: id }],
  [`https://docs.google.com/uc?id=${id}&export=download`, { documentId: id }],
  [`https://drive.google.com/u/0/uc?id=${id}&export=download`, { documentId: id }],
  [`https://drive.usercontent.google.com/download?id=${id}&confirm=t`, { documentId: id }],
  [`https://drive.google.com/file/u/1/d/${id}/view`, { documentId: id }],
  [`https://docs.google.com/file/d/${id}/edit`, { documentId: id }],
  [`https://docs.google.com/document/?usp=x&id=${id}`, { documentId: id }],
  [`https://docs.google.com/viewer?a=v&srcid=${id}`, { documentId: id }]
]

const spreadsheets: ReadonlyArray<readonly [address: string, ref: SpreadsheetReference]> = [
  [id, { spreadsheetId: id }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`, { spreadsheetId: id, gid: 0 }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit?gid=1811#gid=1811`, { spreadsheetId: id, gid: 1811 }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit#gid=all`, { spreadsheetId: id }],
  [`https://docs.google.com/spreadsheet/ccc?key=${id}&usp=sharing#gid=3`, { spreadsheetId: id, gid: 3 }],
  [`https://docs.google.com/spreadsheets/ccc?resourcekey=0-x&key=${id}`, { spreadsheetId: id }]
]

describe("A document reference", () => {
  const decode = Schema.decodeUnknownResult(DocumentReference)
  const accepts = compileJsonSchema(jsonSchemaOf(DocumentReference))

  it.each(documents)("accepts %s, and is written as it is read", (address, ref) => {
    assert.deepStrictEqual(decode(address), Result.succeed(ref))
    assert.isTrue(accepts(address))
    assert.deepStrictEqual(decode(Schema.encodeSync(DocumentReference)(ref)), Result.succeed(ref))
  })

  it.each([
    "",
    "two words",
    `https://docs.google.com/spreadsheets/d/${id}/edit`,
    "https://docs.google.com/document/d/e/2PACX-1vT/pub",
    `https://example.com/document/d/${id}`,
    `https://docs.google.com.example.com/document/d/${id}`,
    `https://docs.google.com/spreadsheets/?id=${id}`,
    `https://drive.google.com/drive/folders/${id}`,
    `https://example.com/open?id=${id}`,
    "https://drive.google.com/open?id=&usp=drive_fs"
  ])("refuses %j", (address) => {
    assert.isTrue(Result.isFailure(decode(address)))
    assert.isFalse(accepts(address))
  })
})

describe("A spreadsheet reference", () => {
  const decode = Schema.decodeUnknownResult(SpreadsheetReference)

  it.each(spreadsheets)("accepts %s, and is written as it is read", (address, ref) => {
    assert.deepStrictEqual(decode(address), Result.succeed(ref))
    assert.deepStrictEqual(decode(Schema.encodeSync(SpreadsheetReference)(ref)), Result.succeed(ref))
  })

  it("refuses the address of a document", () =>
    assert.isTrue(Result.isFailure(decode(`https://docs.google.com/document/d/${id}/edit`))))
})
