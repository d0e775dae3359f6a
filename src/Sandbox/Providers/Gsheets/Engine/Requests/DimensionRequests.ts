import { Result } from "effect"
import { growGrid, shiftDimension } from "../Dimensions.ts"
import { refuse } from "../Errors.ts"
import { replaceTab } from "../Spreadsheet.ts"
import { applied, type DimensionSpan, type RequestHandlers, resolveDimensionRange, tabById } from "./Request.ts"

export const dimensionRequests: RequestHandlers<"insertDimension" | "deleteDimension" | "appendDimension"> = {
  insertDimension: (spreadsheet, { inheritFromBefore = false, range }) =>
    Result.gen(function*() {
      const { dimension, end, size, start, tab } = yield* resolveDimensionRange(spreadsheet, range)
      if (start > size) {
        return yield* refuse(
          `range.startIndex[${start}] cannot be after the last ${singular(dimension)} index[${size}]`
        )
      }
      if (inheritFromBefore && start === 0) {
        return yield* refuse("inheritFromBefore cannot be true if inserting at the first row or column.")
      }
      return applied(yield* shiftDimension(spreadsheet, tab, { dimension, index: start, count: end - start }))
    }),

  deleteDimension: (spreadsheet, { range }) =>
    Result.gen(function*() {
      const span = yield* resolveDimensionRange(spreadsheet, range)
      const { dimension, end, size, start, tab } = span
      if (start >= size || end > size) {
        const name = singular(dimension)
        return yield* refuse(
          `Cannot delete a ${name} that doesn't exist. Tried to delete ${name} index ${end > size ? end - 1 : start} ` +
            `but there are only ${size} ${name}s.`
        )
      }
      if (end - start === size) return yield* refuse(`You can't delete all the ${singular(dimension)}s on the sheet.`)
      const frozen = frozenCount(span)
      if (start <= frozen && end === size) {
        return yield* refuse(`Sorry, it is not possible to delete all non-frozen ${singular(dimension)}s.`)
      }
      const left = frozen - Math.max(0, Math.min(end, frozen) - start)
      const thawed = frozen === left ? tab : { ...tab, grid: { ...tab.grid, ...frozenProperties(dimension, left) } }
      return applied(
        yield* shiftDimension(replaceTab(spreadsheet, thawed), thawed, { dimension, index: start, count: start - end })
      )
    }),

  appendDimension: (spreadsheet, { dimension, length = 0, sheetId }) =>
    Result.gen(function*() {
      const tab = yield* tabById(spreadsheet, sheetId, "grid")
      if (dimension !== "ROWS" && dimension !== "COLUMNS") return yield* refuse("No dimension specified")
      if (length < 1) return yield* refuse("length must be > 0")
      return applied(yield* growGrid(spreadsheet, tab, dimension === "ROWS" ? { rows: length } : { columns: length }))
    })
}

const singular = (dimension: DimensionSpan["dimension"]) => dimension === "ROWS" ? "row" : "column"

const frozenCount = ({ dimension, tab: { grid } }: DimensionSpan): number =>
  (dimension === "ROWS" ? grid.frozenRowCount : grid.frozenColumnCount) ?? 0

const frozenProperties = (dimension: DimensionSpan["dimension"], count: number) =>
  dimension === "ROWS" ? { frozenRowCount: count } : { frozenColumnCount: count }
