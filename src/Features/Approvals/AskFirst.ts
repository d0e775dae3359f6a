import { Effect, Option } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import { ApprovalDenied, ApprovalRequired } from "../../Api/Errors/WriteErrors.ts"
import { StoredResponse } from "../../Calls/CallResult.ts"
import { ownDashboardUrl } from "../../Settings.ts"
import { Approvals } from "./Approvals.ts"
import type { ApprovalRow, Question, Shown } from "./StoredApproval.ts"

/**
 * Ends a write of a key or grant that is asked first: with what a person has decided about an equal call, or with an
 * error that names the approval.
 */
export const makeAskFirst = Effect.gen(function*() {
  const approvals = yield* Approvals
  const dashboardUrl = yield* ownDashboardUrl

  const required = ({ expiresAt, id }: ApprovalRow): ApprovalRequired => {
    const url = `${dashboardUrl}/dashboard/approvals/${id}`
    const message = "Nothing was written: a person has to approve this write."
    return new ApprovalRequired({
      message: `${message} GET /v1/approvals/${id}?wait=30 waits for it.`,
      agentMessage:
        `${message} Ask the user to open ${url}, then call get_approval with approval "${id}" and wait 30. ` +
        "Do not send the write again: approving sends it.",
      details: { approval_id: id, url, expires_at: expiresAt.toISOString() }
    })
  }

  const ask = (
    question: Question,
    shown: Effect.Effect<Shown, CallError>
  ): Effect.Effect<StoredResponse, CallError> =>
    Effect.gen(function*() {
      const latest = yield* approvals.latest(question)
      if (Option.isNone(latest)) {
        const created = yield* approvals.create(question, yield* shown)
        return yield* Option.isSome(created) ? required(created.value) : ask(question, shown)
      }
      const { callId, id, status } = latest.value
      if (status === "pending" || status === "approved") return yield* required(latest.value)
      if (!(yield* approvals.takeResult(id))) return yield* ask(question, shown)
      const approval = yield* approvals.open(latest.value)
      const result = Option.getOrUndefined(yield* approvals.result(approval))
      if (result === undefined || callId === null) return yield* new ApprovalDenied({ details: { approval_id: id } })
      const { body, retryAfter } = result
      return new StoredResponse({
        callId,
        status: result.status,
        retryAfter: retryAfter ?? undefined,
        body,
        connectionId: approval.connectionId
      })
    })

  return ask
})
