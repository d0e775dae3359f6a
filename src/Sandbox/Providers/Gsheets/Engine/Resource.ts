import { Result } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import { type FieldMask, parseFieldMask, validateFieldMask } from "../../Google/FieldMask.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, gridArea } from "./Area.ts"
import { computeCells } from "./ComputedCells.ts"
import { defaultTheme } from "./Defaults.ts"
import { gridData } from "./GridData.ts"
import type { Method } from "./Method.ts"
import { booleanParameter, lastValue } from "./QueryParameters.ts"
import { resolveRead } from "./Ranges.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

export const spreadsheetsGet: Method = (spreadsheet, { now, query }) =>
  Result.gen(function*() {
    const includeGridData = yield* booleanParameter(query, "includeGridData")
    const fields = lastValue(query, "fields")
    const mask = fields === undefined ? undefined : yield* parseFieldMask(fields)
    if (mask !== undefined) yield* validateFieldMask(mask, SpreadsheetMessage.ast)
    const includeCells = mask === undefined ? includeGridData : selectsCells(mask)
    const body = yield* spreadsheetResource(spreadsheet, { ranges: query["ranges"] ?? [], includeCells, now })
    return { spreadsheet, body }
  })

const selectsCells = (mask: FieldMask): boolean => {
  const sheets = mask.get("sheets")
  return sheets !== undefined && (sheets.size === 0 || sheets.has("data") || sheets.has("*"))
}

export const spreadsheetResource = (
  spreadsheet: Spreadsheet,
  { now, ranges, includeCells }: {
    readonly ranges: ReadonlyArray<string>
    readonly includeCells: boolean
    readonly now: number
  }
): Result.Result<object, GoogleError> =>
  Result.map(Result.all(ranges.map((range) => resolveRead(spreadsheet, range))), (resolved) => {
    const computed = computeCells(spreadsheet, now)
    const { properties, spreadsheetId, tabs } = spreadsheet
    const sheets = tabs.flatMap((tab, index) => {
      const areas = ranges.length === 0
        ? [gridArea(tab)]
        : resolved.filter((each) => each.tab.sheetId === tab.sheetId).map(({ area }) => area)
      return areas.length === 0 ? [] : [{
        properties: tabProperties(tab, index),
        ...(includeCells && tab.type === "GRID" ? { data: areas.map((area) => gridData(computed, tab, area)) } : {}),
        ...(tab.merges.length === 0 ? {} : { merges: tab.merges.map((area) => gridRange(tab.sheetId, area)) })
      }]
    })
    return {
      spreadsheetId,
      properties: { ...defaultTheme, ...properties },
      sheets,
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

const gridRange = (sheetId: number, { bottom, left, right, top }: Area) => ({
  ...(sheetId === 0 ? {} : { sheetId }),
  startRowIndex: top,
  endRowIndex: bottom,
  startColumnIndex: left,
  endColumnIndex: right
})
