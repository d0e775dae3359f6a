import { Effect, Schema } from "effect"
import { SpreadsheetReference, spreadsheetUrl } from "../Google/FileReference.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { flag } from "../Tooling/Fields.ts"
import { on } from "./A1.ts"
import { headerKeys } from "./HeaderKeys.ts"
import { readSeveral } from "./Reading.ts"
import { widthOf } from "./RowPage.ts"
import { readMetadata, type Tab, tabsOf } from "./Tabs.ts"

const mostHeaders = 20

export const sheetsListTabs = tool({
  name: "sheets_list_tabs",
  description: [
    "Spreadsheet title, URL and tabs, with each tab's grid size (rows by columns, including empty cells).",
    "Freshness: the spreadsheet as it is now.",
    "Window: all tabs, hidden ones and charts too.",
    "Units: `rows` and `columns` are the size of the grid, not of the data, and say nothing about how much is filled in;",
    "`frozen_rows` often are the header. `type` is there for tabs without a grid only: chart or data_source.",
    "Sorted as in the spreadsheet, `index` from 0.",
    `Truncation: tabs are never cut; with \`include_headers\` the first ${mostHeaders} grids have \`headers\`, the keys of`,
    "row 1 as sheets_read has them.",
    "Empty: a spreadsheet has a tab at least; an empty row 1 has no headers.",
    "For the cells use sheets_read."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    include_headers: flag({
      description: `Reads row 1 of the grids too, of ${mostHeaders} at most.`,
      default: false
    })
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
      tabs: tabs.map((tab, index) => ({
        tab: tab.title,
        tab_id: tab.id,
        index,
        ...(tab.type === "chart"
          ? {}
          : { rows: tab.size.rows, columns: tab.size.columns, frozen_rows: tab.frozenRows }),
        ...(tab.hidden ? { hidden: true } : {}),
        ...(tab.type === "grid" ? {} : { type: tab.type }),
        ...(headers.has(tab) ? { headers: headers.get(tab) } : {})
      }))
    }
  })
})

const headersOf = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tabs: ReadonlyArray<Tab>) {
    const grids = tabs.filter(({ type }) => type === "grid").slice(0, mostHeaders)
    const all = grids.length === 0
      ? []
      : yield* readSeveral(provider, spreadsheetId, grids.map(({ title }) => on(title, "1:1")))
    return new Map(grids.map((tab, index) => {
      const [header = []] = all[index] ?? []
      return [tab, headerKeys(header, { width: widthOf([header]) }).map(({ key }) => key)]
    }))
  }
)
