import { Schema } from "effect"
import type { TableSource } from "../../Domain/Table/TableSource.ts"
import { minItems, requestBody } from "../Google/Message.ts"
import { googleQuery, requiredQuery } from "../Google/Query.ts"
import { endpoint, type RawEndpoint } from "../Provider.ts"
import {
  BatchUpdateSpreadsheetRequest,
  BatchUpdateValuesRequest,
  ClearValuesRequest,
  Spreadsheet
} from "./Generated.ts"
import {
  rangePath,
  Ranges,
  readOptions,
  sameRange,
  spreadsheetOptions,
  spreadsheetPath,
  writeOptions,
  WrittenValues
} from "./Schemas.ts"
import { enteredIssues, requestIssues } from "./Writing/OutsideFormulas.ts"
import { touchedCells, written } from "./Writing/Touches.ts"

const origin = { id: "gsheets", setting: "GSHEETS_BASE_URL", url: "https://sheets.googleapis.com" }

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

export const gsheetsScopes = { read: [scope("spreadsheets.readonly")], write: [scope("spreadsheets")] }

const writeScopes = [...gsheetsScopes.write, scope("drive.file"), scope("drive")]
const readScopes = [...gsheetsScopes.read, ...writeScopes, scope("drive.readonly")]

const reads = { method: "GET", origin, writes: false, scopes: readScopes } as const
const writes = { origin, writes: true, scopes: writeScopes } as const

const spreadsheet = {
  names: ({ path }: { readonly path: { readonly spreadsheetId: string } }) => path.spreadsheetId
}

const sheetRows = (at: ReadonlyArray<string>, query: { readonly majorDimension?: string } = {}): TableSource => ({
  kind: "sheet",
  at,
  byColumn: query.majorDimension === "COLUMNS"
})

export const spreadsheetsGet = endpoint({
  id: "spreadsheets.get",
  description:
    "Spreadsheet metadata: title, tabs and grid sizes. Input `fields` is a field mask that keeps the response small. " +
    "`includeGridData` returns cell data and is ignored when `fields` is set.",
  ...reads,
  path: "/v4/spreadsheets/{spreadsheetId}",
  input: Schema.Struct({ path: spreadsheetPath, query: googleQuery(spreadsheetOptions) }),
  resources: spreadsheet
})

export const valuesGet = endpoint({
  id: "values.get",
  description: "Reads one range; trailing empty rows and columns are omitted.",
  ...reads,
  path: "/v4/spreadsheets/{spreadsheetId}/values/{range}",
  input: Schema.Struct({ path: rangePath("The range to read."), query: googleQuery(readOptions) }),
  resources: spreadsheet,
  rows: ({ query }) => sheetRows(["values"], query)
})

export const valuesBatchGet = endpoint({
  id: "values.batchGet",
  description: "Reads several ranges in one request.",
  ...reads,
  path: "/v4/spreadsheets/{spreadsheetId}/values:batchGet",
  input: Schema.Struct({
    path: spreadsheetPath,
    query: requiredQuery({
      ranges: Ranges.check(minItems(1)).annotate({
        description: "The ranges to read, at least one. The response has them in this order."
      }),
      ...readOptions
    })
  }),
  resources: spreadsheet,
  rows: ({ query }) => sheetRows(["valueRanges", "*", "values"], query)
})

export const valuesUpdate = endpoint({
  id: "values.update",
  description: "Overwrites one range with a value-range object. `valueInputOption` is required.",
  ...writes,
  method: "PUT",
  path: "/v4/spreadsheets/{spreadsheetId}/values/{range}",
  input: Schema.Struct({
    path: rangePath("The range to overwrite."),
    query: requiredQuery(writeOptions),
    body: requestBody(WrittenValues)
  }).check(sameRange),
  touches: ({ body, path, query }) =>
    touchedCells(path.spreadsheetId, [{ range: path.range, ...written(body, query.valueInputOption) }]),
  resources: {
    ...spreadsheet,
    refuses: ({ body, query }) => enteredIssues(query.valueInputOption, body.values, ["input", "body", "values"])
  }
})

export const valuesAppend = endpoint({
  id: "values.append",
  description: "Appends rows after the table found in `range`. `valueInputOption` is required.",
  ...writes,
  method: "POST",
  path: "/v4/spreadsheets/{spreadsheetId}/values/{range}:append",
  input: Schema.Struct({
    path: rangePath("Where to look for the table."),
    query: requiredQuery({
      ...writeOptions,
      insertDataOption: Schema.optionalKey(
        Schema.Literals(["OVERWRITE", "INSERT_ROWS"]).annotate({
          description: "Whether the rows overwrite the cells below the table or are inserted as new rows.",
          default: "OVERWRITE"
        })
      )
    }),
    body: requestBody(WrittenValues)
  }).check(sameRange),
  touches: ({ body, path, query }) => ({
    _tag: "AppendedCells",
    file: path.spreadsheetId,
    range: path.range,
    ...written(body, query.valueInputOption),
    insertsRows: query.insertDataOption === "INSERT_ROWS"
  }),
  resources: {
    ...spreadsheet,
    refuses: ({ body, query }) => enteredIssues(query.valueInputOption, body.values, ["input", "body", "values"])
  }
})

export const valuesBatchUpdate = endpoint({
  id: "values.batchUpdate",
  description: "Overwrites several ranges in one request. `valueInputOption` is required, in the body.",
  ...writes,
  method: "POST",
  path: "/v4/spreadsheets/{spreadsheetId}/values:batchUpdate",
  input: Schema.Struct({ path: spreadsheetPath, query: googleQuery({}), body: requestBody(BatchUpdateValuesRequest) }),
  touches: ({ body: { data = [], valueInputOption }, path }) =>
    touchedCells(path.spreadsheetId, data.map((each) => ({ range: each.range, ...written(each, valueInputOption) }))),
  resources: {
    ...spreadsheet,
    refuses: ({ body }) => enteredIssues(body.valueInputOption, body.data, ["input", "body", "data"])
  }
})

export const valuesClear = endpoint({
  id: "values.clear",
  description: "Clears the values in a range; formatting and validation are kept.",
  ...writes,
  method: "POST",
  path: "/v4/spreadsheets/{spreadsheetId}/values/{range}:clear",
  input: Schema.Struct({
    path: rangePath("The range to clear."),
    query: googleQuery({}),
    body: Schema.optionalKey(requestBody(ClearValuesRequest))
  }),
  touches: ({ path }) => touchedCells(path.spreadsheetId, [{ range: path.range, values: undefined, parsed: false }]),
  resources: spreadsheet
})

export const spreadsheetsCreate = endpoint({
  id: "spreadsheets.create",
  description:
    "Creates a spreadsheet from a spreadsheet resource. Requires a connection made through an identity-provider " +
    "sign-in; service accounts cannot own files.",
  ...writes,
  method: "POST",
  path: "/v4/spreadsheets",
  createsFile: true,
  input: Schema.Struct({ query: googleQuery({}), body: Schema.optionalKey(requestBody(Spreadsheet)) }),
  resources: { creates: "spreadsheetId", refuses: ({ body }) => requestIssues(body) }
})

export const spreadsheetsBatchUpdate = endpoint({
  id: "spreadsheets.batchUpdate",
  description:
    "Structural changes (add, rename or delete tabs, formatting, sorting and so on) as a list of requests, applied " +
    "atomically.",
  ...writes,
  method: "POST",
  path: "/v4/spreadsheets/{spreadsheetId}:batchUpdate",
  input: Schema.Struct({
    path: spreadsheetPath,
    query: googleQuery({}),
    body: requestBody(BatchUpdateSpreadsheetRequest)
  }),
  touches: ({ body, path }) => ({ _tag: "Edits", file: path.spreadsheetId, edits: body.requests }),
  resources: { ...spreadsheet, refuses: ({ body }) => requestIssues(body) }
})

export const gsheetsEndpoints: ReadonlyArray<RawEndpoint> = [
  spreadsheetsGet,
  valuesGet,
  valuesBatchGet,
  valuesUpdate,
  valuesAppend,
  valuesBatchUpdate,
  valuesClear,
  spreadsheetsCreate,
  spreadsheetsBatchUpdate
]
