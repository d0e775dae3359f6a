import { Result } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, gridArea } from "./Area.ts"
import { compute } from "./Computed.ts"
import { defaultLook } from "./Defaults.ts"
import { checkMask, type Mask, masked, parseMask } from "./FieldMask.ts"
import { gridData } from "./GridData.ts"
import type { Operation } from "./Operation.ts"
import { lastOf, onlyParameters, yesOrNo } from "./Query.ts"
import { resolveRead } from "./RangeText.ts"
import type { NamedRange, Spreadsheet, Tab } from "./Spreadsheet.ts"

export const spreadsheetsGet: Operation = (spreadsheet, { now, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, ["ranges", "includeGridData", "excludeTablesInBandedRanges", "commentsViewMode"])
    const includeGridData = yield* yesOrNo(query, "includeGridData")
    const fields = lastOf(query, "fields")
    const mask = fields === undefined ? undefined : yield* parseMask(fields)
    if (mask !== undefined) yield* checkMask(mask, SpreadsheetMessage.ast)
    const withCells = mask === undefined ? includeGridData : reachesCells(mask)
    const body = yield* resource(spreadsheet, { ranges: query["ranges"] ?? [], withCells, now })
    return { spreadsheet, body }
  })

/** A mask decides alone whether there are cells: `sheets` and `sheets.data` have them, `*` has not. */
const reachesCells = (mask: Mask): boolean => {
  const sheets = mask.get("sheets")
  return sheets !== undefined && (sheets.size === 0 || sheets.has("data") || sheets.has("*"))
}

/** The spreadsheet as the API shows it; with ranges, only the tabs that they are on. */
export const resource = (
  spreadsheet: Spreadsheet,
  { now, ranges, withCells }: {
    readonly ranges: ReadonlyArray<string>
    readonly withCells: boolean
    readonly now: number
  }
): Result.Result<object, GoogleError> =>
  Result.map(Result.all(ranges.map((range) => resolveRead(spreadsheet, range))), (resolved) => {
    const computed = compute(spreadsheet, now)
    const { namedRanges, properties, spreadsheetId, tabs } = spreadsheet
    const sheets = tabs.flatMap((tab, index) => {
      const areas = ranges.length === 0
        ? [gridArea(tab)]
        : resolved.filter((each) => each.tab.sheetId === tab.sheetId).map(({ area }) => area)
      return areas.length === 0 ? [] : [{
        properties: tabProperties(tab, index),
        ...(withCells && tab.type === "GRID" ? { data: areas.map((area) => gridData(computed, tab, area)) } : {}),
        ...(tab.merges.length === 0 ? {} : { merges: tab.merges.map((area) => gridRange(tab.sheetId, area)) }),
        ...(tab.basicFilter === undefined ? {} : { basicFilter: tab.basicFilter })
      }]
    })
    return {
      spreadsheetId,
      properties: { ...defaultLook, ...properties },
      sheets,
      ...(namedRanges.length === 0 ? {} : { namedRanges: namedRanges.map(namedRange) }),
      spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`
    }
  })

export const tabProperties = (tab: Tab, index: number) => ({
  sheetId: tab.sheetId,
  title: tab.title,
  index,
  sheetType: tab.type,
  ...(tab.type === "OBJECT"
    ? {}
    : { gridProperties: { rowCount: tab.rowCount, columnCount: tab.columnCount, ...tab.grid } }),
  ...(tab.hidden ? { hidden: true } : {}),
  ...tab.look
})

export const namedRange = ({ area, name, namedRangeId, sheetId }: NamedRange) => ({
  namedRangeId,
  name,
  range: gridRange(sheetId, area)
})

/** The first tab's id, 0, is left out. */
const gridRange = (sheetId: number, { bottom, left, right, top }: Area) => ({
  ...(sheetId === 0 ? {} : { sheetId }),
  startRowIndex: top,
  endRowIndex: bottom,
  startColumnIndex: left,
  endColumnIndex: right
})

/** An answer cut down to what the parameter `fields` asks for. */
export const partial = (
  body: object,
  fields: string | undefined,
  message: Parameters<typeof checkMask>[1]
): Result.Result<unknown, GoogleError> =>
  fields === undefined || fields === ""
    ? Result.succeed(body)
    : Result.gen(function*() {
      const mask = yield* parseMask(fields)
      yield* checkMask(mask, message)
      return masked(mask, body)
    })
