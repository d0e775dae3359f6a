import { Effect, type Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { requestChange } from "../../RequestChange.ts"
import type { UndoPlan } from "../../Writing.ts"
import { spreadsheetsBatchUpdate } from "../Endpoints.ts"
import { BatchUpdateSpreadsheetResponse } from "../Responses.ts"
import { readGrids, readTabs } from "./GridCells.ts"
import { sizeOf } from "./Grids.ts"
import { runPlan } from "./RunPlan.ts"
import { areasOf, type StepUndo } from "./UndoSteps.ts"

const valuesIn = (value: Schema.Json): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 0)

export const undoSheets = Effect.fnUntraced(function*(
  kept: ReadonlyArray<Schema.Json>,
  provider: ProviderCalls
): Effect.fn.Return<UndoPlan, ToolCallError | InvalidInput> {
  const steps = yield* Effect.orDie(Effect.fromNullishOr(yield* runPlan("steps", valuesIn(kept), { kept }, [])))
  const file = steps[0]?.file ?? ""
  const tabs = yield* readTabs(provider, file)
  const areas = areasOf(steps, tabs).filter((area) => area !== undefined)
  const undone = yield* readGrids(
    provider,
    file,
    areas,
    (now) => runPlan("undone", sizeOf(areas), { steps, tabs }, [now])
  )
  const requests = undone.flatMap((each) => each.requests)
  const requestsAsChange = (requests: StepUndo["requests"]) =>
    requestChange({ endpoint: spreadsheetsBatchUpdate, input: { path: { spreadsheetId: file }, body: { requests } } })
  return {
    // A step that changes no cells is shown as its request.
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
