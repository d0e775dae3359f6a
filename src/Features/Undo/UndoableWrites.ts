import { Context, Effect } from "effect"
import type { CallError, ProviderCallError, ToolCallError } from "../../Api/Errors.ts"
import type { UnkeptReason } from "../../Domain/Calls/UndoReason.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { ProviderRequest } from "../../Providers/ProviderClient.ts"
import type { Send, Sender, SendStep } from "../../Providers/Sending/SendSteps.ts"
import type { UndoData } from "../../Providers/Writing.ts"
import { planWrite } from "../Preview/Preview.ts"

/** What the writes of a call have changed. */
export class UndoableWrites extends Context.Service<UndoableWrites, {
  readonly keep: <E extends ToolCallError>(sender: Sender<E>, next: Send<E>) => Send<E>
  /** The data that undoes the call, or why it cannot be undone. `undefined` if it has written nothing. */
  readonly kept: () => UndoData | UnkeptReason | undefined
}>()("openaccounts/Features/Undo/UndoableWrites") {}

export const undoSend: SendStep = {
  name: "undo",
  of: "writes",
  wrap: (sender, next) => Context.getOrUndefined(sender.notes, UndoableWrites)?.keep(sender, next) ?? next
}

/**
 * Reads what each write of a call will change, and what it has left. When these reads fail, the write is still sent,
 * but cannot be undone.
 */
export const undoableWrites = (): UndoableWrites["Service"] => {
  const kept: Array<UndoData> = []
  let unkept: UnkeptReason | undefined
  let isWritten = false

  const write = Effect.fnUntraced(function* write<E extends ToolCallError>(
    request: ProviderRequest,
    { read }: Sender<E>,
    next: Send<E>
  ): Effect.fn.Return<JsonText, ProviderCallError | E> {
    const plan = unkept === undefined ? yield* orUnknown(planWrite(request, read)) : undefined
    const response = yield* next(request)
    isWritten = true
    if (typeof plan?.keep === "string") unkept = plan.keep
    const steps = typeof plan?.keep === "function" ? yield* orUnknown(plan.keep(response)) : undefined
    if (steps === undefined) unkept ??= "not_kept"
    else kept.push(steps)
    return response
  })

  return {
    keep: (sender, next) => (request) => request.endpoint.writes ? write(request, sender, next) : next(request),
    kept: () => isWritten ? unkept ?? kept.flat() : undefined
  }
}

/** A defect of a plan must not fail a write, which may have been sent. */
const orUnknown = <A>(reading: Effect.Effect<A, CallError>): Effect.Effect<A | undefined> =>
  reading.pipe(
    Effect.catch((error) => Effect.as(Effect.logDebug(`A write cannot be undone: ${error.code}`), undefined)),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("A write cannot be undone", defect), undefined))
  )
