import { Effect, Result, Schema } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import { spreadsheetUrl } from "../Google/FileReference.ts"
import { tool } from "../Provider.ts"
import { flag, optionalText, text } from "../Tooling/Fields.ts"
import { type CellValue, Created, isBlank, type Lines } from "./Answers.ts"
import { spreadsheetsCreate } from "./Endpoints.ts"
import { byColumn, type GivenRows, givenRows, headersIn, inOrder, rowsField, tooLong } from "./GivenRows.ts"
import { mistake, mistaken, orInvalidInput } from "./Mistakes.ts"

/** What a new tab has when nobody asks for more. */
const usual = { rows: 1000, columns: 26 }

export const sheetsCreate = tool({
  name: "sheets_create",
  description: [
    "Creates a spreadsheet in the connected account's storage, optionally with a frozen header row; returns its ID and URL.",
    "Requires an identity-provider sign-in connection: a service account owns no files.",
    "Freshness: it is there at once.",
    "Window: one tab, in the account's own folder; nothing existing is touched.",
    "Units: everything is stored as it is given, text as text: a header such as =x is no formula, 007 stays 007, and numbers",
    "and booleans are such. `rows_written` counts rows without the header. `tab` is the name that was given, or the one that",
    "the provider chose in the account's language.",
    "Rows keep their order.",
    "Truncation: one request, all or nothing; at most 1000 rows, others follow with sheets_append_rows.",
    "Empty: without headers and rows the spreadsheet is blank.",
    "Repeating the call makes another spreadsheet. For an existing one use sheets_append_rows or sheets_update_range."
  ].join(" "),
  writes: true,
  createsFile: true,
  input: Schema.Struct({
    title: text({ description: "The spreadsheet's title.", maxLength: 255 }),
    headers: Schema.optionalKey(
      Schema.Array(Schema.String).annotate({
        description: "The header row, in bold; no header twice. By default the keys of `rows`, where these are objects."
      })
    ),
    tab: optionalText({ description: "The tab's name. By default the provider chooses.", maxLength: 100 }),
    freeze_header: flag({ description: "Keeps the header row in view, when there is one.", default: true }),
    rows: Schema.optionalKey(rowsField(
      "Rows below the header, up to 1000: all of them objects keyed by header, or all of them arrays in the order of the " +
        "headers; or the JSON of these as a text."
    ))
  }),
  run: Effect.fnUntraced(function*({ freeze_header, headers = [], rows, tab, title }, provider) {
    const content = yield* orInvalidInput(contentOf(headers, rows === undefined ? undefined : givenRows(rows)))
    const created = yield* provider.call(spreadsheetsCreate, {
      query: { fields: "spreadsheetId,properties.title,sheets.properties(sheetId,title)" },
      body: { properties: { title }, ...sheetsOf(content, { freeze: freeze_header, tab }) }
    }, Created)
    const properties = created.sheets?.[0]?.properties
    return {
      spreadsheetId: created.spreadsheetId,
      url: spreadsheetUrl(created.spreadsheetId),
      title: created.properties.title ?? title,
      tab: properties?.title ?? tab ?? "",
      tab_id: properties?.sheetId ?? 0,
      headers: content.headers,
      rows_written: content.lines.length
    }
  })
})

interface Content {
  readonly headers: ReadonlyArray<string>
  readonly lines: Lines
}

const contentOf = (
  headers: ReadonlyArray<string>,
  rows: Result.Result<GivenRows, ReadonlyArray<Issue>> | undefined
): Result.Result<Content, ReadonlyArray<Issue>> =>
  Result.gen(function*() {
    const issues = headerIssues(headers)
    if (issues.length > 0) return yield* mistaken(...issues)
    const given = rows === undefined ? undefined : yield* rows
    if (given === undefined) return { headers, lines: [] }
    if (given.kind === "arrays") return { headers, lines: inOrder(given.rows, 0).lines }
    const names = headers.length > 0 ? headers : yield* headersIn(given.rows)
    const columns = names.map((name, index) => ({ key: name.trim(), index, renamed: false }))
    const { left, lines } = yield* byColumn(given.rows, columns)
    return { headers: names, lines: lines.map((line) => [...Array.from({ length: left }, () => null), ...line]) }
  })

const headerIssues = (headers: ReadonlyArray<string>): ReadonlyArray<Issue> => {
  const names = headers.map((header) => header.trim())
  return names.flatMap((name, index) => {
    const path = ["headers", index]
    const first = names.indexOf(name)
    return name === ""
      ? [mistake(path, "A header without a name has no column to its name.")]
      : first < index
      ? [mistake(path, `The header ${JSON.stringify(name)} is there already, at ${first}.`)]
      : tooLong(name, path)
  })
}

/** Nothing at all leaves the tab to the provider; one that is given replaces the provider's own. */
const sheetsOf = (
  { headers, lines }: Content,
  { freeze, tab }: { readonly freeze: boolean; readonly tab: string | undefined }
) => {
  if (headers.length === 0 && lines.length === 0 && tab === undefined) return {}
  const width = Math.max(headers.length, ...lines.map((line) => line.length))
  const head = headers.length === 0 ? [] : [{ values: headers.map(headerCell) }]
  const rowData = [...head, ...lines.map((line) => ({ values: line.map(cell) }))]
  return {
    sheets: [{
      properties: {
        ...(tab === undefined ? {} : { title: tab }),
        gridProperties: {
          rowCount: Math.max(usual.rows, rowData.length),
          columnCount: Math.max(usual.columns, width),
          ...(freeze && headers.length > 0 ? { frozenRowCount: 1 } : {})
        }
      },
      ...(rowData.length === 0 ? {} : { data: [{ startRow: 0, startColumn: 0, rowData }] })
    }]
  }
}

const headerCell = (header: string) => ({ ...cell(header), userEnteredFormat: { textFormat: { bold: true } } })

/** A text value is literal, whatever it begins with. */
const cell = (value: CellValue) => {
  if (value === null || isBlank(value)) return {}
  if (typeof value === "string") return { userEnteredValue: { stringValue: value } }
  return { userEnteredValue: typeof value === "number" ? { numberValue: value } : { boolValue: value } }
}
