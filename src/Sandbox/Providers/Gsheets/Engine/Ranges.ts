import { Result } from "effect"
import { type CellRange, parseCells, rectangleName } from "../../../../Providers/Gsheets/A1.ts"
import { type GoogleError, notSimulated } from "../../Google/GoogleError.ts"
import { type Area, gridArea, intersection } from "./Area.ts"
import { exceedsGrid, invalidArgument } from "./Errors.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

export interface ResolvedRange {
  readonly tab: Tab
  readonly area: Area
  readonly isAnchor: boolean
}

/**
 * Without `!`, tries in this order: cells of the first visible tab, a tab title. A quoted text is always a title. Case
 * does not matter in titles.
 */
export const resolveRange = (spreadsheet: Spreadsheet, text: string): Result.Result<ResolvedRange, GoogleError> => {
  const unparsable = () => invalidArgument(`Unable to parse range: ${text}`)
  const found = findRange(spreadsheet, text)
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

export const resolveRead = (spreadsheet: Spreadsheet, text: string): Result.Result<ResolvedRange, GoogleError> =>
  Result.map(resolveRange(spreadsheet, text), (resolved) => ({
    ...resolved,
    area: intersection(resolved.area, gridArea(resolved.tab))
  }))

export const resolveWrite = (spreadsheet: Spreadsheet, text: string): Result.Result<ResolvedRange, GoogleError> =>
  Result.flatMap(resolveRange(spreadsheet, text), (resolved) => checkInGrid(resolved.tab, resolved.area, resolved))

export const checkInGrid = <A>(tab: Tab, area: Area, result: A): Result.Result<A, GoogleError> =>
  area.bottom > tab.rowCount || area.right > tab.columnCount
    ? Result.fail(exceedsGrid(areaText(tab, area), tab))
    : Result.succeed(result)

const findRange = (spreadsheet: Spreadsheet, text: string) => {
  const bang = text.lastIndexOf("!")
  if (bang === -1) return findWithoutTab(spreadsheet, text)
  const tab = findTab(spreadsheet, text.slice(0, bang))
  const cells = cellsOf(text.slice(bang + 1))
  if (tab !== undefined && cells !== undefined) return { tab, cells }
  const whole = findByTitle(spreadsheet, text)
  return whole === undefined ? undefined : { tab: whole, cells: undefined }
}

const findWithoutTab = (spreadsheet: Spreadsheet, text: string) => {
  const cells = cellsOf(text)
  const first = firstVisible(spreadsheet)
  if (cells !== undefined && first !== undefined) return { tab: first, cells }
  const tab = findByTitle(spreadsheet, text)
  return tab === undefined ? undefined : { tab, cells: undefined }
}

/** The sandbox does not read R1C1, but knows it. */
const isR1C1 = (text: string): boolean =>
  /^(?=[RC])(?:R(?:0*[1-9]\d*|\[\d+\])?)?(?:C(?:0*[1-9]\d*|\[\d+\])?)?(?::(?=[RC])|$)/i.test(text)

const cellsOf = (text: string): CellRange | undefined => {
  const cells = parseCells(text)
  if (cells === undefined && isR1C1(text)) throw notSimulated("ranges in R1C1 notation")
  return cells
}

const findTab = (spreadsheet: Spreadsheet, title: string): Tab | undefined =>
  title === "" || title === "''" ? firstVisible(spreadsheet) : findByTitle(spreadsheet, title)

const firstVisible = ({ tabs }: Spreadsheet): Tab | undefined => tabs.find(({ hidden }) => !hidden)

const findByTitle = ({ tabs }: Spreadsheet, text: string): Tab | undefined => {
  const title = /^'.*'$/su.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
  return tabs.find((tab) => tab.title === title) ?? tabs.find((tab) => equalsIgnoreCase(tab.title, title))
}

export const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const areaText = (tab: Pick<Tab, "title">, area: Area): string =>
  `${titleText(tab.title)}!${rectangleName(area)}`

const titleText = (title: string): string =>
  /^[A-Za-z_]\w*$/.test(title) && parseCells(title) === undefined && !isR1C1(title)
    ? title
    : `'${title.replaceAll("'", "''")}'`
