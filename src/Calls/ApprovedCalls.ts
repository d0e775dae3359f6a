import { Effect, Exit, Option, Scope } from "effect"
import { ApprovalNotFound, type CallError, Forbidden } from "../Api/Errors.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { Approval, ApprovalStatus } from "../Domain/Calls/Approval.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { PageRequest } from "../Domain/Page.ts"
import { Approvals, shownApproval, type StoredApproval } from "./Approvals/Approvals.ts"
import { Calls } from "./Calls.ts"
import { StoredResponse } from "./Idempotency/Idempotency.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { textOf } from "./Results/LongResponse.ts"

/** Lets people decide, and sends what they approve. */
export const makeApprovedCalls = Effect.gen(function*() {
  const approvals = yield* Approvals
  const calls = yield* Calls

  const find = Effect.fnUntraced(function*(principal: Principal, id: string) {
    const found = yield* approvals.find(principal, id)
    return Option.isSome(found) ? found.value : yield* new ApprovalNotFound()
  })

  /** Sends the stored call as the key or grant that has asked. A second time it gets the first response. */
  const send = Effect.fnUntraced(function*(approval: StoredApproval, address: IncomingCall["address"]) {
    const { call, holderId, id } = approval
    const callId = CallId.make(yield* newId("call"))
    const sent = Scope.makeUnsafe()
    const body = { text: JSON.stringify(call), json: Exit.succeed(call) }
    const exit = yield* Effect.exit(Effect.ensuring(
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
    if (Exit.isSuccess(exit)) {
      const result = exit.value
      return result instanceof StoredResponse
        ? { callId: result.callId, status: result.status, retryAfter: result.retryAfter ?? null, body: result.body }
        : { callId, status: 200, retryAfter: null, body: textOf(result) }
    }
    const error = Exit.findErrorOption(exit)
    if (Option.isNone(error)) return yield* Effect.orDie(Effect.failCause(exit.cause))
    return answerOf(callId, error.value)
  })

  const finish = Effect.fnUntraced(function*(
    principal: Principal,
    approval: StoredApproval,
    address: IncomingCall["address"]
  ) {
    const answer = yield* send(approval, address)
    if (answer !== undefined) {
      const { callId, ...rest } = answer
      yield* approvals.finish(approval, callId, rest)
    }
    return shownApproval(yield* find(principal, approval.id))
  })

  const decide = Effect.fnUntraced(function*(
    principal: Principal,
    id: string,
    decision: "approved" | "denied"
  ): Effect.fn.Return<StoredApproval, ApprovalNotFound | Forbidden> {
    const approval = yield* find(principal, id)
    if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
    const decided = yield* approvals.decide(approval.id, decision, principal.memberId)
    return Option.isSome(decided) ? decided.value : yield* find(principal, id)
  })

  return {
    find: (principal: Principal, id: string): Effect.Effect<Approval, ApprovalNotFound> =>
      Effect.map(find(principal, id), shownApproval),

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
      return shownApproval(yield* find(principal, id))
    }),

    list: Effect.fnUntraced(function*(principal: Principal, status: ApprovalStatus | undefined, page: PageRequest) {
      if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
      const { cursor, items } = yield* approvals.list(principal, status, page)
      return { cursor, approvals: items.map(shownApproval) }
    }),

    /** Sends the call. An approval that was decided before stays as it is. */
    approve: Effect.fnUntraced(function*(principal: Principal, id: string, address: IncomingCall["address"]) {
      const approval = yield* decide(principal, id, "approved")
      return approval.status === "approved" ? yield* finish(principal, approval, address) : shownApproval(approval)
    }),

    deny: (principal: Principal, id: string) => Effect.map(decide(principal, id, "denied"), shownApproval)
  }
})

const onlyPeople = "Only a signed-in person lists and decides approvals."

const answerOf = (callId: CallId, error: CallError) => {
  // Another instance is sending it, and will keep the answer.
  if (error._tag === "IdempotencyInProgress") return undefined
  const { retryAfter = null, status } = error
  return { callId, status, retryAfter, body: JSON.stringify(error.body(callId)) }
}
