import { Context, Effect, Struct } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import { callForHolder } from "../../Calls/CallForHolder.ts"
import { StoredResponse } from "../../Calls/CallResult.ts"
import { Calls } from "../../Calls/Calls.ts"
import type { CallStep, PermittedCall } from "../../Calls/Steps.ts"
import { maxResponseBytes } from "../../Capacity/Capacity.ts"
import { textOfBounds } from "../../Domain/Access/Bounds.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Cell } from "../../Domain/Table/Table.ts"
import { shapeData } from "../Results/Shaping/Shaping.ts"
import { ownerColumns, textOf } from "./MakeTable.ts"
import { withResource } from "./Place.ts"
import type { BulkRequest, Claim, Run, RunRows } from "./StoredBulkCall.ts"

type Take = (call: PermittedCall, data: JsonText) => Effect.Effect<void, CallError>

/** Called with the response of the current run. */
const CurrentTake = Context.Reference<Take | undefined>("openaccounts/Features/BulkCalls/CurrentTake", {
  defaultValue: () => undefined
})

/** Passes the response of a run and its call to `CurrentTake`. */
export const giveToBulkCall: CallStep = {
  name: "bulk_calls",
  of: "reads",
  at: "permitted",
  whenAsked: true,
  wrap: (next) => (call) =>
    call.incoming.origin?.bulkCallId === undefined ? next(call) : Effect.gen(function*() {
      const take = yield* CurrentTake
      const { data, facts } = yield* next(call)
      if (data instanceof StoredResponse || take === undefined) {
        return yield* Effect.die("No bulk call takes the response")
      }
      yield* take(call, data)
      return { data: JsonText.stringify(null), facts: { ...facts, whole: data } }
    })
}

/** What is the same for all runs of a bulk call. */
export interface RunsOfCall {
  readonly claim: Claim
  readonly request: BulkRequest
  /** By connection, the cells of `ownerColumns` except the resource. */
  readonly ownerCells: ReadonlyMap<string, ReadonlyArray<Cell>>
}

/** Runs one call of a bulk call, with the current rights of its holder. Interactive calls go first. */
export const makeRunCall = Effect.gen(function*() {
  const calls = yield* Calls
  const longest = yield* maxResponseBytes

  const rowsOf = Effect.fnUntraced(function* rowsOf(
    { bounds, connection, prepared, principal }: PermittedCall,
    data: JsonText,
    select: string | undefined,
    cells: ReadonlyArray<Cell>
  ) {
    const source = prepared.rows()
    const shaped = yield* shapeData(principal.memberId, data, {
      select,
      format: "json",
      source,
      keep: true,
      before: { names: ownerColumns, cells },
      longest
    })
    if ("data" in shaped) return yield* Effect.die("A table was asked for")
    const { names, urls } = prepared.subject()
    const boundsText = bounds === undefined ? "" : textOfBounds(bounds)
    const part = shaped.part?.isPart === true ? { part: shaped.part.fields } : {}
    const rows: RunRows = {
      source: { connectionId: connection.id, names, urls, bounds: boundsText, ...part },
      rows: shaped.kept.rows,
      table: textOf(shaped)
    }
    return rows
  })

  return Effect.fnUntraced(function*(
    id: CallId,
    { claim: { holder, id: bulkCallId }, request, ownerCells }: RunsOfCall,
    { connectionId, resource }: Run
  ) {
    const { place, provider } = request
    const input = place === undefined || resource === null
      ? request.input
      : withResource(request.input, place, resource.slice(provider.length + 1))
    const asked = Struct.omit(request, ["place", "resources", "select"])
    let rows: RunRows | undefined
    const take: Take = (call, data) =>
      Effect.map(rowsOf(call, data, request.select, [...ownerCells.get(connectionId) ?? [], resource]), (found) => {
        rows = found
      })
    yield* callForHolder(calls, { ...asked, input, connection_id: connectionId }, {
      id,
      headers: { prefer: "wait=60", priority: "u=6" },
      origin: { holderId: holder, bulkCallId }
    }).pipe(Effect.provideService(CurrentTake, take))
    return rows ?? (yield* Effect.die("A run has not given its rows"))
  }, Effect.scoped)
})
