import { Effect, Schema } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import type { Change } from "../../../Domain/Calls/Change.ts"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { requestChange } from "../../RequestChange.ts"
import type { UndoPlan } from "../../Writing.ts"
import { rangeOnTab, rectangleName } from "../A1.ts"
import { spreadsheetsBatchUpdate } from "../Endpoints.ts"
import type { Request } from "../Generated.ts"
import { BatchUpdateSpreadsheetResponse } from "../Responses.ts"
import type { Tab } from "../Tabs.ts"
import { type Area, type CellReader, type KeptCell, keptFields, readCells, readTabs, shownCell } from "./GridCells.ts"
import { type KeptCells, type KeptGrowth, KeptStep } from "./KeptSteps.ts"

interface StepUndo {
  readonly changes: ReadonlyArray<Change>
  readonly conflicts: ReadonlyArray<Change>
  readonly requests: ReadonlyArray<typeof Request.Type>
}

const decodeSteps = Schema.decodeUnknownEffect(Schema.Array(KeptStep))

export const undoSheets = Effect.fnUntraced(function*(
  kept: ReadonlyArray<Schema.Json>,
  provider: ProviderCalls
): Effect.fn.Return<UndoPlan, ToolCallError> {
  const steps = yield* Effect.orDie(decodeSteps(kept))
  const file = steps[0]?.file ?? ""
  const tabs = yield* readTabs(provider, file)
  const areas = steps.map((step) => areaOf(step, tabs))
  const present = areas.filter((area) => area !== undefined)
  const read = yield* readCells(provider, file, present)
  const readers = new Map(present.map((area, index) => [area, read[index]]))
  const undone = steps.map((step, index) => {
    const area = areas[index]
    return undoStep(step, steps, tabs.find(({ id }) => id === step.sheetId), area && readers.get(area))
  }).toReversed()
  const requests = undone.flatMap((each) => each.requests)
  const requestsAsChange = (requests: StepUndo["requests"]) =>
    requestChange({ endpoint: spreadsheetsBatchUpdate, input: { path: { spreadsheetId: file }, body: { requests } } })
  return {
    // What changes no cells is shown as its request.
    changes: undone.flatMap(({ changes, requests }) =>
      changes.length > 0 || requests.length === 0 ? changes : [requestsAsChange(requests)]
    ),
    conflicts: undone.flatMap(({ conflicts }) => conflicts),
    run: requests.length === 0 ? Effect.void : Effect.asVoid(
      provider.call(
        spreadsheetsBatchUpdate,
        { path: { spreadsheetId: file }, body: { requests } },
        BatchUpdateSpreadsheetResponse
      )
    )
  }
})

/** The cells that have to be as the write left them. */
const areaOf = (step: KeptStep, tabs: ReadonlyArray<Tab>): Area | undefined => {
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

const rightOf = ({ after, column }: KeptCells): number => column + (after[0]?.length ?? 0)

const gone = (range: string, left: ReadonlyArray<ReadonlyArray<KeptCell>>): StepUndo => ({
  changes: [],
  conflicts: [{ range, before: left.map((row) => row.map(shownCell)), after: [] }],
  requests: []
})

const undoStep = (
  step: KeptStep,
  steps: ReadonlyArray<KeptStep>,
  tab: Tab | undefined,
  read: CellReader = () => ({})
): StepUndo => {
  switch (step.kind) {
    case "cells": {
      const range = rangeOnTab(
        tab?.title ?? step.title,
        rectangleName({ top: step.row, left: step.column, bottom: step.row + step.after.length, right: rightOf(step) })
      )
      const isBeyond = tab === undefined || step.row + step.after.length > tab.size.rows ||
        rightOf(step) > tab.size.columns
      return isBeyond ? gone(range, step.after) : undoCells(step, range, read)
    }
    case "growth": {
      if (tab === undefined) return gone(rangeOnTab(step.title, "A1"), [])
      return undoGrowth(step, steps, tab, read)
    }
    case "tab_added": {
      // An undo that comes twice finds no tab, and has nothing to do.
      if (tab === undefined) return gone(rangeOnTab(step.title, "A1"), [])
      const found = filledCells(tab, read, { top: 0, left: 0 }, () => false)
      return found.length > 0 || tab.title !== step.title
        ? { changes: [], conflicts: [{ range: rangeOnTab(tab.title, "A1"), before: [], after: found }], requests: [] }
        : { changes: [], conflicts: [], requests: [{ deleteSheet: { sheetId: step.sheetId } }] }
    }
    case "tab_renamed":
      return tab?.title === step.after
        ? {
          changes: [],
          conflicts: [],
          requests: [{
            updateSheetProperties: { properties: { sheetId: step.sheetId, title: step.before }, fields: "title" }
          }]
        }
        : {
          changes: [],
          conflicts: [{ range: "title", before: [[step.after]], after: tab === undefined ? [] : [[tab.title]] }],
          requests: []
        }
  }
}

const shown = (rows: ReadonlyArray<ReadonlyArray<KeptCell>>) => rows.map((row) => row.map(shownCell))

const undoCells = (step: KeptCells, range: string, read: CellReader): StepUndo => {
  const comparable = (cell: KeptCell | undefined) => {
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
  if (isChanged) {
    return { changes: [], conflicts: [{ range, before: shown(step.after), after: shown(now) }], requests: [] }
  }
  return {
    changes: [{ range, before: shown(now), after: shown(step.before) }],
    conflicts: [],
    requests: [{
      updateCells: {
        start: { sheetId: step.sheetId, rowIndex: step.row, columnIndex: step.column },
        rows: step.before.map((values) => ({ values })),
        fields: step.formats ? keptFields : "userEnteredValue,textFormatRuns"
      }
    }]
  }
}

const undoGrowth = (step: KeptGrowth, steps: ReadonlyArray<KeptStep>, tab: Tab, read: CellReader): StepUndo => {
  const isRows = step.dimension === "ROWS"
  const range = rangeOnTab(tab.title, isRows ? `${step.from + 1}:${step.to}` : "A1")
  const isOwn = (row: number, column: number) =>
    steps.some((each) =>
      each.kind === "cells" && each.sheetId === step.sheetId && row >= each.row && column >= each.column &&
      row < each.row + each.after.length && column < rightOf(each)
    )
  const found = filledCells(tab, read, isRows ? { top: step.from, left: 0 } : { top: 0, left: step.from }, isOwn)
  if (found.length > 0 || (isRows ? tab.size.rows : tab.size.columns) !== step.to) {
    return { changes: [], conflicts: [{ range, before: [], after: found }], requests: [] }
  }
  return {
    changes: [],
    conflicts: [],
    requests: [{
      deleteDimension: {
        range: { sheetId: step.sheetId, dimension: step.dimension, startIndex: step.from, endIndex: step.to }
      }
    }]
  }
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
