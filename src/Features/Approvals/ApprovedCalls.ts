import { Clock, Context, Duration, Effect, Exit, Layer, Option, Result, Schedule, Scope } from "effect"
import {
  ApprovalNotFound,
  type CallError,
  Forbidden,
  type IdempotencyKeyReused,
  type OutcomeUnknown,
  type RateLimited
} from "../../Api/Errors.ts"
import { maxAnswerBytes } from "../../Api/Middleware.ts"
import type { Plan, StoredResponse } from "../../Calls/Answered.ts"
import { Calls } from "../../Calls/Calls.ts"
import { makeDataAccess } from "../../Calls/DataAccess.ts"
import type { IncomingCall } from "../../Calls/Request/IncomingCall.ts"
import { reserve } from "../../Capacity/Capacity.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { showChanges } from "../../Domain/Calls/ShowChanges.ts"
import { type ApprovalId, CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { Idempotency, type KeyUse } from "../Idempotency/Idempotency.ts"
import { hashBody } from "../Idempotency/IdempotentWrite.ts"
import { answerable, Approvals } from "./Approvals.ts"
import { type CallAnswer, errorAnswer, responseAnswer, storedAnswer, unknownAnswer } from "./CallAnswer.ts"
import { type Approval, ApprovalStale } from "./Contract.ts"
import type { ApprovalStatus } from "./Declared.ts"
import {
  type ApprovalRow,
  hashChanges,
  type SentApproval,
  shownApproval,
  type StoredApproval,
  summaryOf
} from "./StoredApproval.ts"
import { keyOfApproval, type WaitingCall } from "./StoredCall.ts"

type Address = IncomingCall["address"]

interface AskedCall extends Pick<IncomingCall, "id" | "address"> {
  readonly call: WaitingCall
  /** What the person has seen. */
  readonly plan?: Plan | undefined
  /** Whether the call only finds what it would change. */
  readonly isPlan?: boolean
}

interface Planned {
  readonly id: CallId
  readonly call: WaitingCall
  readonly error?: CallError | ApprovalStale
  readonly plan?: Plan | undefined
}

const makeApprovedCalls = Effect.gen(function*() {
  const approvals = yield* Approvals
  const calls = yield* Calls
  const idempotency = yield* Idempotency
  const access = yield* makeDataAccess

  const find = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* approvals.find(principal, id)
    return Option.isSome(found) ? found.value : yield* new ApprovalNotFound()
  })

  const show = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const approval = yield* approvals.open(yield* find(principal, id))
    const visible = Effect.gen(function*() {
      const bounds = yield* access.bounds(principal, approval.connectionId)
      const content = Option.getOrUndefined(yield* approvals.content(approval))
      if (bounds === undefined || content === undefined) return content
      if (content.subject === undefined) return undefined
      yield* access.inside(bounds, approval.provider, content.subject)
      return content
    })
    return shownApproval(approval, Option.getOrUndefined(yield* Effect.option(visible)))
  })

  const findAsPerson = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* find(principal, id)
    if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
    return { found, id: found.id, by: principal.memberId }
  })

  /** As the key or grant that has asked, with the rights that it has now. */
  const callAs = ({ holderId, id }: StoredApproval, { call, isPlan = false, plan, ...incoming }: AskedCall) =>
    Effect.suspend(() => {
      const sent = Scope.makeUnsafe()
      const json = isPlan && !("undo_of" in call) ? { ...call, dry_run: true } : call
      const body = { text: JSON.stringify(json), json: Exit.succeed(json) }
      return Effect.ensuring(
        calls.call({
          ...incoming,
          credential: undefined,
          headers: { idempotencyKey: keyOfApproval(id) },
          origin: {
            approval: { holderId, plan, isPlan },
            ..."undo_of" in call ? { undo: { callId: call.undo_of, isPreview: isPlan } } : {}
          },
          sent: () => sent,
          body: () => Effect.succeed(body)
        }),
        Scope.close(sent, Exit.void)
      )
    })

  const callOf = (approval: StoredApproval): Effect.Effect<WaitingCall> =>
    Effect.flatMap(
      approvals.asked(approval),
      Option.match({
        onNone: () => Effect.die(`${approval.id} has no call`),
        onSome: ({ call }) => Effect.succeed(call)
      })
    )

  /** What the write would change now. An error if that is not what the approval shows. */
  const planAgain = Effect.fnUntraced(function*(
    approval: StoredApproval,
    address: Address
  ): Effect.fn.Return<Planned> {
    const id = CallId.make(yield* newId("call"))
    const call = yield* callOf(approval)
    const result = yield* Effect.result(callAs(approval, { id, address, call, isPlan: true }))
    if (Result.isFailure(result)) return { id, call, error: result.failure }
    const { plan } = result.success.facts
    if (plan === undefined || hashChanges(plan.changes) === approval.changesHash) return { id, call, plan }
    yield* approvals.restate(approval, plan.changes)
    return { id, call, error: new ApprovalStale({ details: showChanges(plan.changes) }) }
  })

  /** A second time it gets the first response. */
  const send = Effect.fnUntraced(function*(approval: SentApproval, call: AskedCall) {
    const result = yield* Effect.result(callAs(approval, call))
    if (Result.isFailure(result)) return errorAnswer(call.id, result.failure)
    return responseAnswer(call.id, result.success.response)
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
  const sendAgain = Effect.fnUntraced(function*(approval: SentApproval, address: Address) {
    const { callId, decidedAt, id, memberId } = approval
    const call = yield* callOf(approval)
    const use = { memberId, key: keyOfApproval(id), bodyHash: hashBody(call), callId }
    const begun = yield* Effect.result(claim(use))
    if (Result.isFailure(begun)) {
      // Only logs it: the call gets the same error, or that its rights have ended.
      yield* send(approval, { id: callId, address, call })
      const { details = { call_id: callId } } = begun.failure
      return unknownAnswer(callId, details.call_id)
    }
    if (Option.isSome(begun.success)) return storedAnswer(begun.success.value)
    yield* idempotency.release(use)
    const age = (yield* Clock.currentTimeMillis) - (decidedAt?.getTime() ?? 0)
    if (age >= Duration.toMillis(answerable)) return unknownAnswer(callId, callId)
    return yield* sendPlanned(approval, yield* planAgain(approval, address), address)
  })

  const sendPlanned = (
    approval: SentApproval,
    { call, error, id, plan }: Planned,
    address: Address
  ): Effect.Effect<CallAnswer> =>
    error === undefined
      ? send(approval, { id: approval.callId, address, call, plan })
      : Effect.succeed(errorAnswer(id, error))

  const finish = Effect.fnUntraced(function*(approval: SentApproval, calling: Effect.Effect<CallAnswer>) {
    yield* Effect.forkScoped(approvals.keepSending(approval))
    const { callId, ...answer } = yield* calling
    yield* approvals.finish(approval, callId, answer)
  }, Effect.scoped)

  const takeOver = Effect.fnUntraced(function*(id?: ApprovalId, address = unknownAddress) {
    const approval = yield* approvals.takeOver(id)
    if (Option.isSome(approval)) yield* finish(approval.value, sendAgain(approval.value, address))
    return Option.isSome(approval)
  })

  yield* Effect.uninterruptible(takeOver()).pipe(
    Effect.repeat({ while: (found) => found }),
    Effect.catchCause((cause) => Effect.logError("An approved write could not be taken over", cause)),
    Effect.repeat(Schedule.spaced(pollInterval)),
    Effect.forkScoped
  )

  /** Waits while nothing is decided, and until the write was sent, at most `seconds`. Reads no content. */
  const awaitDecision = Effect.fnUntraced(function*(
    principal: Principal,
    id: string,
    seconds: number
  ): Effect.fn.Return<Pick<ApprovalRow, "status" | "createdAt">, ApprovalNotFound> {
    for (let waited = 0;; waited++) {
      const found = yield* find(principal, id)
      if (found.status !== "pending" && found.status !== "approved" || waited >= seconds) return found
      yield* Effect.sleep("1 second")
    }
  })

  return {
    await: awaitDecision,

    /** Waits as `await` does, and then for room for the answer. */
    get: Effect.fnUntraced(function*(principal: Principal, id: string, seconds: number): Effect.fn.Return<
      Approval,
      ApprovalNotFound | RateLimited
    > {
      yield* awaitDecision(principal, id, seconds)
      yield* reserve("answer", maxAnswerBytes)
      return yield* show(principal, id)
    }),

    list: Effect.fnUntraced(function*(principal: Principal, status: ApprovalStatus | undefined, page: PageRequest) {
      if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
      const { cursor, items } = yield* approvals.list(principal, status, page)
      return { cursor, approvals: items.map(summaryOf) }
    }),

    /** Plans the call again, and sends it. An approval that was decided before stays as it is. */
    approve: Effect.fnUntraced(function*(principal: Principal, approvalId: string, address: Address) {
      const { by, found } = yield* findAsPerson(principal, approvalId)
      const { id, status } = found
      if (status !== "pending") {
        yield* takeOver(id, address)
        return yield* show(principal, id)
      }
      const planned = yield* planAgain(yield* approvals.open(found), address)
      if (planned.error?._tag === "ApprovalStale") return yield* planned.error
      const approval = yield* approvals.approve(id, by)
      if (Option.isSome(approval)) yield* finish(approval.value, sendPlanned(approval.value, planned, address))
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
  "openaccounts/Features/Approvals/ApprovedCalls"
) {
  static readonly layer = Layer.effect(ApprovedCalls, makeApprovedCalls).pipe(
    Layer.provide([Approvals.layer, BoundCalls.layer, CachedConnections.layer, Idempotency.layer])
  )
}

const pollInterval = Duration.seconds(5)

const unknownAddress: Address = () => Option.none()

const onlyPeople = "Only a signed-in person lists and decides approvals."
