import { Result } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import { type Cells, columnLetters, on, parseCells, type Rectangle, splitTab } from "./A1.ts"
import { mistake, mistaken } from "./Mistakes.ts"
import { chooseTab, namedTab, type Tab } from "./Tabs.ts"

export interface Target {
  readonly tab: Tab
  readonly cells: Cells
}

export interface Named {
  readonly tab: string | number | undefined
  readonly gid: number | undefined
  readonly range: string
}

/** The tab and the cells that a range means; the tab can be part of the range, then it must not be another one. */
export const targetOf = (
  tabs: ReadonlyArray<Tab>,
  { gid, range, tab }: Named
): Result.Result<Target, ReadonlyArray<Issue>> =>
  Result.gen(function*() {
    const split = splitTab(range.trim())
    const cells = parseCells(split.cells)
    if (cells === undefined) {
      return yield* mistaken(
        mistake(["range"], `Expected cells in A1 notation, as in B2, B2:C10, B:D or 2:5, got ${JSON.stringify(range)}.`)
      )
    }
    if (split.tab === undefined) return yield* onGrid({ tab: yield* chooseTab(tabs, tab, gid), cells })
    const inRange = yield* namedTab(tabs, split.tab, ["range"])
    const chosen = yield* chooseTab(tabs, tab ?? inRange.id, undefined)
    return chosen.id === inRange.id
      ? yield* onGrid({ tab: chosen, cells })
      : yield* mistaken(mistake(
        ["range"],
        `The range is on the tab ${JSON.stringify(inRange.title)}, but \`tab\` is ${JSON.stringify(chosen.title)}.`
      ))
  })

const onGrid = (target: Target): Result.Result<Target, ReadonlyArray<Issue>> => {
  const { cells, tab } = target
  return cells.top < tab.size.rows && cells.left < tab.size.columns
    ? Result.succeed(target)
    : mistaken(mistake(["range"], `The range starts beyond the grid: ${gridOf(tab)}.`))
}

export const gridOf = ({ size: { columns, rows }, title }: Tab): string =>
  `the tab ${JSON.stringify(title)} has ${rows} rows and ${columns} columns`

/** The cells of it that there are. */
export const clipped = ({ cells, tab: { size } }: Target): Rectangle => ({
  top: cells.top,
  left: cells.left,
  bottom: Math.min(cells.bottom ?? size.rows, size.rows),
  right: Math.min(cells.right ?? size.columns, size.columns)
})

/** All columns of the tab, from a zero-based row down to its end. */
export const wholeRows = ({ size: { columns }, title }: Tab, from: number): string =>
  on(title, `A${from + 1}:${columnLetters(Math.max(0, columns - 1))}`)
