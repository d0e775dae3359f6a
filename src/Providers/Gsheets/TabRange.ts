import { Result } from "effect"
import { type CellRange, columnLetters, parseCells, rangeOnTab, type Rectangle, splitTab } from "./A1.ts"
import { type Checked, refusal } from "./Issues.ts"
import { chooseTab, namedTab, type Tab, type TabInput } from "./Tabs.ts"

export interface TabRange {
  readonly tab: Tab
  readonly cells: CellRange
}

export interface RangeInput extends TabInput {
  readonly range: string
}

export const resolveRange = (tabs: ReadonlyArray<Tab>, { range, spreadsheet, tab }: RangeInput): Checked<TabRange> =>
  Result.gen(function*() {
    const split = splitTab(range.trim())
    const cells = parseCells(split.cells)
    if (cells === undefined) {
      const title = range.trim().replace(/^'(.*)'$/u, "$1")
      if (split.tab === undefined && tabs.some((tab) => tab.title.toLowerCase() === title.toLowerCase())) {
        return yield* refusal(
          ["range"],
          `${JSON.stringify(title)} is a tab: pass it as \`tab\`, and cells as \`range\`.`
        )
      }
      return yield* refusal(
        ["range"],
        `Expected cells in A1 notation, as in B2, B2:C10, B:D or 2:5, got ${JSON.stringify(range)}.`
      )
    }
    if (split.tab === undefined) return yield* onGrid({ tab: yield* chooseTab(tabs, { spreadsheet, tab }), cells })
    const inRange = yield* namedTab(tabs, split.tab, ["range"])
    const chosen = yield* chooseTab(tabs, { spreadsheet: {}, tab: tab ?? inRange.id })
    return chosen.id === inRange.id
      ? yield* onGrid({ tab: chosen, cells })
      : yield* refusal(
        ["range"],
        `The range is on the tab ${JSON.stringify(inRange.title)}, but \`tab\` is ${JSON.stringify(chosen.title)}.`
      )
  })

const onGrid = (target: TabRange): Checked<TabRange> => {
  const { cells, tab } = target
  return cells.top < tab.size.rows && cells.left < tab.size.columns
    ? Result.succeed(target)
    : refusal(["range"], `The range starts beyond the grid: ${describeGrid(tab)}.`)
}

export const describeGrid = ({ size: { columns, rows }, title }: Tab): string =>
  `the tab ${JSON.stringify(title)} has ${rows} rows and ${columns} columns`

export const clipToGrid = ({ cells, tab: { size } }: TabRange): Rectangle => ({
  top: cells.top,
  left: cells.left,
  bottom: Math.min(cells.bottom ?? size.rows, size.rows),
  right: Math.min(cells.right ?? size.columns, size.columns)
})

export const rowsFrom = ({ size: { columns }, title }: Tab, from: number): string =>
  rangeOnTab(title, `A${from + 1}:${columnLetters(Math.max(0, columns - 1))}`)
