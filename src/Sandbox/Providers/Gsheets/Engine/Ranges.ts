import { Result } from "effect"
import {
  type CellRange,
  cellsBetween,
  type Corner,
  parseCells,
  rectangleName
} from "../../../../Providers/Gsheets/A1.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, gridArea, intersection } from "./Area.ts"
import { exceedsGrid, invalidArgument } from "./Errors.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

export interface ResolvedRange {
  readonly tab: Tab
  readonly area: Area
  readonly isAnchor: boolean
}

/**
 * Without `!`, tries in this order: cells of the first visible tab, a named range, a tab title. A quoted text is
 * always a title. Case does not matter in names and titles.
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
  const cells = parseNotation(text.slice(bang + 1))
  if (tab !== undefined && cells !== undefined) return { tab, cells }
  const whole = findByTitle(spreadsheet, text)
  return whole === undefined ? undefined : { tab: whole, cells: undefined }
}

const findWithoutTab = (spreadsheet: Spreadsheet, text: string) => {
  const cells = parseNotation(text)
  const first = firstVisible(spreadsheet)
  if (cells !== undefined && first !== undefined) return { tab: first, cells }
  const named = spreadsheet.namedRanges.find(({ name }) => equalsIgnoreCase(name, text))
  const home = spreadsheet.tabs.find(({ sheetId }) => sheetId === named?.sheetId)
  if (named !== undefined && home !== undefined) return { tab: home, cells: named.area }
  const tab = findByTitle(spreadsheet, text)
  return tab === undefined ? undefined : { tab, cells: undefined }
}

export const parseNotation = (text: string): CellRange | undefined => parseCells(text) ?? parseR1C1(text)

const parseR1C1 = (text: string): CellRange | undefined => {
  const corners = text.split(":").map(parseCorner)
  const [from, to = from] = corners
  return from === undefined || to === undefined || corners.length > 2 || corners.includes(undefined)
    ? undefined
    : cellsBetween(from, to)
}

const r1c1Corner = /^(R(?:0*([1-9]\d*)|\[(\d+)\])?)?(C(?:0*([1-9]\d*)|\[(\d+)\])?)?$/i

const parseCorner = (text: string): Corner | undefined => {
  const match = text === "" ? null : r1c1Corner.exec(text)
  if (match === null) return undefined
  const [, rowPart, row, rowOffset, columnPart, column, columnOffset] = match
  return [row, rowOffset, column, columnOffset].every((number) => number === undefined)
    ? { row: 0, column: 0 }
    : { row: r1c1Index(rowPart, row, rowOffset), column: r1c1Index(columnPart, column, columnOffset) }
}

const r1c1Index = (part: string | undefined, absolute: string | undefined, offset: string | undefined) => {
  if (absolute !== undefined) return Number(absolute) - 1
  if (offset !== undefined) return Number(offset)
  return part === undefined ? undefined : 0
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

export const titleText = (title: string): string =>
  /^[A-Za-z_]\w*$/.test(title) && parseNotation(title) === undefined ? title : `'${title.replaceAll("'", "''")}'`
