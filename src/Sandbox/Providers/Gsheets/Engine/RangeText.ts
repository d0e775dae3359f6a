import { Result } from "effect"
import { parseCells, rectangleName } from "../../../../Providers/Gsheets/A1.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, gridArea, intersection } from "./Area.ts"
import { parseR1C1 } from "./R1C1.ts"
import { exceedsGrid, invalidArgument } from "./Refusal.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

export interface Resolved {
  readonly tab: Tab
  /** What was asked for, which can end beyond the grid. */
  readonly area: Area
  /** One cell: what is written there may be larger. */
  readonly isAnchor: boolean
}

/**
 * A range as the API reads it. A text without `!` is a cell or a range of the first visible tab in A1 notation, else in
 * R1C1, else a named range, else a tab's title; a quoted text is a title at once. Titles are compared in whatever case.
 */
export const resolveRange = (spreadsheet: Spreadsheet, text: string): Result.Result<Resolved, GoogleError> => {
  const unparsable = () => invalidArgument(`Unable to parse range: ${text}`)
  const found = find(spreadsheet, text)
  if (found === undefined || found.tab.type === "OBJECT") return Result.fail(unparsable())
  const { tab } = found
  const area = found.cells === undefined ? gridArea(tab) : {
    top: found.cells.top,
    left: found.cells.left,
    bottom: found.cells.bottom ?? Math.max(tab.rowCount, found.cells.top + 1),
    right: found.cells.right ?? Math.max(tab.columnCount, found.cells.left + 1)
  }
  return area.top >= tab.rowCount || area.left >= tab.columnCount
    ? Result.fail(exceedsGrid(areaText(tab, area), tab))
    : Result.succeed({ tab, area, isAnchor: area.bottom - area.top === 1 && area.right - area.left === 1 })
}

/** A range to read ends at the latest with the grid. */
export const resolveRead = (spreadsheet: Spreadsheet, text: string): Result.Result<Resolved, GoogleError> =>
  Result.map(resolveRange(spreadsheet, text), (resolved) => ({
    ...resolved,
    area: intersection(resolved.area, gridArea(resolved.tab))
  }))

/** A range to write to has to lie in the grid. */
export const resolveWrite = (spreadsheet: Spreadsheet, text: string): Result.Result<Resolved, GoogleError> =>
  Result.flatMap(resolveRange(spreadsheet, text), (resolved) => inGrid(resolved.tab, resolved.area, resolved))

export const inGrid = <A>(tab: Tab, area: Area, result: A): Result.Result<A, GoogleError> =>
  area.bottom > tab.rowCount || area.right > tab.columnCount
    ? Result.fail(exceedsGrid(areaText(tab, area), tab))
    : Result.succeed(result)

const find = (spreadsheet: Spreadsheet, text: string) => {
  const bang = text.lastIndexOf("!")
  if (bang === -1) return withoutTab(spreadsheet, text)
  const tab = tabBefore(spreadsheet, text.slice(0, bang))
  const cells = parseNotation(text.slice(bang + 1))
  if (tab !== undefined && cells !== undefined) return { tab, cells }
  const whole = byTitle(spreadsheet, text)
  return whole === undefined ? undefined : { tab: whole, cells: undefined }
}

const withoutTab = (spreadsheet: Spreadsheet, text: string) => {
  const cells = parseNotation(text)
  const first = firstVisible(spreadsheet)
  if (cells !== undefined && first !== undefined) return { tab: first, cells }
  const named = spreadsheet.namedRanges.find(({ name }) => same(name, text))
  const home = spreadsheet.tabs.find(({ sheetId }) => sheetId === named?.sheetId)
  if (named !== undefined && home !== undefined) return { tab: home, cells: named.area }
  const tab = byTitle(spreadsheet, text)
  return tab === undefined ? undefined : { tab, cells: undefined }
}

const parseNotation = (text: string) => parseCells(text) ?? parseR1C1(text)

/** No title at all is the first tab. */
const tabBefore = (spreadsheet: Spreadsheet, title: string): Tab | undefined =>
  title === "" || title === "''" ? firstVisible(spreadsheet) : byTitle(spreadsheet, title)

const firstVisible = ({ tabs }: Spreadsheet): Tab | undefined => tabs.find(({ hidden }) => !hidden)

const byTitle = ({ tabs }: Spreadsheet, text: string): Tab | undefined => {
  const title = /^'.*'$/su.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
  return tabs.find((tab) => tab.title === title) ?? tabs.find((tab) => same(tab.title, title))
}

export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** A range as answers name it: the title quoted only where it has to be. */
export const areaText = (tab: Pick<Tab, "title">, area: Area): string =>
  `${titleText(tab.title)}!${rectangleName(area)}`

export const titleText = (title: string): string =>
  /^[A-Za-z_]\w*$/.test(title) && parseNotation(title) === undefined ? title : `'${title.replaceAll("'", "''")}'`
