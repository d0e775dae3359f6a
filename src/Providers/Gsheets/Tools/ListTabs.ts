import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { SpreadsheetReference, spreadsheetUrl } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { flag } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { rangeOnTab } from "../A1.ts"
import { widthOf } from "../CellValues.ts"
import { columnKeys } from "../ColumnKeys.ts"
import { readRanges } from "../Reading/ReadValues.ts"
import { readMetadata, type Tab, tabsOf } from "../Tabs.ts"

const maxHeaderTabs = 20

export const sheetsListTabs = tool({
  name: "sheets_list_tabs",
  ...described([
    "Spreadsheet title, URL and tabs, with each tab's grid size (rows by columns, including empty cells).",
    "Also hidden tabs and charts (`type`).",
    "`frozen_rows` are often the header.",
    "For the cells use sheets_read."
  ], [
    "All tabs are listed in the order of the spreadsheet.",
    "`index` counts from 0.",
    "`type` is chart or data_source, and absent for a grid.",
    "With `include_headers` the first 20 grids have `headers`, the keys of row 1 as in sheets_read.",
    "An empty row 1 has no headers."
  ]),
  writes: false,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    include_headers: flag({
      description: `Also reads row 1 of the first ${maxHeaderTabs} grids.`,
      default: false
    })
  }),
  resources: { names: ({ spreadsheet }) => spreadsheet.spreadsheetId },
  rows: () => objectsIn("tabs"),
  output: Schema.Struct({
    spreadsheetId: Schema.String,
    title: Schema.String,
    url: Schema.String,
    locale: Schema.NullOr(Schema.String),
    time_zone: Schema.NullOr(Schema.String),
    tabs: Schema.Array(Schema.Struct({
      tab: Schema.String,
      tab_id: Integer,
      index: Integer,
      rows: Schema.optionalKey(Integer),
      columns: Schema.optionalKey(Integer),
      frozen_rows: Schema.optionalKey(Integer),
      hidden: Schema.optionalKey(Schema.Boolean),
      type: Schema.optionalKey(Schema.Literals(["chart", "data_source"])),
      headers: Schema.optionalKey(Schema.Array(Schema.String))
    }))
  }),
  run: Effect.fnUntraced(function*({ include_headers, spreadsheet }, provider) {
    const metadata = yield* readMetadata(provider, spreadsheet)
    const { properties, spreadsheetId } = metadata
    const tabs = tabsOf(metadata)
    const headers = include_headers
      ? yield* headersOf(provider, spreadsheetId, tabs)
      : new Map<Tab, ReadonlyArray<string>>()
    return {
      spreadsheetId,
      title: properties.title ?? "",
      url: spreadsheetUrl(spreadsheetId),
      locale: properties.locale ?? null,
      time_zone: properties.timeZone ?? null,
      tabs: tabs.map((tab, index) => {
        const keys = headers.get(tab)
        return {
          tab: tab.title,
          tab_id: tab.id,
          index,
          ...(tab.type === "chart"
            ? {}
            : { rows: tab.size.rows, columns: tab.size.columns, frozen_rows: tab.frozenRows }),
          ...(tab.hidden ? { hidden: true } : {}),
          ...(tab.type === "grid" ? {} : { type: tab.type }),
          ...(keys === undefined ? {} : { headers: keys })
        }
      })
    }
  })
})

const headersOf = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tabs: ReadonlyArray<Tab>) {
    const grids = tabs.filter(({ type }) => type === "grid").slice(0, maxHeaderTabs)
    const all = grids.length === 0
      ? []
      : yield* readRanges(provider, spreadsheetId, grids.map(({ title }) => rangeOnTab(title, "1:1")))
    return new Map(grids.map((tab, index) => {
      const [header = []] = all[index] ?? []
      return [tab, columnKeys(header, { width: widthOf([header]) }).map(({ key }) => key)]
    }))
  }
)
