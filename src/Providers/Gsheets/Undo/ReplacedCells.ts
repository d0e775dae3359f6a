import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import type { Values } from "../../Writing.ts"
import { type Area, blankCell, type CellReader, type GridCell, shownCell } from "./Grids.ts"
import type { ReplacedCells } from "./WrittenSteps.ts"

export interface WrittenArea {
  readonly area: Area
  readonly values: Values | undefined
  readonly parsed: boolean
}

interface Run {
  readonly row: number
  readonly column: number
  readonly before: ReadonlyArray<GridCell>
  readonly after: ReadonlyArray<GridCell>
}

interface Read {
  readonly before: CellReader | undefined
  readonly after: CellReader | undefined
  /** The areas that the same request writes after this one. */
  readonly later: ReadonlyArray<WrittenArea>
}

/** The cells that a write has set, as rectangles. Cells that it left unchanged are not kept. */
export const replacedCells = (
  file: string,
  written: WrittenArea,
  { after = () => blankCell, before = () => blankCell, later }: Read
): ReadonlyArray<ReplacedCells> => {
  const { area: { tab } } = written
  const blocks: Array<{ readonly first: Run; readonly runs: Array<Run> }> = []
  for (const run of runsOf(written, before, after, later)) {
    const last = blocks.at(-1)
    const isBelow = last !== undefined && last.first.column === run.column &&
      last.first.before.length === run.before.length && last.first.row + last.runs.length === run.row
    if (isBelow) last.runs.push(run)
    else blocks.push({ first: run, runs: [run] })
  }
  return blocks.map(({ first, runs }) => ({
    kind: "cells",
    file,
    sheetId: tab.id,
    title: tab.title,
    row: first.row,
    column: first.column,
    formats: runs.some((run) => run.before.some((cell, index) => formatOf(cell) !== formatOf(run.after[index]))),
    before: runs.map((run) => run.before),
    after: runs.map((run) => run.after)
  }))
}

const formatOf = (cell: GridCell | undefined): string => canonicalJson(cell?.userEnteredFormat?.numberFormat)

const runsOf = (
  written: WrittenArea,
  before: CellReader,
  after: CellReader,
  later: ReadonlyArray<WrittenArea>
): ReadonlyArray<Run> => {
  const { area: { bottom, left, right, top }, values } = written
  const runs: Array<Run> = []
  for (let row = top; row < bottom; row++) {
    let start = left
    while (start < right) {
      if (isUnchanged(values, row - top, start - left)) {
        start++
        continue
      }
      let end = start
      while (end < right && !isUnchanged(values, row - top, end - left)) end++
      const columns = Array.from({ length: end - start }, (_, index) => start + index)
      runs.push({
        row,
        column: start,
        before: columns.map((column) => before(row, column)),
        after: columns.map((column) =>
          later.some((each) => sets(each, row, column))
            ? after(row, column)
            : leftBy(written, row - top, column - left, { before: before(row, column), read: after(row, column) })
        )
      })
      start = end
    }
  }
  return runs
}

const sets = ({ area: { bottom, left, right, top }, values }: WrittenArea, row: number, column: number): boolean =>
  row >= top && row < bottom && column >= left && column < right && !isUnchanged(values, row - top, column - left)

const isUnchanged = (values: Values | undefined, row: number, column: number): boolean =>
  values !== undefined && (values[row]?.[column] ?? null) === null

/**
 * What the write left in a cell. If that is certain and the cell already holds something else, another edit came before
 * the cell was read.
 */
const leftBy = (
  { parsed, values }: WrittenArea,
  row: number,
  column: number,
  { before, read }: { readonly before: GridCell; readonly read: GridCell }
): GridCell => {
  const value = values?.[row]?.[column] ?? ""
  if (parsed && typeof value === "string" && value !== "") return read
  return String(shownCell(read) ?? "") === String(value) ? read : { ...before, ...entered(value) }
}

const entered = (value: string | number | boolean): GridCell => {
  if (typeof value === "number") return { userEnteredValue: { numberValue: value } }
  if (typeof value === "boolean") return { userEnteredValue: { boolValue: value } }
  return { userEnteredValue: { stringValue: value } }
}
