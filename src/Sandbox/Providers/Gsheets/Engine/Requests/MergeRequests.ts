import { Result } from "effect"
import { type Area, contains, overlaps, range } from "../Area.ts"
import { mapArea } from "../Grid.ts"
import { refuse } from "../Refusal.ts"
import { withTab } from "../Spreadsheet.ts"
import { applied, type Changes, placeOf } from "./Request.ts"

export const mergeRequests: Changes<"mergeCells" | "unmergeCells"> = {
  mergeCells: (spreadsheet, { mergeType = "MERGE_ALL", range: gridRange }) =>
    Result.gen(function*() {
      const { area, tab } = yield* placeOf(spreadsheet, gridRange)
      if (tab.merges.some((merge) => overlaps(merge, area) && !contains(area, merge))) {
        return yield* refuse("You must select all cells in a merged range to merge or unmerge them.")
      }
      const made = parts(area, mergeType).filter((part) => part.bottom - part.top > 1 || part.right - part.left > 1)
      const cleared = made.reduce((current, part) =>
        mapArea(current, part, (cell, row, column) => {
          const { userEnteredValue: _, ...kept } = cell ?? {}
          return row === part.top && column === part.left ? cell : kept
        }), tab)
      const merges = [...tab.merges.filter((merge) => !contains(area, merge)), ...made]
      return applied(withTab(spreadsheet, { ...cleared, merges }))
    }),

  unmergeCells: (spreadsheet, { range: gridRange }) =>
    Result.gen(function*() {
      const { area, tab } = yield* placeOf(spreadsheet, gridRange)
      if (tab.merges.some((merge) => overlaps(merge, area) && !contains(area, merge))) {
        return yield* refuse("You must select all cells in a merged range to merge or unmerge them.")
      }
      return applied(withTab(spreadsheet, { ...tab, merges: tab.merges.filter((merge) => !contains(area, merge)) }))
    })
}

const parts = (area: Area, type: "MERGE_ALL" | "MERGE_COLUMNS" | "MERGE_ROWS"): ReadonlyArray<Area> =>
  type === "MERGE_ALL"
    ? [area]
    : type === "MERGE_ROWS"
    ? range(area.top, area.bottom).map((row) => ({ ...area, top: row, bottom: row + 1 }))
    : range(area.left, area.right).map((column) => ({ ...area, left: column, right: column + 1 }))
