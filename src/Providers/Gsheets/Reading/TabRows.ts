import { Effect } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import { append } from "../../../Domain/Lists.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { quotedTab, rangeOnTab, rectangleName } from "../A1.ts"
import { type CellRow, type CellRows, countRows, hasValue, widthOf } from "../CellValues.ts"
import type { ReadArea } from "./ReadArea.ts"
import { maxCellsPerRead, readRanges, readValues, type Rendering } from "./ReadValues.ts"
import { allRows, maxBytes, type PageInput } from "./RowPage.ts"

export interface TabRows {
  readonly header: CellRow
  readonly values: CellRows
  readonly width: number
  readonly total?: number
  readonly nextOffset: number | undefined
}

interface Page extends PageInput {
  readonly rendering: Rendering
}

export const readRows = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea,
  page: Page
): Effect.Effect<TabRows, ToolCallError> => {
  const { bottom, left, right, top } = area.cells
  return (bottom - top) * (right - left) <= maxCellsPerRead
    ? readAll(provider, spreadsheetId, area, page)
    : page.limit === allRows
    ? readPortions(provider, spreadsheetId, area, page)
    : readWindow(provider, spreadsheetId, area, page)
}

const readAll = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, page: Page) {
    const { include_blank_rows, offset, rendering } = page
    const { title } = area.tab
    const whole = area.isWholeTab && area.cells.top === 0
    const range = whole ? quotedTab(title) : rangeOnTab(title, rectangleName(area.cells))
    const [values, [plain]] = yield* Effect.all([
      readValues(provider, spreadsheetId, range, rendering),
      rendering === "UNFORMATTED_VALUE" ? Effect.succeed([]) : readHeader(provider, spreadsheetId, area)
    ], { concurrency: 2 })
    const header = area.headerRow === undefined ? [] : plain ?? values[0] ?? []
    const below = values.slice(area.firstRow - area.cells.top)
    return {
      header,
      values: below.slice(offset),
      width: widthOf([header, ...below]),
      total: countRows(below, include_blank_rows),
      nextOffset: undefined
    }
  }
)

/** Unformatted, so that column keys do not depend on the rendering. */
const readHeader = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea
): Effect.Effect<CellRows, ToolCallError> =>
  area.headerRow === undefined
    ? Effect.succeed([])
    : readValues(provider, spreadsheetId, rowsRange(area, area.headerRow, area.headerRow + 1))

const rowsRange = ({ cells, tab }: ReadArea, top: number, bottom: number): string =>
  rangeOnTab(tab.title, rectangleName({ ...cells, top, bottom }))

const readWindow = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, page: Page) {
    const { limit, offset, rendering } = page
    const { cells, headerRow } = area
    const start = area.firstRow + offset
    const end = Math.min(cells.bottom, start + limit + 1, start + portionRows(area))
    const window = start < end ? [rowsRange(area, start, end)] : []
    const [[header = []] = [], values = []] = rendering === "UNFORMATTED_VALUE" && headerRow !== undefined
      ? yield* readRanges(provider, spreadsheetId, [rowsRange(area, headerRow, headerRow + 1), ...window])
      : yield* Effect.all([
        readHeader(provider, spreadsheetId, area),
        ...window.map((range) => readValues(provider, spreadsheetId, range, rendering))
      ], { concurrency: 2 })
    const mayEnd = values.filter(hasValue).length <= limit
    const row = mayEnd ? yield* nextRowWithValue(provider, spreadsheetId, area, Math.max(start, end)) : undefined
    const rows = row === undefined ? values : Array.from({ length: end - start }, (_, index) => values[index] ?? [])
    return {
      header,
      values: rows,
      width: widthOf([header, ...values]),
      nextOffset: row === undefined ? undefined : row - area.firstRow
    }
  }
)

/** All rows, portion by portion, as far as they fit in a response. */
const readPortions = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, { offset, rendering }: Page) {
    const { cells, firstRow } = area
    const [header = []] = yield* readHeader(provider, spreadsheetId, area)
    const start = firstRow + offset
    const height = portionRows(area)
    const values: Array<CellRow> = []
    let bytes = 0
    let top = start
    for (; top < cells.bottom && bytes <= maxBytes; top += height) {
      const range = rowsRange(area, top, Math.min(cells.bottom, top + height))
      const found = yield* readValues(provider, spreadsheetId, range, rendering)
      // Google leaves out blank rows at the end.
      while (found.length > 0 && values.length < top - start) values.push([])
      append(values, found)
      bytes += JSON.stringify(found).length
    }
    return {
      header,
      values,
      width: widthOf([header, ...values]),
      nextOffset: top < cells.bottom ? top - firstRow : undefined
    }
  }
)

const portionRows = ({ cells }: ReadArea): number => Math.floor(maxCellsPerRead / (cells.right - cells.left))

/** Bounds the search after a page: each portion has up to 500,000 cells. */
const maxPortions = 4

const nextRowWithValue = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, start: number) {
    const { bottom } = area.cells
    let top = start
    for (let portion = 0; portion < maxPortions && top < bottom; portion++) {
      const end = Math.min(bottom, top + portionRows(area))
      const values = yield* readValues(provider, spreadsheetId, rowsRange(area, top, end))
      const first = values.findIndex(hasValue)
      if (first !== -1) return top + first
      top = end
    }
    return top < bottom ? top : undefined
  }
)
