import { Clock, Duration, Effect, Option, Result, Schedule } from "effect"
import type { IdempotencyKeyReused, OutcomeUnknown } from "../../Api/Errors/WriteErrors.ts"
import type { StoredResponse } from "../../Calls/CallResult.ts"
import type { ApprovalId } from "../../Domain/Ids.ts"
import { Idempotency, type KeyUse } from "../Idempotency/Idempotency.ts"
import { hashBody } from "../Idempotency/IdempotentWrite.ts"
import { Approvals, resultLifetime } from "./Approvals.ts"
import { makeAskedWrites, type PlannedWrite } from "./AskedWrites.ts"
import { resultOfError, resultOfStored, type SentResult, unknownResult } from "./SentResult.ts"
import type { SentApproval } from "./StoredApproval.ts"
import { keyOfApproval } from "./StoredCall.ts"

const pollInterval = Duration.seconds(5)

/** Takes approvals from `approved` to `done`: their writes are sent once, also when an instance dies meanwhile. */
export const makeSendApproved = Effect.gen(function*() {
  const approvals = yield* Approvals
  const idempotency = yield* Idempotency
  const writes = yield* makeAskedWrites

  const untilDone = Effect.fnUntraced(function* untilDone(approval: SentApproval, sending: Effect.Effect<SentResult>) {
    yield* Effect.forkScoped(approvals.keepSending(approval))
    const { callId, ...result } = yield* sending
    yield* approvals.finish(approval, callId, result)
  }, Effect.scoped)

  const send = (approval: SentApproval, { call, error, id, plan }: PlannedWrite): Effect.Effect<SentResult> =>
    error === undefined ? writes.send(approval, { call, plan }) : Effect.succeed(resultOfError(id, error))

  const claim = (
    use: KeyUse
  ): Effect.Effect<Option.Option<StoredResponse>, OutcomeUnknown | IdempotencyKeyReused> =>
    Effect.catchTag(
      idempotency.claim(use),
      "IdempotencyInProgress",
      () => Effect.delay(Effect.suspend(() => claim(use)), "1 second")
    )

  /** Sends nothing that the instance before may have sent. */
  const sendAgain = Effect.fnUntraced(function* sendAgain(approval: SentApproval) {
    const { callId, decidedAt, id, memberId } = approval
    const call = yield* writes.call(approval)
    const use = { memberId, key: keyOfApproval(id), bodyHash: hashBody(call), callId }
    const begun = yield* Effect.result(claim(use))
    if (Result.isFailure(begun)) {
      // Sends nothing, only logs the call: it fails with the same error, or because its rights have ended.
      yield* writes.send(approval, { call })
      const { details = { call_id: callId } } = begun.failure
      return unknownResult(callId, details.call_id)
    }
    if (Option.isSome(begun.success)) return resultOfStored(begun.success.value)
    yield* idempotency.release(use)
    const age = (yield* Clock.currentTimeMillis) - (decidedAt?.getTime() ?? 0)
    if (age >= Duration.toMillis(resultLifetime)) return unknownResult(callId, callId)
    return yield* send(approval, yield* writes.plan(approval))
  })

  const takeOver = Effect.fnUntraced(function* takeOver(id?: ApprovalId) {
    const approval = yield* approvals.takeOver(id)
    if (Option.isSome(approval)) yield* untilDone(approval.value, sendAgain(approval.value))
    return Option.isSome(approval)
  })

  yield* Effect.uninterruptible(takeOver()).pipe(
    Effect.repeat({ while: (found) => found }),
    Effect.catchCause((cause) => Effect.logError("An approved write could not be taken over", cause)),
    Effect.repeat(Schedule.spaced(pollInterval)),
    Effect.forkScoped
  )

  return {
    send: (approval: SentApproval, planned: PlannedWrite): Effect.Effect<void> =>
      untilDone(approval, send(approval, planned)),

    /** Sends this write if the instance that was about to send it has died. */
    takeOver
  }
})
