import type { Change } from "../../../Domain/Calls/Change.ts"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { rangeOnTab, rectangleName } from "../A1.ts"
import type { CellRows } from "../CellValues.ts"
import type { Request } from "../Generated.ts"
import type { Tab } from "../Tabs.ts"
import { type Area, blankCell, type CellReader, type GridCell, readersOf, restoredFields, shownCell } from "./Grids.ts"
import type { AddedCells, ReplacedCells, WrittenStep } from "./WrittenSteps.ts"

export interface StepUndo {
  readonly changes: ReadonlyArray<Change>
  readonly conflicts: ReadonlyArray<Change>
  readonly requests: ReadonlyArray<typeof Request.Type>
}

/** Undoes the steps, the last one first. `null` if `now`, the response for `areasOf`, is not the expected one. */
export const undoSteps = (
  steps: ReadonlyArray<WrittenStep>,
  tabs: ReadonlyArray<Tab>,
  now: unknown
): ReadonlyArray<StepUndo> | null => {
  const areas = areasOf(steps, tabs)
  const present = areas.filter((area) => area !== undefined)
  const read = readersOf(present, now)
  if (read === undefined) return null
  const readers = new Map(present.map((area, index) => [area, read[index]]))
  return steps.map((step, index) => {
    const area = areas[index]
    return undoStep(step, steps, tabs.find(({ id }) => id === step.sheetId), area && readers.get(area))
  }).toReversed()
}

/** The cells that have to be as the write left them. */
export const areasOf = (steps: ReadonlyArray<WrittenStep>, tabs: ReadonlyArray<Tab>): ReadonlyArray<Area | undefined> =>
  steps.map((step) => areaOf(step, tabs))

const areaOf = (step: WrittenStep, tabs: ReadonlyArray<Tab>): Area | undefined => {
  const tab = tabs.find(({ id }) => id === step.sheetId)
  if (tab === undefined) return undefined
  const { columns, rows } = tab.size
  switch (step.kind) {
    case "cells":
      return { tab, top: step.row, left: step.column, bottom: step.row + step.after.length, right: rightOf(step) }
    case "growth":
      return step.dimension === "ROWS"
        ? { tab, top: step.from, left: 0, bottom: rows, right: columns }
        : { tab, top: 0, left: step.from, bottom: rows, right: columns }
    case "tab_added":
      return { tab, top: 0, left: 0, bottom: rows, right: columns }
    case "tab_renamed":
      return undefined
  }
}

const rightOf = ({ after, column }: ReplacedCells): number => column + (after[0]?.length ?? 0)

const conflict = (range: string, before: CellRows, after: CellRows): StepUndo => ({
  changes: [],
  conflicts: [{ range, before, after }],
  requests: []
})

const sending = (request: typeof Request.Type, changes: ReadonlyArray<Change> = []): StepUndo => ({
  changes,
  conflicts: [],
  requests: [request]
})

const undoStep = (
  step: WrittenStep,
  steps: ReadonlyArray<WrittenStep>,
  tab: Tab | undefined,
  read: CellReader = () => blankCell
): StepUndo => {
  switch (step.kind) {
    case "cells": {
      const range = rangeOnTab(
        tab?.title ?? step.title,
        rectangleName({ top: step.row, left: step.column, bottom: step.row + step.after.length, right: rightOf(step) })
      )
      const isBeyond = tab === undefined || step.row + step.after.length > tab.size.rows ||
        rightOf(step) > tab.size.columns
      return isBeyond ? conflict(range, shown(step.after), []) : undoCells(step, range, read)
    }
    case "growth":
      return tab === undefined
        ? conflict(rangeOnTab(step.title, "A1"), [], [])
        : undoGrowth(step, steps, tab, read)
    case "tab_added": {
      if (tab === undefined) return conflict(rangeOnTab(step.title, "A1"), [], [])
      const found = filledCells(tab, read, { top: 0, left: 0 }, () => false)
      return found.length > 0 || tab.title !== step.title
        ? conflict(rangeOnTab(tab.title, "A1"), [], found)
        : sending({ deleteSheet: { sheetId: step.sheetId } })
    }
    case "tab_renamed": {
      const properties = { sheetId: step.sheetId, title: step.before }
      return tab?.title === step.after
        ? sending({ updateSheetProperties: { properties, fields: "title" } })
        : conflict("title", [[step.after]], tab === undefined ? [] : [[tab.title]])
    }
  }
}

const shown = (rows: ReadonlyArray<ReadonlyArray<GridCell>>) => rows.map((row) => row.map(shownCell))

const undoCells = (step: ReplacedCells, range: string, read: CellReader): StepUndo => {
  const comparable = (cell: GridCell | undefined) => {
    const value = cell?.userEnteredValue?.stringValue === "" ? undefined : cell?.userEnteredValue
    return canonicalJson([
      value,
      (cell?.textFormatRuns ?? []).length === 0 ? [] : cell?.textFormatRuns,
      step.formats ? cell?.userEnteredFormat?.numberFormat : undefined
    ])
  }
  const now = step.after.map((row, down) => row.map((_, right) => read(step.row + down, step.column + right)))
  const isChanged = now.some((row, down) =>
    row.some((cell, right) => comparable(cell) !== comparable(step.after[down]?.[right]))
  )
  if (isChanged) return conflict(range, shown(step.after), shown(now))
  const updateCells = {
    start: { sheetId: step.sheetId, rowIndex: step.row, columnIndex: step.column },
    rows: step.before.map((values) => ({ values })),
    fields: step.formats ? restoredFields : "userEnteredValue,textFormatRuns"
  }
  return sending({ updateCells }, [{ range, before: shown(now), after: shown(step.before) }])
}

const undoGrowth = (step: AddedCells, steps: ReadonlyArray<WrittenStep>, tab: Tab, read: CellReader): StepUndo => {
  const isRows = step.dimension === "ROWS"
  const range = rangeOnTab(tab.title, isRows ? `${step.from + 1}:${step.to}` : "A1")
  const isOwn = (row: number, column: number) =>
    steps.some((each) =>
      each.kind === "cells" && each.sheetId === step.sheetId && row >= each.row && column >= each.column &&
      row < each.row + each.after.length && column < rightOf(each)
    )
  const found = filledCells(tab, read, isRows ? { top: step.from, left: 0 } : { top: 0, left: step.from }, isOwn)
  if (found.length > 0 || (isRows ? tab.size.rows : tab.size.columns) !== step.to) return conflict(range, [], found)
  const { dimension, from: startIndex, sheetId, to: endIndex } = step
  return sending({ deleteDimension: { range: { sheetId, dimension, startIndex, endIndex } } })
}

/** The first row with a cell that is not the write's own. */
const filledCells = (
  { size: { columns, rows } }: Tab,
  read: CellReader,
  { left, top }: { readonly top: number; readonly left: number },
  isOwn: (row: number, column: number) => boolean
) => {
  for (let row = top; row < rows; row++) {
    for (let column = left; column < columns; column++) {
      if (!isOwn(row, column) && shownCell(read(row, column)) !== null) {
        return [[shownCell(read(row, column))]]
      }
    }
  }
  return []
}
