import { Result } from "effect"
import { blankSpreadsheet, newTab } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Defaults.ts"
import { callMethod, createSpreadsheet } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Methods.ts"
import type { Spreadsheet, Tab } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { writeRows } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/WriteCells.ts"

/** Wednesday 2026-03-18, 12:00 UTC. */
export const now = Date.UTC(2026, 2, 18, 12)

export type Values = ReadonlyArray<ReadonlyArray<string | number | boolean | null>>

export type TabFixture = Partial<Tab> & { readonly title: string; readonly typed?: Values; readonly raw?: Values }

/** Tab ids count from 0. `typed` values are parsed, `raw` ones are not. */
export const spreadsheetOf = (tabs: ReadonlyArray<TabFixture>, blank = blankSpreadsheet("s1", "Test")): Spreadsheet =>
  tabs.flatMap(({ raw = [], typed = [] }, index) => [
    { index, rows: typed, option: "USER_ENTERED" as const },
    { index, rows: raw, option: "RAW" as const }
  ]).reduce<Spreadsheet>(
    (spreadsheet, { index, option, rows }) => {
      const tab = spreadsheet.tabs[index]
      return tab === undefined || rows.length === 0
        ? spreadsheet
        : writeRows(spreadsheet, { tab, top: 0, left: 0 }, rows, { now, option }).spreadsheet
    },
    { ...blank, tabs: tabs.map(({ raw: _raw, typed: _typed, ...tab }, sheetId) => newTab({ sheetId, ...tab })) }
  )

export const oneTab = (typed: Values, tab: Partial<Tab> = {}): Spreadsheet =>
  spreadsheetOf([{ title: "Sheet1", ...tab, typed }])

export const created = "1CreatedSpreadsheet"

interface CallOptions {
  readonly range?: string
  readonly query?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: unknown
}

export const call = (spreadsheet: Spreadsheet, endpoint: string, { body, query = {}, range }: CallOptions = {}) => {
  const input = {
    params: range === undefined ? {} : { range },
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
    body,
    now
  }
  const result = endpoint === "spreadsheets.create"
    ? createSpreadsheet(created, input)
    : callMethod(endpoint, spreadsheet, input)
  if (result === undefined) throw new Error(`There is no endpoint ${endpoint}`)
  return Result.match(result, {
    onSuccess: ({ body, spreadsheet }) => ({ status: 200, body: Object(body), spreadsheet }),
    onFailure: ({ body, code }) => ({ status: code, body: Object(body), spreadsheet })
  })
}

export const read = (spreadsheet: Spreadsheet, range: string, option = "UNFORMATTED_VALUE"): Values =>
  call(spreadsheet, "values.get", { range, query: { valueRenderOption: option } }).body.values ?? []

export const batchUpdate = (spreadsheet: Spreadsheet, ...requests: ReadonlyArray<object>) =>
  call(spreadsheet, "spreadsheets.batchUpdate", { body: { requests } })

export const rows = (start: number, end: number) => ({
  sheetId: 0,
  dimension: "ROWS",
  startIndex: start,
  endIndex: end
})

export const area = (top: number, bottom: number, left: number, right: number) => ({
  startRowIndex: top,
  endRowIndex: bottom,
  startColumnIndex: left,
  endColumnIndex: right
})

export const titles = ({ tabs }: Spreadsheet) => tabs.map(({ title }) => title)
