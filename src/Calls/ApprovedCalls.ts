import { Clock, Context, Duration, Effect, Exit, Layer, Option, Result, Schedule, Scope } from "effect"
import {
  ApprovalNotFound,
  type CallError,
  Forbidden,
  type IdempotencyKeyReused,
  OutcomeUnknown
} from "../Api/Errors.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { Approval, ApprovalStatus } from "../Domain/Calls/Approval.ts"
import type { ApprovalId, CallId } from "../Domain/Ids.ts"
import type { PageRequest } from "../Domain/Page.ts"
import { answerable, Approvals } from "./Approvals/Approvals.ts"
import { type Answer, type SentApproval, shownApproval } from "./Approvals/StoredApproval.ts"
import { keyOfApproval } from "./Approvals/StoredCall.ts"
import { Calls } from "./Calls.ts"
import { Idempotency, type KeyUse, StoredResponse } from "./Idempotency/Idempotency.ts"
import { hashBody } from "./Idempotency/IdempotentWrite.ts"
import { MeteredCalls } from "./MeteredCalls.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { textOf } from "./Results/LongResponse.ts"

type Address = IncomingCall["address"]

const makeApprovedCalls = Effect.gen(function*() {
  const approvals = yield* Approvals
  const calls = yield* Calls
  const idempotency = yield* Idempotency

  const find = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* approvals.find(principal, id)
    return Option.isSome(found) ? found.value : yield* new ApprovalNotFound()
  })

  const show = (principal: Principal, id: string) => Effect.map(find(principal, id), shownApproval)

  const findAsPerson = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* find(principal, id)
    if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
    return { id: found.id, by: principal.memberId }
  })

  /** As the key or grant that has asked. A second time it gets the first response. */
  const call = Effect.fnUntraced(function*({ call, callId, holderId, id }: SentApproval, address: Address) {
    const sent = Scope.makeUnsafe()
    const body = { text: JSON.stringify(call), json: Exit.succeed(call) }
    const result = yield* Effect.result(Effect.ensuring(
      calls.call({
        id: callId,
        credential: undefined,
        idempotencyKey: undefined,
        approved: { id, holderId },
        ..."undo_of" in call ? { undoOf: call.undo_of } : {},
        address,
        sent: () => sent,
        body: () => Effect.succeed(body)
      }),
      Scope.close(sent, Exit.void)
    ))
    if (Result.isFailure(result)) return errorAnswer(callId, result.failure)
    return result.success instanceof StoredResponse
      ? storedAnswer(result.success)
      : { callId, status: 200, retryAfter: null, body: textOf(result.success) }
  })

  const claim = (
    use: KeyUse
  ): Effect.Effect<Option.Option<StoredResponse>, OutcomeUnknown | IdempotencyKeyReused> =>
    Effect.catchTag(
      idempotency.claim(use),
      "IdempotencyInProgress",
      () => Effect.delay(Effect.suspend(() => claim(use)), "1 second")
    )

  /** Sends nothing that the instance before may have sent. */
  const callAgain = Effect.fnUntraced(function*(approval: SentApproval, address: Address) {
    const { callId, decidedAt, id, memberId } = approval
    const use = { memberId, key: keyOfApproval(id), bodyHash: hashBody(approval.call), callId }
    const begun = yield* Effect.result(claim(use))
    if (Result.isFailure(begun)) {
      // Only logs it: the call gets the same error, or that its rights have ended.
      yield* call(approval, address)
      const { details = { call_id: callId } } = begun.failure
      return unknownAnswer(callId, details.call_id)
    }
    if (Option.isSome(begun.success)) return storedAnswer(begun.success.value)
    yield* idempotency.release(use)
    const age = (yield* Clock.currentTimeMillis) - (decidedAt?.getTime() ?? 0)
    return age < Duration.toMillis(answerable) ? yield* call(approval, address) : unknownAnswer(callId, callId)
  })

  const finish = Effect.fnUntraced(function*(approval: SentApproval, calling: Effect.Effect<CallAnswer>) {
    yield* Effect.forkScoped(approvals.keepSending(approval))
    const { callId, ...answer } = yield* calling
    yield* approvals.finish(approval, callId, answer)
  }, Effect.scoped)

  const takeOver = Effect.fnUntraced(function*(id?: ApprovalId, address = unknownAddress) {
    const approval = yield* approvals.takeOver(id)
    if (Option.isSome(approval)) yield* finish(approval.value, callAgain(approval.value, address))
    return Option.isSome(approval)
  })

  yield* Effect.uninterruptible(takeOver()).pipe(
    Effect.repeat({ while: (found) => found }),
    Effect.catchCause((cause) => Effect.logError("An approved write could not be taken over", cause)),
    Effect.repeat(Schedule.spaced(pollInterval)),
    Effect.forkScoped
  )

  return {
    /** Waits while nothing is decided, and until the write was sent, at most `seconds`. */
    wait: Effect.fnUntraced(function*(
      principal: Principal,
      id: string,
      seconds: number
    ): Effect.fn.Return<Approval, ApprovalNotFound> {
      for (let waited = 0; waited < seconds; waited++) {
        const { status } = yield* find(principal, id)
        if (status !== "pending" && status !== "approved") break
        yield* Effect.sleep("1 second")
      }
      return yield* show(principal, id)
    }),

    list: Effect.fnUntraced(function*(principal: Principal, status: ApprovalStatus | undefined, page: PageRequest) {
      if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
      const { cursor, items } = yield* approvals.list(principal, status, page)
      return { cursor, approvals: items.map(shownApproval) }
    }),

    /** Sends the call. An approval that was decided before stays as it is. */
    approve: Effect.fnUntraced(function*(principal: Principal, approvalId: string, address: Address) {
      const { by, id } = yield* findAsPerson(principal, approvalId)
      const approval = yield* approvals.approve(id, by)
      yield* Option.isSome(approval)
        ? finish(approval.value, call(approval.value, address))
        : takeOver(id, address)
      return yield* show(principal, id)
    }),

    deny: Effect.fnUntraced(function*(principal: Principal, approvalId: string) {
      const { by, id } = yield* findAsPerson(principal, approvalId)
      yield* approvals.deny(id, by)
      return yield* show(principal, id)
    })
  }
})

/** Lets people decide, and sends what they approve, also what an instance that has died was about to send. */
export class ApprovedCalls extends Context.Service<ApprovedCalls, Effect.Success<typeof makeApprovedCalls>>()(
  "openaccounts/Calls/ApprovedCalls"
) {
  static readonly layer = Layer.effect(ApprovedCalls, makeApprovedCalls).pipe(
    Layer.provide([Approvals.layer, Idempotency.layer, MeteredCalls])
  )
}

const pollInterval = Duration.seconds(5)

const unknownAddress: Address = () => Option.none()

const onlyPeople = "Only a signed-in person lists and decides approvals."

interface CallAnswer extends Answer {
  readonly callId: CallId
}

const storedAnswer = ({ body, callId, retryAfter, status }: StoredResponse): CallAnswer => ({
  callId,
  status,
  retryAfter: retryAfter ?? null,
  body
})

const errorAnswer = (callId: CallId, error: CallError): CallAnswer => ({
  callId,
  status: error.status,
  retryAfter: error.retryAfter ?? null,
  body: JSON.stringify(error.body(callId))
})

const unknownAnswer = (callId: CallId, call_id: CallId): CallAnswer =>
  errorAnswer(callId, new OutcomeUnknown({ message: mayBeSent, details: { call_id } }))

const mayBeSent = "The service stopped while it sent the write, which may have been carried out: " +
  "look at the provider before you write again."
