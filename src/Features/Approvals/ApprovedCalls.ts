import { Context, Effect, Layer, Option } from "effect"
import { Forbidden, type RateLimited, type Unauthenticated } from "../../Api/Errors.ts"
import { ApprovalNotFound } from "../../Api/Errors/WriteErrors.ts"
import { maxAnswerBytes } from "../../Api/Middleware.ts"
import { Auth } from "../../Auth/Auth.ts"
import { makeDataAccess } from "../../Calls/DataAccess.ts"
import { reserve } from "../../Capacity/Capacity.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { holderIdOf, type Principal } from "../../Domain/Access/Principal.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { Idempotency } from "../Idempotency/Idempotency.ts"
import { Approvals } from "./Approvals.ts"
import { makeAskedWrites } from "./AskedWrites.ts"
import type { Approval } from "./Contract.ts"
import type { ApprovalStatus } from "./Declared.ts"
import { makeSendApproved } from "./SendApproved.ts"
import { type ApprovalRow, shownApproval, summaryOf } from "./StoredApproval.ts"

const makeApprovedCalls = Effect.gen(function*() {
  const approvals = yield* Approvals
  const auth = yield* Auth
  const access = yield* makeDataAccess
  const writes = yield* makeAskedWrites
  const approved = yield* makeSendApproved

  const find = Effect.fnUntraced(function* find(principal: Principal, id: string) {
    const found = yield* approvals.find(principal, id)
    return Option.isSome(found) ? found.value : yield* new ApprovalNotFound()
  })

  const show = Effect.fnUntraced(function* show(principal: Principal, id: string) {
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

  const findAsPerson = Effect.fnUntraced(function* findAsPerson(principal: Principal, id: string) {
    const found = yield* find(principal, id)
    if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
    return { found, id: found.id, by: principal.memberId }
  })

  /** Waits at most `seconds` for the decision, and for an approved write to be sent. Reads no content. */
  const awaitDecision = Effect.fnUntraced(function* awaitDecision(
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

    /** Waits as `await` does, and then for room for the response. Shows what the caller may still see by then. */
    get: Effect.fnUntraced(function* get(principal: Principal, id: string, seconds: number): Effect.fn.Return<
      Approval,
      ApprovalNotFound | RateLimited | Unauthenticated
    > {
      yield* awaitDecision(principal, id, seconds)
      yield* reserve("answer", maxAnswerBytes)
      return yield* show(seconds === 0 ? principal : yield* auth.ofHolder(holderIdOf(principal)), id)
    }),

    list: Effect.fnUntraced(
      function* list(principal: Principal, status: ApprovalStatus | undefined, page: PageRequest) {
        if (principal.via !== "session") return yield* new Forbidden({ message: onlyPeople })
        const { cursor, items } = yield* approvals.list(principal, status, page)
        return { cursor, approvals: items.map(summaryOf) }
      }
    ),

    /** Takes an approval from `pending` to `done`. One that was decided before stays as it is. */
    approve: Effect.fnUntraced(function* approve(principal: Principal, approvalId: string) {
      const { by, found, id } = yield* findAsPerson(principal, approvalId)
      if (found.status !== "pending") {
        yield* approved.takeOver(id)
        return yield* show(principal, id)
      }
      const planned = yield* writes.plan(yield* approvals.open(found))
      // If it is no longer pending, a concurrent approval has sent the write, and the changes differ because of that.
      const isStale = planned.error?._tag === "ApprovalStale"
      if (isStale && (yield* find(principal, approvalId)).status === "pending") return yield* planned.error
      const approval = yield* approvals.approve(id, by)
      if (Option.isSome(approval)) yield* approved.send(approval.value, planned)
      return yield* show(principal, id)
    }),

    deny: Effect.fnUntraced(function* deny(principal: Principal, approvalId: string) {
      const { by, id } = yield* findAsPerson(principal, approvalId)
      yield* approvals.deny(id, by)
      return yield* show(principal, id)
    })
  }
})

/** Lets people decide, and sends what they approve. */
export class ApprovedCalls extends Context.Service<ApprovedCalls, Effect.Success<typeof makeApprovedCalls>>()(
  "openaccounts/Features/Approvals/ApprovedCalls"
) {
  static readonly layer = Layer.effect(ApprovedCalls, makeApprovedCalls).pipe(
    Layer.provide([Approvals.layer, BoundCalls.layer, CachedConnections.layer, Idempotency.layer])
  )
}

const onlyPeople = "Only a signed-in person lists and decides approvals."
