import { Effect, Option, Result } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import { callForHolder } from "../../Calls/CallForHolder.ts"
import type { Plan } from "../../Calls/CallResult.ts"
import { Calls } from "../../Calls/Calls.ts"
import { showChanges } from "../../Domain/Calls/ShowChanges.ts"
import { CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { Approvals } from "./Approvals.ts"
import { ApprovalStale } from "./Contract.ts"
import { resultOfError, resultOfResponse, type SentResult } from "./SentResult.ts"
import { hashChanges, type SentApproval, type StoredApproval } from "./StoredApproval.ts"
import { keyOfApproval, type WaitingCall } from "./StoredCall.ts"

/** What a write would change now. */
export interface PlannedWrite {
  readonly id: CallId
  readonly call: WaitingCall
  readonly plan?: Plan | undefined
  /** Why it must not be sent. */
  readonly error?: CallError | ApprovalStale
}

interface Running {
  readonly id: CallId
  readonly call: WaitingCall
  /** What the person has seen. */
  readonly plan?: Plan | undefined
  /** True if the call only plans its changes. */
  readonly isPlan: boolean
}

/** The writes of approvals, as the key or grant that has asked, with the rights that it has now. */
export const makeAskedWrites = Effect.gen(function*() {
  const approvals = yield* Approvals
  const calls = yield* Calls

  const run = ({ holderId, id }: StoredApproval, { call, id: callId, isPlan, plan }: Running) =>
    Effect.scoped(callForHolder(calls, isPlan && !("undo_of" in call) ? { ...call, dry_run: true } : call, {
      id: callId,
      headers: { idempotencyKey: keyOfApproval(id) },
      origin: {
        holderId,
        approval: { plan, isPlan },
        ..."undo_of" in call ? { undo: { callId: call.undo_of, isPreview: isPlan } } : {}
      }
    }))

  const call = (approval: StoredApproval): Effect.Effect<WaitingCall> =>
    Effect.flatMap(
      approvals.asked(approval),
      Option.match({
        onNone: () => Effect.die(`${approval.id} has no call`),
        onSome: (asked) => Effect.succeed(asked.call)
      })
    )

  return {
    call,

    /** If the changes differ from those that a pending approval shows, updates the approval. */
    plan: Effect.fnUntraced(function* plan(approval: StoredApproval): Effect.fn.Return<PlannedWrite> {
      const id = CallId.make(yield* newId("call"))
      const asked = yield* call(approval)
      const result = yield* Effect.result(run(approval, { id, call: asked, isPlan: true }))
      if (Result.isFailure(result)) return { id, call: asked, error: result.failure }
      const { plan } = result.success.facts
      if (plan === undefined || hashChanges(plan.changes) === approval.changesHash) return { id, call: asked, plan }
      yield* approvals.restate(approval, plan.changes)
      return { id, call: asked, error: new ApprovalStale({ details: showChanges(plan.changes) }) }
    }),

    /** Sends the write once: a second time returns the first response. */
    send: Effect.fnUntraced(function* send(
      approval: SentApproval,
      sent: Omit<Running, "id" | "isPlan">
    ): Effect.fn.Return<SentResult> {
      const { callId } = approval
      const result = yield* Effect.result(run(approval, { ...sent, id: callId, isPlan: false }))
      return Result.isFailure(result)
        ? resultOfError(callId, result.failure)
        : resultOfResponse(callId, result.success.response)
    })
  }
})
