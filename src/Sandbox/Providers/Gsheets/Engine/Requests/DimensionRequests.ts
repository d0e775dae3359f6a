import { Result } from "effect"
import { trimmed } from "../Grid.ts"
import { refuse } from "../Refusal.ts"
import { type Spreadsheet, withTab } from "../Spreadsheet.ts"
import { grown, shifted } from "../Structure.ts"
import { applied, type Changes, type Span, spanOf, tabById } from "./Request.ts"

export const dimensionRequests: Changes<
  | "insertDimension"
  | "deleteDimension"
  | "appendDimension"
  | "moveDimension"
  | "autoResizeDimensions"
> = {
  insertDimension: (spreadsheet, { inheritFromBefore = false, range }) =>
    Result.gen(function*() {
      const { dimension, end, size, start, tab } = yield* spanOf(spreadsheet, range)
      if (start > size) {
        return yield* refuse(`range.startIndex[${start}] cannot be after the last ${word(dimension)} index[${size}]`)
      }
      if (inheritFromBefore && start === 0) {
        return yield* refuse("inheritFromBefore cannot be true if inserting at the first row or column.")
      }
      return applied(yield* shifted(spreadsheet, tab, { dimension, index: start, count: end - start }))
    }),

  deleteDimension: (spreadsheet, { range }) =>
    Result.gen(function*() {
      const span = yield* spanOf(spreadsheet, range)
      const { dimension, end, size, start, tab } = span
      if (start >= size || end > size) {
        const name = word(dimension)
        return yield* refuse(
          `Cannot delete a ${name} that doesn't exist. Tried to delete ${name} index ${end > size ? end - 1 : start} ` +
            `but there are only ${size} ${name}s.`
        )
      }
      if (end - start === size) return yield* refuse(`You can't delete all the ${word(dimension)}s on the sheet.`)
      const frozen = frozenOf(span)
      if (start <= frozen && end === size) {
        return yield* refuse(`Sorry, it is not possible to delete all non-frozen ${word(dimension)}s.`)
      }
      const left = frozen - Math.max(0, Math.min(end, frozen) - start)
      const thawed = frozen === left ? tab : { ...tab, grid: { ...tab.grid, ...frozenAs(dimension, left) } }
      return applied(
        yield* shifted(withTab(spreadsheet, thawed), thawed, { dimension, index: start, count: start - end })
      )
    }),

  appendDimension: (spreadsheet, { dimension, length = 0, sheetId }) =>
    Result.gen(function*() {
      const tab = yield* tabById(spreadsheet, sheetId, "grid")
      if (dimension !== "ROWS" && dimension !== "COLUMNS") return yield* refuse("No dimension specified")
      if (length < 1) return yield* refuse("length must be > 0")
      return applied(yield* grown(spreadsheet, tab, dimension === "ROWS" ? { rows: length } : { columns: length }))
    }),

  moveDimension: (spreadsheet, { destinationIndex = 0, source }) =>
    Result.gen(function*() {
      const span = yield* spanOf(spreadsheet, source)
      if (span.end > span.size || destinationIndex > span.size) return yield* refuse("Cannot move beyond the grid.")
      return destinationIndex >= span.start && destinationIndex <= span.end
        ? yield* refuse("Cannot move a dimension into itself.")
        : applied(moved(spreadsheet, span, destinationIndex))
    }),

  /** Widths have no part in the model, so there is nothing to change. */
  autoResizeDimensions: (spreadsheet, { dimensions }) =>
    Result.map(spanOf(spreadsheet, dimensions), () => applied(spreadsheet))
}

const word = (dimension: Span["dimension"]) => dimension === "ROWS" ? "row" : "column"

const frozenOf = ({ dimension, tab: { grid } }: Span): number =>
  (dimension === "ROWS" ? grid.frozenRowCount : grid.frozenColumnCount) ?? 0

const frozenAs = (dimension: Span["dimension"], count: number) =>
  dimension === "ROWS" ? { frozenRowCount: count } : { frozenColumnCount: count }

/** Formulas keep what they say: the sandbox moves the cells alone. */
const moved = (spreadsheet: Spreadsheet, { dimension, end, start, tab }: Span, destination: number): Spreadsheet => {
  const rows = dimension === "ROWS"
    ? rearranged<(typeof tab.rows)[number]>(tab.rows, start, end, destination, [])
    : tab.rows.map((row) => rearranged<(typeof row)[number]>(row, start, end, destination, null))
  return withTab(spreadsheet, { ...tab, rows: trimmed(rows) })
}

const rearranged = <A>(items: ReadonlyArray<A>, start: number, end: number, destination: number, blank: A) => {
  const full = [
    ...items,
    ...Array.from({ length: Math.max(0, Math.max(end, destination) - items.length) }, () => blank)
  ]
  const taken = full.slice(start, end)
  const left = [...full.slice(0, start), ...full.slice(end)]
  return left.toSpliced(destination > start ? destination - taken.length : destination, 0, ...taken)
}
