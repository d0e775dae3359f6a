import { Effect } from "effect"
import type { ProviderError } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { on, quotedTab, rectangleName } from "./A1.ts"
import type { Lines } from "./Answers.ts"
import type { ReadArea } from "./ReadArea.ts"
import { mostCells, readLines, readSeveral, type Rendering } from "./Reading.ts"
import { countRows, isFilled, widthOf } from "./RowPage.ts"

/** What was read of an area. */
export interface TabRows {
  readonly header: Lines[number]
  /** From the offset on. */
  readonly lines: Lines
  readonly width: number
  /** How many rows there are in all, where everything was read. */
  readonly total?: number
  /** The offset of the next row behind these lines, if there is one. */
  readonly next: number | undefined
}

interface Page {
  readonly rendering: Rendering
  readonly limit: number
  readonly offset: number
  readonly includeBlank: boolean
}

/** All of an area where it is small enough, else the part that a page needs. */
export const readRows = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea,
  page: Page
): Effect.Effect<TabRows, ProviderError> => {
  const { bottom, left, right, top } = area.cells
  return (bottom - top) * (right - left) <= mostCells
    ? readAll(provider, spreadsheetId, area, page)
    : readWindow(provider, spreadsheetId, area, page)
}

const readAll = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, page: Page) {
    const { includeBlank, offset, rendering } = page
    const { title } = area.tab
    const whole = area.isWholeTab && area.cells.top === 0
    const range = whole ? quotedTab(title) : on(title, rectangleName(area.cells))
    const [lines, [plain]] = yield* Effect.all([
      readLines(provider, spreadsheetId, range, rendering),
      rendering === "UNFORMATTED_VALUE" ? Effect.succeed([]) : readHeader(provider, spreadsheetId, area)
    ], { concurrency: 2 })
    const header = area.headerRow === undefined ? [] : plain ?? lines[0] ?? []
    const below = lines.slice(area.firstRow - area.cells.top)
    return {
      header,
      lines: below.slice(offset),
      width: widthOf([header, ...below]),
      total: countRows(below, includeBlank),
      next: undefined
    }
  }
)

/** Keys do not depend on how values are shown, so the header is always read in the same way. */
const readHeader = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea
): Effect.Effect<Lines, ProviderError> =>
  area.headerRow === undefined
    ? Effect.succeed([])
    : readLines(provider, spreadsheetId, headerRange(area, area.headerRow))

const headerRange = ({ cells, tab }: ReadArea, row: number): string =>
  on(tab.title, rectangleName({ ...cells, top: row, bottom: row + 1 }))

/** One row more than wanted shows whether there are more. */
const readWindow = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, page: Page) {
    const { limit, offset, rendering } = page
    const { cells, headerRow, tab } = area
    const start = area.firstRow + offset
    const end = Math.min(cells.bottom, start + limit + 1, start + Math.floor(mostCells / (cells.right - cells.left)))
    const window = start < end ? [on(tab.title, rectangleName({ ...cells, top: start, bottom: end }))] : []
    const [[header = []], [lines = []]] = rendering === "UNFORMATTED_VALUE" && headerRow !== undefined
      ? yield* readTogether(provider, spreadsheetId, headerRange(area, headerRow), window)
      : yield* Effect.all([
        readHeader(provider, spreadsheetId, area),
        Effect.forEach(window, (range) => readLines(provider, spreadsheetId, range, rendering))
      ], { concurrency: 2 })
    const mayEnd = lines.filter(isFilled).length <= limit
    const row = mayEnd ? yield* nextFilled(provider, spreadsheetId, area, Math.max(start, end)) : undefined
    const rows = row === undefined ? lines : Array.from({ length: end - start }, (_, index) => lines[index] ?? [])
    return {
      header,
      lines: rows,
      width: widthOf([header, ...lines]),
      next: row === undefined ? undefined : row - area.firstRow
    }
  }
)

const readTogether = (
  provider: ProviderCalls,
  spreadsheetId: string,
  header: string,
  window: ReadonlyArray<string>
): Effect.Effect<readonly [header: Lines, window: ReadonlyArray<Lines>], ProviderError> =>
  Effect.map(readSeveral(provider, spreadsheetId, [header, ...window]), ([first = [], ...others]) => [first, others])

/** Of cells, beyond a page; a spreadsheet has twenty at most. */
const mostPortions = 4

/**
 * The next row with a value, from a row on. It looks at a few portions only; behind these, if there is more of the grid,
 * the answer is the row where they end, so that nobody takes a very long gap for the end.
 */
const nextFilled = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea,
  start: number,
  portions = mostPortions
): Effect.Effect<number | undefined, ProviderError> => {
  const { cells, tab } = area
  if (start >= cells.bottom) return Effect.undefined
  if (portions === 0) return Effect.succeed(start)
  const end = Math.min(cells.bottom, start + Math.floor(mostCells / (cells.right - cells.left)))
  return Effect.flatMap(
    readLines(provider, spreadsheetId, on(tab.title, rectangleName({ ...cells, top: start, bottom: end }))),
    (lines) => {
      const first = lines.findIndex(isFilled)
      return first === -1
        ? nextFilled(provider, spreadsheetId, area, end, portions - 1)
        : Effect.succeed(start + first)
    }
  )
}
