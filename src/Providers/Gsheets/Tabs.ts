import { Result, Schema } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import type { SpreadsheetReference } from "../Google/FileReference.ts"
import type { ProviderCalls } from "../Provider.ts"
import type { Size } from "./A1.ts"
import { Metadata, metadataFields, type SheetProperties } from "./Answers.ts"
import { spreadsheetsGet } from "./Endpoints.ts"
import { mistake, mistaken } from "./Mistakes.ts"

export interface Tab {
  readonly title: string
  readonly id: number
  /** `grid`, or what the tab is instead of cells. */
  readonly type: "grid" | "chart" | "data_source"
  readonly hidden: boolean
  /** The grid with its empty cells; a chart has none. */
  readonly size: Size
  readonly frozenRows: number
}

/** How a caller names a tab. */
export const tabField = Schema.optionalKey(
  Schema.Union([Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))]).annotate({
    description: "The tab: its title (in whatever case, if that is clear) or its numeric id. By default the first " +
      "visible one that has cells. An empty text counts as absent."
  })
)

export const readMetadata = (provider: ProviderCalls, { spreadsheetId }: SpreadsheetReference) =>
  provider.call(spreadsheetsGet, { path: { spreadsheetId }, query: { fields: metadataFields } }, Metadata)

/** In the order of the spreadsheet. */
export const tabsOf = ({ sheets = [] }: Metadata): ReadonlyArray<Tab> =>
  sheets.map(({ properties }) => tabOf(properties))

const tabOf = ({ gridProperties, hidden = false, sheetId = 0, sheetType, title }: SheetProperties): Tab => ({
  title,
  id: sheetId,
  type: sheetType === "OBJECT" ? "chart" : sheetType === "DATA_SOURCE" ? "data_source" : "grid",
  hidden,
  size: { rows: gridProperties?.rowCount ?? 0, columns: gridProperties?.columnCount ?? 0 },
  frozenRows: gridProperties?.frozenRowCount ?? 0
})

/** The tab that a call means: the one it names, else the one its address points at, else the first visible grid. */
export const chooseTab = (
  tabs: ReadonlyArray<Tab>,
  given: string | number | undefined,
  gid: number | undefined
): Result.Result<Tab, ReadonlyArray<Issue>> => {
  if (given !== undefined && (typeof given === "number" || given.trim() !== "")) {
    return Result.flatMap(namedTab(tabs, given, ["tab"]), withCells(tabs, ["tab"]))
  }
  if (gid !== undefined) {
    const found = tabs.find(({ id }) => id === gid)
    return found === undefined
      ? mistaken(mistake(["spreadsheet"], `The spreadsheet has no tab with the id ${gid}. ${choices(tabs)}`))
      : withCells(tabs, ["spreadsheet"])(found)
  }
  const first = tabs.find(({ hidden, type }) => type === "grid" && !hidden)
  return first === undefined
    ? mistaken(mistake(["tab"], `The spreadsheet has no visible tab with cells; name the tab. ${choices(tabs)}`))
    : Result.succeed(first)
}

const withCells = (tabs: ReadonlyArray<Tab>, path: Issue["path"]) => (tab: Tab) =>
  tab.type === "chart"
    ? mistaken(mistake(path, `The tab ${JSON.stringify(tab.title)} is a chart and has no cells. ${choices(tabs)}`))
    : Result.succeed(tab)

/** A text is a title before it is an id, a number the other way round. */
export const namedTab = (
  tabs: ReadonlyArray<Tab>,
  given: string | number,
  path: Issue["path"]
): Result.Result<Tab, ReadonlyArray<Issue>> => {
  const text = String(given)
  const byId = tabs.find(({ id }) => String(id) === text.trim())
  const exact = tabs.find(({ title }) => title === text) ?? tabs.find(({ title }) => title.trim() === text.trim())
  const found = typeof given === "number" ? byId ?? exact : exact
  if (found !== undefined) return Result.succeed(found)
  const alike = tabs.filter(({ title }) => title.trim().toLowerCase() === text.trim().toLowerCase())
  const [only, ...others] = alike
  if (only !== undefined && others.length === 0) return Result.succeed(only)
  if (only !== undefined) {
    return mistaken(mistake(path, `${JSON.stringify(text)} fits several tabs. ${choices(alike)}`))
  }
  return byId === undefined
    ? mistaken(mistake(path, `The spreadsheet has no tab ${JSON.stringify(text)}. ${choices(tabs)}`))
    : Result.succeed(byId)
}

const mostNamed = 50

const choices = (tabs: ReadonlyArray<Tab>): string => {
  const shown = tabs.slice(0, mostNamed).map(({ hidden, id, title, type }) => {
    const notes = [`id ${id}`, ...(hidden ? ["hidden"] : []), ...(type === "grid" ? [] : [type])]
    return `${JSON.stringify(title)} (${notes.join(", ")})`
  })
  const more = tabs.length > mostNamed ? ` and ${tabs.length - mostNamed} more` : ""
  return `The tabs are ${shown.join(", ")}${more}.`
}
