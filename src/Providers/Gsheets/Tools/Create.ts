import { Effect, Result, Schema } from "effect"
import { maxOf } from "../../../Domain/Lists.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { spreadsheetUrl } from "../../Google/FileReference.ts"
import { described, tool } from "../../Provider.ts"
import { flag, optionalText, text } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { type CellRows, type CellValue, isBlank, padLeft } from "../CellValues.ts"
import { spreadsheetsCreate } from "../Endpoints.ts"
import { type Checked, inputIssue, orInvalidInput } from "../Issues.ts"
import { CreatedSpreadsheet } from "../Responses.ts"
import { rowsField } from "../Schemas.ts"
import {
  headersFromKeys,
  type InputRows,
  layOutArrays,
  layOutObjects,
  parseRows,
  textLengthIssues
} from "../Writing/InputRows.ts"

const defaultSize = { rows: 1000, columns: 26 }

export const sheetsCreate = tool({
  name: "sheets_create",
  ...described([
    "Creates a spreadsheet in the connected account's storage, optionally with a frozen header row; returns its ID and URL.",
    "Requires an identity-provider sign-in connection: a service account owns no files.",
    "Values are stored as sent: a header such as =x is not a formula, and 007 stays 007.",
    "Repeating the call creates another spreadsheet."
  ], [
    "The spreadsheet has one tab and is in the account's own folder.",
    "`rows_written` counts rows without the header.",
    "`tab` is the given name, or the one that the provider chose in the account's language.",
    "Without headers and rows the spreadsheet is blank.",
    "For an existing one use sheets_append_rows or sheets_update_range."
  ]),
  writes: true,
  keepsDigits: true,
  createsFile: true,
  input: Schema.Struct({
    title: text({ description: "The spreadsheet's title.", maxLength: 255 }),
    headers: Schema.optionalKey(
      Schema.Array(Schema.String).annotate({
        description: "The header row, without duplicates. By default the keys of `rows`."
      })
    ),
    tab: optionalText({ description: "The tab's name. By default the provider chooses.", maxLength: 100 }),
    freeze_header: flag({ description: "Freezes the header row, if there is one.", default: true }),
    rows: Schema.optionalKey(rowsField(
      "Up to 1000 rows below the header: all objects keyed by header, or all arrays in the order of the headers; or their " +
        "JSON as a text."
    ))
  }),
  resources: { creates: "spreadsheetId" },
  output: Schema.Struct({
    spreadsheetId: Schema.String,
    url: Schema.String,
    title: Schema.String,
    tab: Schema.String,
    tab_id: Integer,
    headers: Schema.Array(Schema.String),
    rows_written: Integer
  }),
  run: Effect.fnUntraced(function*({ freeze_header, headers = [], rows, tab, title }, provider) {
    const content = yield* orInvalidInput(contentOf(headers, rows === undefined ? undefined : parseRows(rows)))
    const created = yield* provider.call(spreadsheetsCreate, {
      query: { fields: "spreadsheetId,properties.title,sheets.properties(sheetId,title)" },
      body: { properties: { title }, ...sheetsOf(content, { freeze: freeze_header, tab }) }
    }, CreatedSpreadsheet)
    const properties = created.sheets?.[0]?.properties
    return {
      spreadsheetId: created.spreadsheetId,
      url: spreadsheetUrl(created.spreadsheetId),
      title: created.properties.title ?? title,
      tab: properties?.title ?? tab ?? "",
      tab_id: properties?.sheetId ?? 0,
      headers: content.headers,
      rows_written: content.values.length
    }
  })
})

interface Content {
  readonly headers: ReadonlyArray<string>
  readonly values: CellRows
}

const contentOf = (headers: ReadonlyArray<string>, rows: Checked<InputRows> | undefined): Checked<Content> =>
  Result.gen(function*() {
    const issues = headerIssues(headers)
    if (issues.length > 0) return yield* Result.fail(issues)
    const given = rows === undefined ? undefined : yield* rows
    if (given === undefined) return { headers, values: [] }
    if (given.kind === "arrays") return { headers, values: layOutArrays(given.rows, 0).values }
    const names = headers.length > 0 ? headers : yield* headersFromKeys(given.rows)
    const columns = names.map((name, index) => ({ key: name.trim(), index, renamed: false }))
    const { left, values } = yield* layOutObjects(given.rows, columns)
    return { headers: names, values: padLeft(values, left) }
  })

const headerIssues = (headers: ReadonlyArray<string>): ReadonlyArray<Issue> => {
  const names = headers.map((header) => header.trim())
  return names.flatMap((name, index) => {
    const path = ["headers", index]
    const first = names.indexOf(name)
    return name === ""
      ? [inputIssue(path, "A header without a name is not allowed.")]
      : first < index
      ? [inputIssue(path, `The header ${JSON.stringify(name)} is there already, at ${first}.`)]
      : textLengthIssues(name, path)
  })
}

const sheetsOf = (
  { headers, values }: Content,
  { freeze, tab }: { readonly freeze: boolean; readonly tab: string | undefined }
) => {
  if (headers.length === 0 && values.length === 0 && tab === undefined) return {}
  const width = maxOf(values.map((row) => row.length), headers.length)
  const head = headers.length === 0 ? [] : [{ values: headers.map(headerCell) }]
  const rowData = [...head, ...values.map((row) => ({ values: row.map(cell) }))]
  return {
    sheets: [{
      properties: {
        ...(tab === undefined ? {} : { title: tab }),
        gridProperties: {
          rowCount: Math.max(defaultSize.rows, rowData.length),
          columnCount: Math.max(defaultSize.columns, width),
          ...(freeze && headers.length > 0 ? { frozenRowCount: 1 } : {})
        }
      },
      ...(rowData.length === 0 ? {} : { data: [{ startRow: 0, startColumn: 0, rowData }] })
    }]
  }
}

const headerCell = (header: string) => ({ ...cell(header), userEnteredFormat: { textFormat: { bold: true } } })

const cell = (value: CellValue) => {
  if (value === null || isBlank(value)) return {}
  if (typeof value === "string") return { userEnteredValue: { stringValue: value } }
  return { userEnteredValue: typeof value === "number" ? { numberValue: value } : { boolValue: value } }
}
