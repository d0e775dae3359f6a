import { Effect, Result, Schema } from "effect"
import type { Issue, ProviderError } from "../../Api/Errors.ts"
import { flag, integer, optionalText, withDefault } from "../Fields.ts"
import { SpreadsheetReference } from "../GoogleIds.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { columnLetters, on, quotedTab, type Rectangle, rectangleName } from "./A1.ts"
import type { Lines } from "./Answers.ts"
import { type Column, headerKeys, letterKeys } from "./HeaderKeys.ts"
import { mistake, mistaken, orInvalidInput } from "./Mistakes.ts"
import { mostCells, readLines, readSeveral, type Rendering } from "./Reading.ts"
import { countRows, isFilled, rowPage, widthOf } from "./RowPage.ts"
import { chooseTab, readMetadata, type Tab, tabField, tabsOf } from "./Tabs.ts"
import { clipped, gridOf, targetOf } from "./Target.ts"

const renderings = {
  unformatted: "UNFORMATTED_VALUE",
  formatted: "FORMATTED_VALUE",
  formula: "FORMULA"
} as const satisfies Record<string, Rendering>

const Input = Schema.Struct({
  spreadsheet: SpreadsheetReference,
  tab: tabField,
  range: optionalText({
    description:
      "Cells in A1 notation, as in `B2:F100` or `C:E`; their first row is the header. By default the whole tab.",
    maxLength: 300
  }),
  header_row: integer({
    description: "The row of the header, counted from 1; 0 for none, then the keys are column letters. With `range` " +
      "only 0 and the first row of the range mean something.",
    minimum: 0,
    maximum: 10_000_000,
    default: 1
  }),
  limit: integer({ description: "At most that many rows.", minimum: 1, maximum: 1000, default: 100 }),
  offset: integer({
    description: "Sheet rows below the header to skip: the `next_offset` of the answer before.",
    minimum: 0,
    maximum: 1_000_000,
    default: 0
  }),
  values: withDefault(
    Schema.Literals(["unformatted", "formatted", "formula"]).annotate({
      description: "`unformatted` has numbers and booleans as such and dates as shown; `formatted` has every cell as " +
        "the text shown, as in \"$1,234.50\"; `formula` has formulas instead of their results."
    }),
    "unformatted"
  ),
  include_blank_rows: flag({
    description: "Includes rows without any value, up to the last row that has one.",
    default: false
  })
})
type Input = typeof Input.Type

export const sheetsRead = tool({
  name: "sheets_read",
  description: [
    "Reads a tab or range as rows of objects keyed by the header row.",
    "Freshness: the spreadsheet as it is now; formulas are calculated.",
    "Window: the rows below the header from `offset` on.",
    "Units: `_row` is the row's number in the sheet, which sheets_update_range takes; an empty cell is null, an error a",
    "text such as #REF!; a text over 2000 characters ends in …(+N).",
    "Keys: a header without its outer blanks; a blank one is col_C, a repeated one Email_2 (`renamed` says which column);",
    "sheets_append_rows takes the same keys. `columns` has them in order.",
    "Sorted as in the sheet.",
    "Truncation: at most `limit` rows and about 60 kB; `has_more` and `next_offset` say whether and where there are more,",
    "`total_rows` how many in all (not on tabs of more than 500,000 cells).",
    "Empty: an empty tab has no columns and no rows; that is not an error.",
    "For the tabs there are use sheets_list_tabs; for several ranges at once the endpoint values.batchGet."
  ].join(" "),
  writes: false,
  input: Input,
  run: Effect.fnUntraced(function*(input, provider) {
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const area = yield* orInvalidInput(areaOf(tabsOf(metadata), input))
    const found = yield* read(provider, spreadsheetId, area, input)
    const columns = columnsOf(area, found)
    const page = rowPage(found.lines, columns, {
      limit: input.limit,
      offset: input.offset,
      includeBlank: input.include_blank_rows,
      firstRow: area.firstRow,
      next: found.next
    })
    return {
      spreadsheetId,
      tab: area.tab.title,
      columns: columns.map(({ key }) => key),
      rows: page.rows,
      returned: page.rows.length,
      has_more: page.next !== undefined,
      ...(page.next === undefined ? {} : { next_offset: page.next }),
      ...(found.total === undefined ? {} : { total_rows: found.total }),
      ...renamedIn(columns)
    }
  })
})

interface ReadArea {
  readonly tab: Tab
  /** The cells in question, the header among them. */
  readonly cells: Rectangle
  readonly isWholeTab: boolean
  /** Zero-based rows of the sheet. */
  readonly headerRow: number | undefined
  readonly firstRow: number
}

const areaOf = (tabs: ReadonlyArray<Tab>, input: Input): Result.Result<ReadArea, ReadonlyArray<Issue>> =>
  input.range === undefined
    ? Result.flatMap(chooseTab(tabs, input.tab, input.spreadsheet.gid), (tab) => wholeTab(tab, input.header_row))
    : Result.flatMap(
      targetOf(tabs, { tab: input.tab, gid: input.spreadsheet.gid, range: input.range }),
      (target) => {
        const cells = clipped(target)
        const { header_row } = input
        if (header_row > 1 && header_row !== cells.top + 1) {
          return mistaken(mistake(
            ["header_row"],
            `With \`range\` the header is the first row of the range, ${cells.top + 1}; pass 0 for none.`
          ))
        }
        const headerRow = header_row === 0 ? undefined : cells.top
        const firstRow = headerRow === undefined ? cells.top : headerRow + 1
        return Result.succeed({ tab: target.tab, cells, isWholeTab: false, headerRow, firstRow })
      }
    )

const wholeTab = (tab: Tab, header: number): Result.Result<ReadArea, ReadonlyArray<Issue>> => {
  const { columns, rows } = tab.size
  return header > rows
    ? mistaken(mistake(["header_row"], `There is no such row: ${gridOf(tab)}.`))
    : Result.succeed({
      tab,
      cells: { top: Math.max(0, header - 1), left: 0, bottom: rows, right: columns },
      isWholeTab: true,
      headerRow: header === 0 ? undefined : header - 1,
      firstRow: header
    })
}

const columnsOf = ({ cells: { left: first }, headerRow }: ReadArea, { header, width }: Found): ReadonlyArray<Column> =>
  headerRow === undefined ? letterKeys({ first, width }) : headerKeys(header, { first, width })

const renamedIn = (columns: ReadonlyArray<Column>) => {
  const renamed = columns.filter((column) => column.renamed)
  return renamed.length === 0
    ? {}
    : { renamed: Object.fromEntries(renamed.map(({ index, key }) => [key, columnLetters(index)])) }
}

interface Found {
  readonly header: Lines[number]
  /** From the offset on. */
  readonly lines: Lines
  readonly width: number
  /** How many rows there are in all, where everything was read. */
  readonly total?: number
  /** The offset of the next row behind these lines, if there is one. */
  readonly next: number | undefined
}

const read = (
  provider: ProviderCalls,
  spreadsheetId: string,
  area: ReadArea,
  input: Input
): Effect.Effect<Found, ProviderError> => {
  const { bottom, left, right, top } = area.cells
  return (bottom - top) * (right - left) <= mostCells
    ? readAll(provider, spreadsheetId, area, input)
    : readWindow(provider, spreadsheetId, area, input)
}

const readAll = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, input: Input) {
    const rendering = renderings[input.values]
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
      lines: below.slice(input.offset),
      width: widthOf([header, ...below]),
      total: countRows(below, input.include_blank_rows),
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
  function*(provider: ProviderCalls, spreadsheetId: string, area: ReadArea, input: Input) {
    const rendering = renderings[input.values]
    const { cells, headerRow, tab } = area
    const start = area.firstRow + input.offset
    const end = Math.min(cells.bottom, start + input.limit + 1)
    const window = start < end ? [on(tab.title, rectangleName({ ...cells, top: start, bottom: end }))] : []
    const [[header = []], [lines = []]] = rendering === "UNFORMATTED_VALUE" && headerRow !== undefined
      ? yield* readTogether(provider, spreadsheetId, headerRange(area, headerRow), window)
      : yield* Effect.all([
        readHeader(provider, spreadsheetId, area),
        Effect.forEach(window, (range) => readLines(provider, spreadsheetId, range, rendering))
      ], { concurrency: 2 })
    const mayEnd = lines.filter(isFilled).length <= input.limit
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
