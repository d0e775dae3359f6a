import { Effect, Schema } from "effect"
import { SpreadsheetReference } from "../Google/FileReference.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { flag, integer } from "../Tooling/Fields.ts"
import { on, rectangleName } from "./A1.ts"
import { BatchUpdated, Updated } from "./Answers.ts"
import { appendToLargeTab } from "./AppendLarge.ts"
import { type AppendPlan, appendPlan, type AppendRequest } from "./AppendPlan.ts"
import { appendReport } from "./AppendReport.ts"
import { spreadsheetsBatchUpdate, valuesUpdate } from "./Endpoints.ts"
import { givenRows, rowsField } from "./GivenRows.ts"
import { mistake, mistaken, orInvalidInput } from "./Mistakes.ts"
import { mostCells, readLines } from "./Reading.ts"
import { chooseTab, readMetadata, type Tab, tabField, tabsOf } from "./Tabs.ts"
import { gridOf, wholeRows } from "./Target.ts"
import { allowFormulasField, echo, parseField, valueInputOption } from "./WriteFields.ts"

export const sheetsAppendRows = tool({
  name: "sheets_append_rows",
  description: [
    "Appends rows below a tab's existing data; rows are objects keyed by header name, or arrays in column order.",
    "Freshness: the place is looked up in the tab as it is now. There is no lock: two appends at the same moment can meet",
    "on the same rows.",
    "Window: the row after the last one that holds data, whatever gaps there are above; cells with nothing, an empty text",
    "or only false (unticked checkboxes) are no data. The grid grows when it is full.",
    "Units: `first_row` is the number of the first new row in the sheet, `cells` how many cells were written; null and \"\"",
    "leave a cell blank.",
    "Rows keep their order. Keys are those of sheets_read (Email_2, col_C), in whatever case if that is clear; an unknown one",
    "is an error and nothing is written; `_row` is ignored. Arrays start under the first header.",
    "Truncation: at most 1000 rows a call, all of them or none; `coerced` lists at most 100 cells that were stored as",
    "something else than was sent.",
    "Empty: on an empty tab the keys become the header row (`headers_created`); a row without any value is an error.",
    "To overwrite cells use sheets_update_range, for a new spreadsheet sheets_create."
  ].join(" "),
  writes: true,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    tab: tabField,
    rows: rowsField(
      "The rows, 1 to 1000: all of them objects keyed by header name, or all of them arrays in the order of the columns; " +
        "or the JSON of these as a text."
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
      description: "Makes the keys of the rows the header row of a tab that is empty.",
      default: true
    })
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const given = yield* orInvalidInput(givenRows(input.rows))
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const tab = yield* orInvalidInput(chooseTab(tabsOf(metadata), input.tab, input.spreadsheet.gid))
    if (input.header_row > tab.size.rows) {
      return yield* orInvalidInput(mistaken(mistake(["header_row"], `There is no such row: ${gridOf(tab)}.`)))
    }
    const request = {
      given,
      headerRow: input.header_row,
      createHeaders: input.create_headers,
      parse: input.parse,
      allowFormulas: input.allow_formulas
    }
    const start = Math.max(0, input.header_row - 1)
    const isLarge = (tab.size.rows - start) * tab.size.columns > mostCells
    const written = yield* (isLarge ? appendToLargeTab : appendToTab)(provider, spreadsheetId, tab, request)
    return { spreadsheetId, tab: tab.title, ...written }
  })
})

const appendToTab = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, request: AppendRequest) {
    const lines = yield* readLines(provider, spreadsheetId, wholeRows(tab, Math.max(0, request.headerRow - 1)))
    const plan = yield* orInvalidInput(appendPlan(request, { lines, isAll: true, columns: tab.size.columns }))
    yield* makeRoom(provider, spreadsheetId, tab, plan)
    return yield* write(provider, spreadsheetId, tab, plan, request.parse)
  }
)

/** Of a grid that is full, more rows or columns; a failure here has written nothing. */
const makeRoom = (
  provider: ProviderCalls,
  spreadsheetId: string,
  { id, size }: Tab,
  { left, lines, top }: AppendPlan
) => {
  const missing = [
    { dimension: "ROWS" as const, length: top + lines.length - size.rows },
    { dimension: "COLUMNS" as const, length: left + widest(lines) - size.columns }
  ].filter(({ length }) => length > 0)
  return missing.length === 0 ? Effect.void : provider.call(spreadsheetsBatchUpdate, {
    path: { spreadsheetId },
    body: { requests: missing.map((each) => ({ appendDimension: { sheetId: id, ...each } })) }
  }, BatchUpdated)
}

const widest = (lines: AppendPlan["lines"]): number => lines.reduce((width, line) => Math.max(width, line.length), 0)

const write = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, plan: AppendPlan, parse: boolean) {
    const { left, lines, top } = plan
    const range = on(tab.title, rectangleName({ top, left, bottom: top + lines.length, right: left + widest(lines) }))
    const updated = yield* provider.call(valuesUpdate, {
      path: { spreadsheetId, range },
      query: { valueInputOption: valueInputOption(parse), ...echo },
      body: { majorDimension: "ROWS", values: lines }
    }, Updated)
    return appendReport(plan, { updatedRange: range, ...updated })
  }
)
