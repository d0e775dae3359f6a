import { Option, Schema } from "effect"
import type { Change } from "../../../Domain/Calls/Change.ts"
import { rangeOnTab, type Rectangle, rectangleName } from "../A1.ts"
import { ValueRange } from "../Responses.ts"
import type { Tab } from "../Tabs.ts"
import { filledRuns, tableIn } from "./AppendTable.ts"
import { type Area, type CellReader, type GridCell, readersOf, shownCell } from "./Grids.ts"
import { replacedCells, type WrittenArea } from "./ReplacedCells.ts"
import { type StepUndo, undoSteps } from "./UndoSteps.ts"
import { type ReplacedCells, WrittenStep } from "./WrittenSteps.ts"

/** The parts of a plan that take long for many cells. They take and return JSON, beside answers of the provider. */
export interface Plans {
  readonly changes: {
    readonly input: { readonly written: ReadonlyArray<WrittenArea> }
    readonly output: ReadonlyArray<Change>
  }
  readonly kept: {
    readonly input: {
      readonly file: string
      readonly written: ReadonlyArray<WrittenArea>
      /** Where the areas are after the write. */
      readonly areas: ReadonlyArray<Area>
    }
    readonly output: ReadonlyArray<ReplacedCells>
  }
  readonly table: {
    readonly input: { readonly area: Rectangle }
    readonly output: { readonly table?: Rectangle | "unknown" }
  }
  readonly steps: {
    readonly input: { readonly kept: ReadonlyArray<Schema.Json> }
    readonly output: ReadonlyArray<WrittenStep>
  }
  readonly undone: {
    readonly input: { readonly steps: ReadonlyArray<WrittenStep>; readonly tabs: ReadonlyArray<Tab> }
    readonly output: ReadonlyArray<StepUndo>
  }
}

/** `null` where an answer is not what it should be. */
export const plans: {
  readonly [Name in keyof Plans]: (
    input: Plans[Name]["input"],
    answers: ReadonlyArray<unknown>
  ) => Plans[Name]["output"] | null
} = {
  changes: ({ written }, [before]) => {
    const readers = readersOf(written.map(({ area }) => area), before)
    return readers === undefined ? null : written.flatMap((area, index) => changeOf(area, readers[index]))
  },
  kept: ({ areas, file, written }, [before, after]) => {
    const [left, right] = [readersOf(written.map(({ area }) => area), before), readersOf(areas, after)]
    return left === undefined || right === undefined ?
      null :
      written.flatMap((area, index) =>
        replacedCells(file, area, { before: left[index], after: right[index], later: written.slice(index + 1) })
      )
  },
  table: ({ area }, [values]) => {
    const read = Option.getOrUndefined(decodeRows(values))
    if (read === undefined) return null
    const table = tableIn(filledRuns(read.values ?? []), area)
    return table === undefined ? {} : { table }
  },
  steps: ({ kept }) => Option.getOrNull(decodeSteps(kept)),
  undone: ({ steps, tabs }, [now]) => undoSteps(steps, tabs, now)
}

const decodeSteps = Schema.decodeUnknownOption(Schema.Array(WrittenStep))

const decodeRows = Schema.decodeUnknownOption(ValueRange)

const blankCell: GridCell = {}

const changeOf = ({ area, values }: WrittenArea, read: CellReader | undefined): ReadonlyArray<Change> => {
  const { bottom, left, right, tab, top } = area
  if (bottom <= top || right <= left) return []
  const rows = Array.from(
    { length: bottom - top },
    (_, row) =>
      Array.from({ length: right - left }, (_, column) => shownCell(read?.(top + row, left + column) ?? blankCell))
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
  return [{ range: rangeOnTab(tab.title, rectangleName({ top, left, right, bottom: top + last })), before, after }]
}
