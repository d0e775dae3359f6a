import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"

/** A call for a spreadsheet, and one of its ranges. */
export const sheet =
  (endpoint: string, input: object = {}, range?: string) => (spreadsheetId: unknown): CallRequest => ({
    provider: "gsheets",
    endpoint,
    input: { path: { spreadsheetId, ...range !== undefined && { range } }, ...input }
  })

export const batch = (...requests: ReadonlyArray<object>) => sheet("spreadsheets.batchUpdate", { body: { requests } })

export const update = (
  range: string,
  values: ReadonlyArray<ReadonlyArray<unknown>>,
  valueInputOption: "RAW" | "USER_ENTERED" = "RAW"
) => sheet("values.update", { query: { valueInputOption }, body: { values } }, range)

export const newSheet = (properties: object): CallRequest => ({
  provider: "gsheets",
  endpoint: "spreadsheets.create",
  input: { body: { sheets: [{ properties }] } }
})

export const sheetTool = (tool: string, input: object) => (spreadsheet: unknown): CallRequest => ({
  provider: "gsheets",
  tool,
  input: { spreadsheet, ...input }
})
