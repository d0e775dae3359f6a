import { Result } from "effect"
import type { Rectangle } from "../A1.ts"
import { type Checked, refusal } from "../Issues.ts"
import { clipToGrid, describeGrid, resolveRange, type TabRange } from "../TabRange.ts"
import { chooseTab, type Tab, type TabInput } from "../Tabs.ts"

export interface ReadArea {
  readonly tab: Tab
  readonly cells: Rectangle
  readonly isWholeTab: boolean
  readonly headerRow: number | undefined
  readonly firstRow: number
}

interface AreaInput extends TabInput {
  readonly range?: string
  /** Counted from 1, or 0 without a header. */
  readonly header_row: number
}

export const readArea = (tabs: ReadonlyArray<Tab>, { header_row, range, ...input }: AreaInput): Checked<ReadArea> =>
  range === undefined
    ? Result.flatMap(chooseTab(tabs, input), (tab) => tabArea(tab, header_row))
    : Result.flatMap(resolveRange(tabs, { ...input, range }), (target) => rangeArea(target, header_row))

const rangeArea = (target: TabRange, header: number): Checked<ReadArea> => {
  const cells = clipToGrid(target)
  const headerRow = header === 0 ? undefined : cells.top
  return header > 1 && header !== cells.top + 1
    ? refusal(
      ["header_row"],
      `With \`range\` the header is the first row of the range, ${cells.top + 1}; pass 0 for none.`
    )
    : Result.succeed({
      tab: target.tab,
      cells,
      isWholeTab: false,
      headerRow,
      firstRow: headerRow === undefined ? cells.top : headerRow + 1
    })
}

const tabArea = (tab: Tab, header: number): Checked<ReadArea> => {
  const { columns, rows } = tab.size
  return header > rows
    ? refusal(["header_row"], `There is no such row: ${describeGrid(tab)}.`)
    : Result.succeed({
      tab,
      cells: { top: Math.max(0, header - 1), left: 0, bottom: rows, right: columns },
      isWholeTab: true,
      headerRow: header === 0 ? undefined : header - 1,
      firstRow: header
    })
}
