import { Effect } from "effect"
import type { CallError, ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { ProviderRequest, SendRequest } from "../../Providers/ProviderClient.ts"
import type { Kept } from "../../Providers/Writing.ts"
import { planWrite } from "./Preview.ts"

export interface KeptWrites {
  readonly send: SendRequest
  /** What the call can be undone with. `undefined` if one of its writes has no exact inverse. */
  readonly kept: () => Kept | undefined
}

/**
 * Reads what each write of a call will change, and what it has left. Without these reads a write is sent all the same,
 * and cannot be undone.
 *
 * @param read for the reads, which say nothing about whether the write was sent
 */
export const keepWrites = (send: SendRequest, read: SendRequest): KeptWrites => {
  let kept: Kept | undefined = []

  const write = Effect.fnUntraced(function*(request: ProviderRequest): Effect.fn.Return<JsonText, ToolCallError> {
    const plan = kept === undefined ? undefined : yield* orUnknown(planWrite(request, read))
    if (plan?.keep === undefined) {
      kept = undefined
      return yield* send(request)
    }
    const response = yield* send(request)
    const steps = yield* orUnknown(plan.keep(response))
    kept = kept === undefined || steps === undefined ? undefined : [...kept, ...steps]
    return response
  })

  return {
    send: (request) => request.endpoint.writes ? write(request) : send(request),
    kept: () => kept?.length === 0 ? undefined : kept
  }
}

const orUnknown = <A>(reading: Effect.Effect<A, CallError>): Effect.Effect<A | undefined> =>
  Effect.catch(
    reading,
    (error) => Effect.as(Effect.logDebug(`A write cannot be undone: ${error.code}`), undefined)
  )
