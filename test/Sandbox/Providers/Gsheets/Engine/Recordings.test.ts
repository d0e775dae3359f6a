import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { gsheets } from "../../../../../src/Providers/Gsheets/Provider.ts"
import { blankSpreadsheet, newTab } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Defaults.ts"
import { notFound } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Errors.ts"
import { callMethod } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Methods.ts"
import type { Cell, Spreadsheet } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fixture } from "../../../../support/Fixtures.ts"
import { recordedTraffic } from "../../../../support/OutsideFolder.ts"
import { callOf, exchangesIn, type RecordedExchange } from "../../../../support/Recordings.ts"

const cassettes = [
  "ClientTest.test_access_non_existing_spreadsheet SpreadsheetTest.test_values_batch_get",
  "WorksheetTest.test_add_validation WorksheetTest.test_append_row_with_empty_value_and_table_range",
  "WorksheetTest.test_batch_clear WorksheetTest.test_batch_update WorksheetTest.test_get_all_records_pad_values",
  "WorksheetTest.test_get_all_records_value_render_options",
  "WorksheetTest.test_get_all_records_with_all_values_blank",
  "WorksheetTest.test_get_all_values_date_time_render_options WorksheetTest.test_get_notes",
  "WorksheetTest.test_get_values_and_combine_merged_cells WorksheetTest.test_get_values_and_maintain_size",
  "WorksheetTest.test_hide_show_worksheet WorksheetTest.test_update_cell_unicode"
].flatMap((text) => text.split(" "))

describe.skipIf(recordedTraffic.isAbsent)(`The sandbox gives the recorded response${recordedTraffic.absence}`, () => {
  it.for(cassettes)("%s", (name) => {
    assert.isAbove(replay(recordedTraffic.read("google-sheets", `gspread__${name}.json`)), 2)
  })
})

interface Block {
  readonly rowData: ReadonlyArray<{ readonly values: ReadonlyArray<Cell & { readonly effectiveValue: object }> }>
}

describe.skipIf(recordedTraffic.isAbsent)(`The sandbox shows recorded cells alike${recordedTraffic.absence}`, () => {
  /** `beyond` is column C of the second file. It was not recorded, but the recorded results imply it. */
  it.for([
    { file: "with-formula", range: "A1:C2", now: "2020-01-01T00:00:00Z", beyond: [] },
    { file: "time-formula", range: "A1:B4", now: "2020-04-08T20:59:14.464Z", beyond: [undefined, 0, 1, 2] }
  ])("grafana $file", ({ beyond, file, now, range }) => {
    const recorded = Object(fixture(`google-sheets/grafana__${file}.json`))
    const [{ data, properties: { gridProperties: { columnCount, rowCount } } }] = recorded.sheets
    const block: Block = data[0]
    const rows = block.rowData.map(({ values }, row) => [
      ...values.map(({ userEnteredFormat, userEnteredValue }): Cell => ({
        ...(userEnteredValue === undefined ? {} : { userEnteredValue }),
        ...(userEnteredFormat === undefined ? {} : { userEnteredFormat })
      })),
      ...(beyond[row] === undefined ? [] : [{ userEnteredValue: { numberValue: beyond[row] } }])
    ])
    const spreadsheet = {
      ...blankSpreadsheet(recorded.spreadsheetId),
      properties: recorded.properties,
      tabs: [newTab({ sheetId: 0, title: "Sheet1", columnCount, rowCount, rows })]
    }
    const response = callMethod("spreadsheets.get", spreadsheet, {
      params: {},
      query: { ranges: [range], fields: ["sheets"] },
      body: undefined,
      now: Date.parse(now)
    })
    const cells = ({ rowData }: Block) =>
      rowData.map(({ values }) =>
        values.map(({ effectiveValue, ...cell }) => ({
          ...cell,
          effectiveValue: Object.values(effectiveValue).map((value) =>
            typeof value === "number" ? value.toFixed(5) : value
          )
        }))
      )
    const { sheets: [{ data: [shown] }] } = Object(response && Result.getOrThrow(response).body)
    assert.deepStrictEqual(cells(shown), cells(block))
    const columnMetadata = block.rowData[0]?.values.map(() => ({ pixelSize: 100 }))
    assert.deepStrictEqual({ ...shown, rowData: [] }, { ...block, columnMetadata, rowData: [] })
  })
})

/** Returns the number of compared responses. New tabs get their recorded ids. */
const replay = (cassette: string): number => {
  const spreadsheets = new Map<string, Spreadsheet>()
  let compared = 0
  for (const exchange of exchangesIn(cassette).flatMap(splitBatchClear)) {
    const { sent, status, text, url } = exchange
    const recorded = text === "" ? undefined : JSON.parse(text)
    const created = Object(recorded)
    if (created.kind === "drive#file") spreadsheets.set(created.id, blankSpreadsheet(created.id, created.name))
    const call = callOf(gsheets, exchange)
    if (call === undefined) continue
    const params: Readonly<Record<string, string>> = Object(Object(call.input).path)
    const { spreadsheetId = "" } = params
    const spreadsheet = spreadsheets.get(spreadsheetId)
    const result = spreadsheet === undefined ? Result.fail(notFound) : callMethod(call.endpoint, spreadsheet, {
      params,
      query: Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)])),
      body: withRecordedIds(sent, recorded),
      now: 0
    })
    assert.isDefined(result, `${exchange.method} ${url}`)
    if (result === undefined) continue
    if (Result.isSuccess(result)) spreadsheets.set(spreadsheetId, result.success.spreadsheet)
    // The service refuses a body of another form before the sandbox sees it, in words of its own.
    const hasOtherForm = String(created.error?.message).startsWith("Invalid value at")
    assert.deepStrictEqual(
      Result.match(result, {
        onSuccess: ({ body }) => ({ status: 200, body }),
        onFailure: ({ body, code }) => ({ status: code, body: hasOtherForm ? recorded : body })
      }),
      { status, body: recorded },
      `${exchange.method} ${url}`
    )
    compared++
  }
  return compared
}

/** The service has no `values:batchClear`, which equals several clears. */
const splitBatchClear = (exchange: RecordedExchange): ReadonlyArray<RecordedExchange> => {
  const [file, ...more] = exchange.url.href.split("/values:batchClear")
  if (more.length === 0) return [exchange]
  const { ranges }: { readonly ranges: ReadonlyArray<string> } = Object(exchange.sent)
  const { clearedRanges, spreadsheetId } = JSON.parse(exchange.text)
  return ranges.map((range, index) => ({
    ...exchange,
    url: new URL(`${file}/values/${encodeURIComponent(range)}:clear`),
    sent: {},
    text: JSON.stringify({ spreadsheetId, clearedRange: clearedRanges[index] })
  }))
}

const withRecordedIds = (requestBody: unknown, responseBody: unknown): unknown => {
  const replies: ReadonlyArray<{ addSheet?: { properties: { sheetId: number } } }> = Object(responseBody).replies ?? []
  const requests: ReadonlyArray<{ addSheet?: { properties: object } }> | undefined = Object(requestBody).requests
  return requests === undefined ? requestBody : {
    requests: requests.map((request, index) => {
      const sheetId = replies[index]?.addSheet?.properties.sheetId
      return request.addSheet === undefined || sheetId === undefined
        ? request
        : { addSheet: { properties: { ...request.addSheet.properties, sheetId } } }
    })
  }
}
