import { Result } from "effect"
import { maxNamed, nameNearest } from "../../Domain/Text/Nearest.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import type { SpreadsheetReference } from "../Google/FileReference.ts"
import type { ProviderCalls } from "../Provider.ts"
import type { Size } from "./A1.ts"
import { spreadsheetsGet } from "./Endpoints.ts"
import { type Checked, refusal } from "./Issues.ts"
import { metadataFields, type SheetProperties, SpreadsheetMetadata } from "./Responses.ts"

export interface Tab {
  readonly title: string
  readonly id: number
  readonly type: "grid" | "chart" | "data_source"
  readonly hidden: boolean
  readonly size: Size
  readonly frozenRows: number
}

export const readMetadata = (provider: ProviderCalls, { spreadsheetId }: Pick<SpreadsheetReference, "spreadsheetId">) =>
  provider.call(spreadsheetsGet, { path: { spreadsheetId }, query: { fields: metadataFields } }, SpreadsheetMetadata)

export const tabsOf = ({ sheets = [] }: SpreadsheetMetadata): ReadonlyArray<Tab> =>
  sheets.map(({ properties }) => tabOf(properties))

const tabOf = ({ gridProperties, hidden = false, sheetId = 0, sheetType, title }: SheetProperties): Tab => ({
  title,
  id: sheetId,
  type: sheetType === "OBJECT" ? "chart" : sheetType === "DATA_SOURCE" ? "data_source" : "grid",
  hidden,
  size: { rows: gridProperties?.rowCount ?? 0, columns: gridProperties?.columnCount ?? 0 },
  frozenRows: gridProperties?.frozenRowCount ?? 0
})

/** The part of a tool's input that names a tab. */
export interface TabInput {
  readonly spreadsheet: Pick<SpreadsheetReference, "gid">
  readonly tab?: string | number | undefined
}

export const chooseTab = (tabs: ReadonlyArray<Tab>, { spreadsheet: { gid }, tab: given }: TabInput): Checked<Tab> => {
  if (given !== undefined && (typeof given === "number" || given.trim() !== "")) {
    return Result.flatMap(namedTab(tabs, given, ["tab"]), requireCells(tabs, ["tab"]))
  }
  if (gid !== undefined) {
    const found = tabs.find(({ id }) => id === gid)
    return found === undefined
      ? refusal(["spreadsheet"], `The spreadsheet has no tab with the id ${gid}. ${describeTabs(tabs, "")}`)
      : requireCells(tabs, ["spreadsheet"])(found)
  }
  const first = tabs.find(({ hidden, type }) => type === "grid" && !hidden)
  return first === undefined
    ? refusal(["tab"], `The spreadsheet has no visible tab with cells; name the tab. ${describeTabs(tabs, "")}`)
    : Result.succeed(first)
}

const requireCells = (tabs: ReadonlyArray<Tab>, path: Issue["path"]) => (tab: Tab) =>
  tab.type === "chart"
    ? refusal(
      path,
      `The tab ${JSON.stringify(tab.title)} is a chart and has no cells. ${
        describeTabs(tabs.filter(({ type }) => type === "grid"), tab.title)
      }`
    )
    : Result.succeed(tab)

export const namedTab = (tabs: ReadonlyArray<Tab>, given: string | number, path: Issue["path"]): Checked<Tab> => {
  const text = String(given)
  const byId = tabs.find(({ id }) => String(id) === text.trim())
  const exact = tabs.find(({ title }) => title === text) ?? tabs.find(({ title }) => title.trim() === text.trim())
  const found = typeof given === "number" ? byId ?? exact : exact
  if (found !== undefined) return Result.succeed(found)
  const alike = tabs.filter(({ title }) => title.trim().toLowerCase() === text.trim().toLowerCase())
  const [only, ...others] = alike
  if (only !== undefined && others.length === 0) return Result.succeed(only)
  if (only !== undefined) {
    return refusal(path, `${JSON.stringify(text)} fits several tabs. ${describeTabs(alike, text)}`)
  }
  return byId === undefined
    ? refusal(path, `The spreadsheet has no tab ${JSON.stringify(text)}. ${describeTabs(tabs, text)}`)
    : Result.succeed(byId)
}

const describeTabs = (tabs: ReadonlyArray<Tab>, wanted: string): string =>
  `The ${wanted !== "" && tabs.length > maxNamed ? "nearest tabs" : "tabs"} are ${
    nameNearest(wanted.trim(), tabs, ({ title }) => title, describeTab)
  }.`

const describeTab = ({ hidden, id, title, type }: Tab): string => {
  const notes = [`id ${id}`, ...(hidden ? ["hidden"] : []), ...(type === "grid" ? [] : [type])]
  return `${JSON.stringify(title)} (${notes.join(", ")})`
}
