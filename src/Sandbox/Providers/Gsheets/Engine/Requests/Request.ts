import { Result } from "effect"
import type {
  DimensionRange,
  GridRange,
  Request as RequestMessage
} from "../../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { type Area, gridArea, intersection } from "../Area.ts"
import { exceedsGrid, invalidArgument, refuse } from "../Errors.ts"
import { areaText } from "../Ranges.ts"
import type { Spreadsheet, Tab } from "../Spreadsheet.ts"

export type Request = typeof RequestMessage.Type
export type Kind = keyof Request
export type Payload<K extends Kind> = NonNullable<Request[K]>

export interface Applied {
  readonly spreadsheet: Spreadsheet
  readonly reply?: object
}

export type RequestHandler<K extends Kind> = (
  spreadsheet: Spreadsheet,
  payload: Payload<K>
) => Result.Result<Applied, GoogleError>

export type RequestHandlers<K extends Kind> = { readonly [Each in K]: RequestHandler<Each> }

export const applied = (spreadsheet: Spreadsheet, reply?: object): Applied => ({
  spreadsheet,
  ...(reply === undefined ? {} : { reply })
})

export const tabById = (
  { tabs }: Spreadsheet,
  sheetId = 0,
  word: "sheet" | "grid" = "sheet"
): Result.Result<Tab, GoogleError> =>
  Result.fromNullishOr(
    tabs.find((tab) => tab.sheetId === sheetId),
    () => invalidArgument(`No ${word} with id: ${sheetId}`)
  )

export interface TabArea {
  readonly tab: Tab
  readonly area: Area
}

export const resolveGridRange = (
  spreadsheet: Spreadsheet,
  range: typeof GridRange.Type = {}
): Result.Result<TabArea, GoogleError> =>
  Result.flatMap(tabById(spreadsheet, range.sheetId, "grid"), (tab) => {
    const { startColumnIndex: left = 0, startRowIndex: top = 0 } = range
    const { endColumnIndex: right = tab.columnCount, endRowIndex: bottom = tab.rowCount } = range
    if (Math.min(left, top, right, bottom) < 0) return refuse("GridRange indexes must be >= 0")
    if (bottom < top) return refuse(`endRowIndex[${bottom}] cannot be before startRowIndex[${top}]`)
    if (right < left) return refuse(`endColumnIndex[${right}] cannot be before startColumnIndex[${left}]`)
    const area = { top, left, bottom, right }
    return top >= tab.rowCount || left >= tab.columnCount
      ? Result.fail(exceedsGrid(areaText(tab, area), tab))
      : Result.succeed({ tab, area: intersection(area, gridArea(tab)) })
  })

export interface DimensionSpan {
  readonly tab: Tab
  readonly dimension: "ROWS" | "COLUMNS"
  readonly start: number
  readonly end: number
  readonly size: number
}

export const resolveDimensionRange = (
  spreadsheet: Spreadsheet,
  range: typeof DimensionRange.Type = {}
): Result.Result<DimensionSpan, GoogleError> =>
  Result.flatMap(tabById(spreadsheet, range.sheetId, "grid"), (tab) => {
    const { dimension } = range
    if (dimension === undefined || dimension === "DIMENSION_UNSPECIFIED") return refuse("No dimension specified")
    const size = dimension === "ROWS" ? tab.rowCount : tab.columnCount
    const { endIndex: end = size, startIndex: start = 0 } = range
    if (start < 0 || end < 0) return refuse("DimensionRange indexes must be >= 0")
    return end <= start
      ? refuse(`endIndex[${end}] must be after startIndex[${start}]`)
      : Result.succeed({ tab, dimension, start, end, size })
  })
