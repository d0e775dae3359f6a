import { Option, Schema } from "effect"
import type { Change } from "../../../Domain/Calls/Change.ts"
import type { Answers, Jobs, JobTypes } from "../../Tooling/Jobs.ts"
import { rangeOnTab, type Rectangle, rectangleName } from "../A1.ts"
import type { CellValue } from "../CellValues.ts"
import { ValueRange } from "../Responses.ts"
import type { Tab } from "../Tabs.ts"
import { filledRuns, tableIn } from "./AppendTable.ts"
import { type Area, blankCell, type CellReader, readersOf, shownCell } from "./Grids.ts"
import { replacedCells, type WrittenArea } from "./ReplacedCells.ts"
import { undoSteps } from "./UndoSteps.ts"
import { WrittenStep } from "./WrittenSteps.ts"

/**
 * The parts of a plan that take long for many cells. They take JSON and responses of the provider, and return JSON, or
 * `null` if a response is not the expected one.
 */
const all = {
  changes: ({ written }: { readonly written: ReadonlyArray<WrittenArea> }, [before]: Answers) => {
    const readers = readersOf(written.map(({ area }) => area), before)
    // Areas can overlap: each change begins with what the earlier ones leave.
    const earlier = written.length === 1 ? undefined : new Map<string, CellValue>()
    return readers === undefined ? null : written.flatMap((area, index) => changeOf(area, readers[index], earlier))
  },
  kept: (
    { areas, file, written }: {
      readonly file: string
      readonly written: ReadonlyArray<WrittenArea>
      /** The areas as they are after the write. */
      readonly areas: ReadonlyArray<Area>
    },
    [before, after]: Answers
  ) => {
    const [left, right] = [readersOf(written.map(({ area }) => area), before), readersOf(areas, after)]
    return left === undefined || right === undefined ?
      null :
      written.flatMap((area, index) =>
        replacedCells(file, area, { before: left[index], after: right[index], later: written.slice(index + 1) })
      )
  },
  table: ({ area }: { readonly area: Rectangle }, [values]: Answers) => {
    const read = Option.getOrUndefined(decodeRows(values))
    return read === undefined ? null : { table: tableIn(filledRuns(read.values ?? []), area) }
  },
  steps: ({ kept }: { readonly kept: ReadonlyArray<Schema.Json> }) => Option.getOrNull(decodeSteps(kept)),
  undone: (
    { steps, tabs }: { readonly steps: ReadonlyArray<WrittenStep>; readonly tabs: ReadonlyArray<Tab> },
    [now]: Answers
  ) => undoSteps(steps, tabs, now)
}

export type Plans = JobTypes<typeof all>

export const plans: Jobs<Plans> = all

const decodeSteps = Schema.decodeUnknownOption(Schema.Array(WrittenStep))

const decodeRows = Schema.decodeUnknownOption(ValueRange)

const changeOf = (
  { area, values }: WrittenArea,
  read: CellReader | undefined,
  earlier: Map<string, CellValue> | undefined
): ReadonlyArray<Change> => {
  const { bottom, left, right, tab, top } = area
  if (bottom <= top || right <= left) return []
  const keyOf = (row: number, column: number) => `${tab.id} ${top + row} ${left + column}`
  const rows = Array.from(
    { length: bottom - top },
    (_, row) =>
      Array.from({ length: right - left }, (_, column) => {
        const written = earlier?.get(keyOf(row, column))
        return written === undefined ? shownCell(read?.(top + row, left + column) ?? blankCell) : written
      })
  )
  const last = values === undefined
    ? Math.max(1, rows.findLastIndex((row) => row.some((cell) => cell !== null)) + 1)
    : rows.length
  const before = rows.slice(0, last)
  const after = before.map((row, index) =>
    row.map((cell, column) => {
      if (values === undefined) return null
      const value = values[index]?.[column] ?? null
      return value === null ? cell : value === "" ? null : value
    })
  )
  after.forEach((cells, row) => cells.forEach((cell, column) => earlier?.set(keyOf(row, column), cell)))
  return [{ range: rangeOnTab(tab.title, rectangleName({ top, left, right, bottom: top + last })), before, after }]
}
