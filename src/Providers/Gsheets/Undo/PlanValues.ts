import { Effect, Option, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { Change } from "../../../Domain/Calls/Change.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { type AppendedCells, type TouchedCells, unknownPlan, type Values, type WritePlan } from "../../Writing.ts"
import { parseCells, type Rectangle, splitTab } from "../A1.ts"
import { valuesGet } from "../Endpoints.ts"
import { maxCellsPerRead, renderedAs } from "../Reading/ReadValues.ts"
import { AppendValuesResponse } from "../Responses.ts"
import { clipToGrid, rowsFrom } from "../TabRange.ts"
import type { Tab } from "../Tabs.ts"
import { placeOf, readGrids, readTabs } from "./GridCells.ts"
import { type Area, rangeOf, sizeOf } from "./Grids.ts"
import type { WrittenArea } from "./ReplacedCells.ts"
import { runPlan } from "./RunPlan.ts"
import type { AddedCells, WrittenStep } from "./WrittenSteps.ts"

/** A write of more cells is not kept. */
const maxKeptCells = 100_000
const maxKeptAreas = 200

/** Ranges are part of the address of a read, and longer addresses are refused. */
const maxRangesLength = 8000

export const planCells = Effect.fnUntraced(function*(
  { areas, file }: TouchedCells,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const tabs = yield* readTabs(provider, file)
  const written: Array<WrittenArea> = []
  for (const { parsed, range, values } of areas) {
    const place = yield* placeOf(provider, file, tabs, range)
    if (place === undefined) return unknownPlan()
    const { bottom, left, right, top } = clipToGrid(place)
    const area = values === undefined
      ? { tab: place.tab, top, left, bottom, right }
      : { tab: place.tab, ...filled(values, top, left) }
    written.push({ area, values, parsed })
  }
  const rangesLength = written.reduce((sum, { area }) => sum + encodeURIComponent(rangeOf(area)).length + 8, 0)
  if (sizeOf(written.map(({ area }) => area)) > maxCellsPerRead || rangesLength > maxRangesLength) {
    return unknownPlan("too_large")
  }
  return yield* planOf(provider, file, written, () => Effect.succeed([]))
})

const planOf = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  file: string,
  written: ReadonlyArray<WrittenArea>,
  growthIn: (response: JsonText) => Effect.Effect<ReadonlyArray<AddedCells> | undefined, ToolCallError>
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const areas = written.map(({ area }) => area)
  const cells = sizeOf(areas)
  const { before, changes } = yield* readGrids(
    provider,
    file,
    areas,
    (before) =>
      Effect.map(runPlan("changes", cells, { written }, [before]), (changes) => changes && { before, changes })
  )
  return {
    changes,
    keep: cells > maxKeptCells || written.length > maxKeptAreas ? "too_large" : Effect.fnUntraced(function*(response) {
      const growth = yield* growthIn(response)
      if (growth === undefined) return undefined
      const grown = growth.length === 0 ? areas : yield* onGrownTabs(provider, file, areas)
      const kept = yield* readGrids(
        provider,
        file,
        grown,
        (after) => runPlan("kept", cells, { file, written, areas: grown }, [before, after])
      )
      const steps: ReadonlyArray<WrittenStep> = [...growth, ...kept]
      return steps
    })
  }
})

const onGrownTabs = (provider: ProviderCalls, file: string, areas: ReadonlyArray<Area>) =>
  Effect.map(
    readTabs(provider, file),
    (tabs) => areas.map((area) => ({ ...area, tab: tabs.find(({ id }) => id === area.tab.id) ?? area.tab }))
  )

export const planAppend = Effect.fnUntraced(function*(
  { file, insertsRows, parsed, range, values }: AppendedCells,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const place = yield* placeOf(provider, file, yield* readTabs(provider, file), range)
  if (place === undefined) return unknownPlan()
  if (place.tab.size.rows * place.tab.size.columns > maxCellsPerRead) return unknownPlan("too_large")
  const { tab } = place
  const found = clipToGrid(place)
  const { table } = yield* provider.callWith(
    valuesGet,
    { path: { spreadsheetId: file, range: rowsFrom(tab, 0) }, query: renderedAs("FORMULA") },
    (values) =>
      Effect.map(runPlan("table", tab.size.rows * tab.size.columns, { area: found }, [values]), Option.fromNullOr)
  )
  if (table === "unknown") return unknownPlan()
  const target = table === undefined ? filled(values, found.top, found.left) : filled(values, table.bottom, table.left)
  const written = { area: { tab, ...target }, values, parsed }
  // Inserted rows begin blank and move the cells below down, so a `null` leaves a blank cell.
  const shown = insertsRows && table !== undefined ? { ...written, values: values.map(withoutGaps) } : written
  const plan = yield* planOf(provider, file, [shown], (response) =>
    Effect.map(
      Effect.option(Schema.decodeUnknownEffect(AppendValuesResponse)(response.value)),
      (decoded) =>
        startsAt(Option.getOrUndefined(decoded)?.updates?.updatedRange, target)
          ? growthOf(file, tab, target)
          : undefined
    ))
  return insertsRows && table !== undefined
    ? { changes: plan.changes?.map(fromBlank), keep: "no_inverse" }
    : plan
})

const withoutGaps = (row: Values[number]): Values[number] => row.map((value) => value ?? "")

const fromBlank = (change: Change): Change =>
  "range" in change ? { ...change, before: change.before.map((row) => row.map(() => null)) } : change

const startsAt = (range: string | undefined, { left, top }: Rectangle): boolean => {
  const cells = range === undefined ? undefined : parseCells(splitTab(range).cells)
  return cells?.top === top && cells.left === left
}

const growthOf = (file: string, { id: sheetId, size, title }: Tab, target: Rectangle): ReadonlyArray<AddedCells> => {
  const grown = { kind: "growth" as const, file, sheetId, title }
  return [
    ...target.bottom > size.rows
      ? [{ ...grown, dimension: "ROWS" as const, from: size.rows, to: target.bottom }]
      : [],
    ...target.right > size.columns
      ? [{ ...grown, dimension: "COLUMNS" as const, from: size.columns, to: target.right }]
      : []
  ]
}

const filled = (values: Values, top: number, left: number): Rectangle => ({
  top,
  left,
  bottom: top + values.length,
  right: left + values.reduce((width, row) => Math.max(width, row.length), 0)
})
