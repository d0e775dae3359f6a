import { Effect, Schema } from "effect"
import { SpreadsheetReference } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { flag, integer } from "../../Tooling/Fields.ts"
import { rangeOnTab, rectangleName } from "../A1.ts"
import { spreadsheetsBatchUpdate, valuesUpdate } from "../Endpoints.ts"
import { orInvalidInput, refusal } from "../Issues.ts"
import { maxCellsPerRead, readValues } from "../Reading/ReadValues.ts"
import { BatchUpdateSpreadsheetResponse, UpdateValuesResponse } from "../Responses.ts"
import { allowFormulasField, parseField, rowsField, tabField } from "../Schemas.ts"
import { describeGrid, rowsFrom } from "../TabRange.ts"
import { chooseTab, readMetadata, type Tab, tabsOf } from "../Tabs.ts"
import { type AppendPlan, appendPlan, type AppendRequest } from "../Writing/AppendPlan.ts"
import { appendReport, appendReportFields } from "../Writing/AppendReport.ts"
import { appendToLargeTab } from "../Writing/AppendToLargeTab.ts"
import { parseRows } from "../Writing/InputRows.ts"
import { enteredIssues } from "../Writing/OutsideFormulas.ts"
import { returnStoredValues, valueInputOption } from "../Writing/WriteQuery.ts"

export const sheetsAppendRows = tool({
  name: "sheets_append_rows",
  ...described([
    "Appends rows below a tab's existing data; rows are objects keyed by header name, or arrays in column order.",
    "Keys are those of sheets_read (Email_2, col_C); an unknown one is an error.",
    "null and \"\" leave a cell blank.",
    "On an empty tab the keys become the header row.",
    "All rows are written or none.",
    "Two appends at the same moment can overwrite each other.",
    "`first_row` is the row number of the first new row; `coerced` lists cells that are stored differently than sent.",
    "To overwrite cells use sheets_update_range."
  ], [
    "The first new row follows the last row with data, also when rows above it are empty.",
    "Blank cells, empty texts and false (unticked checkboxes) are not data.",
    "A full grid grows.",
    "Keys are taken in any case if unambiguous.",
    "`_row` is ignored.",
    "Arrays start under the first header.",
    "New keys on an empty tab are in `headers_created`.",
    "A row without a value is an error.",
    "`coerced` lists up to 100 cells.",
    "For a new spreadsheet use sheets_create."
  ]),
  writes: true,
  keepsDigits: true,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    tab: tabField,
    rows: rowsField(
      "1 to 1000 rows: all objects keyed by header name, or all arrays in column order; or their JSON as a text."
    ),
    header_row: integer({
      description: "The row of the header, counted from 1; 0 for none, then keys are column letters.",
      minimum: 0,
      maximum: 10_000_000,
      default: 1
    }),
    parse: parseField,
    allow_formulas: allowFormulasField,
    create_headers: flag({
      description: "On an empty tab, writes the keys of the rows as the header row.",
      default: true
    })
  }),
  resources: {
    names: ({ spreadsheet }) => spreadsheet.spreadsheetId,
    refuses: ({ parse, rows }) => parse ? enteredIssues(undefined, rows, ["input", "rows"]) : []
  },
  output: Schema.Struct({
    spreadsheetId: Schema.String,
    tab: Schema.String,
    ...appendReportFields
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const rows = yield* orInvalidInput(parseRows(input.rows))
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const tab = yield* orInvalidInput(chooseTab(tabsOf(metadata), input))
    if (input.header_row > tab.size.rows) {
      return yield* orInvalidInput(refusal(["header_row"], `There is no such row: ${describeGrid(tab)}.`))
    }
    const start = Math.max(0, input.header_row - 1)
    const isLarge = (tab.size.rows - start) * tab.size.columns > maxCellsPerRead
    const report = yield* (isLarge ? appendToLargeTab : appendToTab)(provider, spreadsheetId, tab, { ...input, rows })
    return { spreadsheetId, tab: tab.title, ...report }
  })
})

const appendToTab = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, request: AppendRequest) {
    const values = yield* readValues(provider, spreadsheetId, rowsFrom(tab, Math.max(0, request.header_row - 1)))
    const plan = yield* orInvalidInput(appendPlan(request, { values, isComplete: true, columns: tab.size.columns }))
    yield* extendGrid(provider, spreadsheetId, tab, plan)
    return yield* writePlan(provider, spreadsheetId, tab, { ...plan, parse: request.parse })
  }
)

const extendGrid = (
  provider: ProviderCalls,
  spreadsheetId: string,
  { id, size }: Tab,
  { left, top, values }: AppendPlan
) => {
  const missing = [
    { dimension: "ROWS" as const, length: top + values.length - size.rows },
    { dimension: "COLUMNS" as const, length: left + longest(values) - size.columns }
  ].filter(({ length }) => length > 0)
  return missing.length === 0 ? Effect.void : provider.call(spreadsheetsBatchUpdate, {
    path: { spreadsheetId },
    body: { requests: missing.map((each) => ({ appendDimension: { sheetId: id, ...each } })) }
  }, BatchUpdateSpreadsheetResponse)
}

const longest = (values: AppendPlan["values"]): number => values.reduce((width, row) => Math.max(width, row.length), 0)

const writePlan = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, plan: AppendPlan & { readonly parse: boolean }) {
    const { left, parse, top, values } = plan
    const cells = { top, left, bottom: top + values.length, right: left + longest(values) }
    const range = rangeOnTab(tab.title, rectangleName(cells))
    const response = yield* provider.call(valuesUpdate, {
      path: { spreadsheetId, range },
      query: { valueInputOption: valueInputOption(parse), ...returnStoredValues },
      body: { majorDimension: "ROWS", values }
    }, UpdateValuesResponse)
    return appendReport(plan, { updatedRange: range, ...response })
  }
)
