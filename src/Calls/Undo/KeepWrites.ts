import { Effect } from "effect"
import type { CallError, ToolCallError } from "../../Api/Errors.ts"
import type { UnkeptReason } from "../../Domain/Calls/UndoReason.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { ProviderRequest, SendRequest } from "../../Providers/ProviderClient.ts"
import type { Kept } from "../../Providers/Writing.ts"
import { planWrite } from "./Preview.ts"

export interface KeptWrites {
  readonly send: SendRequest
  /** What the call can be undone with, or why it cannot be. `undefined` if it has written nothing. */
  readonly kept: () => Kept | UnkeptReason | undefined
}

/**
 * Reads what each write of a call will change, and what it has left. Without these reads a write is sent all the same,
 * and cannot be undone.
 *
 * @param read for the reads, which say nothing about whether the write was sent
 */
export const keepWrites = (send: SendRequest, read: SendRequest): KeptWrites => {
  const kept: Array<Kept> = []
  let unkept: UnkeptReason | undefined
  let isWritten = false

  const write = Effect.fnUntraced(function*(request: ProviderRequest): Effect.fn.Return<JsonText, ToolCallError> {
    const plan = unkept === undefined ? yield* orUnknown(planWrite(request, read)) : undefined
    const response = yield* send(request)
    isWritten = true
    if (typeof plan?.keep === "string") unkept = plan.keep
    const steps = typeof plan?.keep === "function" ? yield* orUnknown(plan.keep(response)) : undefined
    if (steps === undefined) unkept ??= "not_kept"
    else kept.push(steps)
    return response
  })

  return {
    send: (request) => request.endpoint.writes ? write(request) : send(request),
    kept: () => isWritten ? unkept ?? kept.flat() : undefined
  }
}

/** A defect of a plan must not fail a write, which may have been sent. */
const orUnknown = <A>(reading: Effect.Effect<A, CallError>): Effect.Effect<A | undefined> =>
  reading.pipe(
    Effect.catch((error) => Effect.as(Effect.logDebug(`A write cannot be undone: ${error.code}`), undefined)),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("A write cannot be undone", defect), undefined))
  )
