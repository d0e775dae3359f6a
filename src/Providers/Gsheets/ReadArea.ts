import { Result } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import type { Rectangle } from "./A1.ts"
import { mistake, mistaken } from "./Mistakes.ts"
import { chooseTab, type Tab } from "./Tabs.ts"
import { clipped, gridOf, type Target, targetOf } from "./Target.ts"

/** What a read is about. */
export interface ReadArea {
  readonly tab: Tab
  /** The cells in question, the header among them. */
  readonly cells: Rectangle
  readonly isWholeTab: boolean
  /** Zero-based rows of the sheet. */
  readonly headerRow: number | undefined
  readonly firstRow: number
}

interface Asked {
  readonly tab: string | number | undefined
  readonly gid: number | undefined
  readonly range: string | undefined
  /** Counted from 1; 0 is none. */
  readonly header: number
}

export const readArea = (
  tabs: ReadonlyArray<Tab>,
  { gid, header, range, tab }: Asked
): Result.Result<ReadArea, ReadonlyArray<Issue>> =>
  range === undefined
    ? Result.flatMap(chooseTab(tabs, tab, gid), (tab) => wholeTab(tab, header))
    : Result.flatMap(targetOf(tabs, { tab, gid, range }), (target) => partOf(target, header))

/** The header of a part is its first row. */
const partOf = (target: Target, header: number): Result.Result<ReadArea, ReadonlyArray<Issue>> => {
  const cells = clipped(target)
  const headerRow = header === 0 ? undefined : cells.top
  return header > 1 && header !== cells.top + 1
    ? mistaken(mistake(
      ["header_row"],
      `With \`range\` the header is the first row of the range, ${cells.top + 1}; pass 0 for none.`
    ))
    : Result.succeed({
      tab: target.tab,
      cells,
      isWholeTab: false,
      headerRow,
      firstRow: headerRow === undefined ? cells.top : headerRow + 1
    })
}

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
