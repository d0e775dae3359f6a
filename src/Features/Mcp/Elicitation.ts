import { Clock, Effect, Schema } from "effect"
import type { ApprovalNotFound } from "../../Api/Errors.ts"
import type { ApprovedCalls } from "../../Calls/ApprovedCalls.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import type { ToolResult } from "./Tools/ToolResult.ts"

/**
 * Of a client that can show a page to its user: what the user has answered to the same call before. Revisions before
 * 2026-07-28 do not say.
 */
export type Elicitation = "not asked" | "accepted" | "declined" | "unknown"

/** Whether the client has declared, in the envelope of a request, that it can show pages. */
export const canElicit = Schema.is(Schema.Struct({
  "io.modelcontextprotocol/clientCapabilities": Schema.Struct({
    elicitation: Schema.Struct({ url: Schema.Unknown })
  })
}))

/** Less than the time-out of usual clients. */
const waitSeconds = 30

/** Asks for an approval at the first call, and waits for it when the call is repeated. */
export const elicitApproval = Effect.fnUntraced(function*<E>(
  approvals: ApprovedCalls["Service"],
  principal: Principal,
  elicitation: Elicitation | undefined,
  { again, first }: Readonly<Record<"first" | "again", Effect.Effect<ToolResult, E>>>
): Effect.fn.Return<ToolResult, E> {
  const startedAt = yield* Clock.currentTimeMillis
  const result = yield* first
  const { approval } = result
  if (approval === undefined || elicitation === undefined || elicitation === "declined") return result

  const wait = (seconds: number) => approvals.await(principal, approval.id, seconds)
  const wasAsked = elicitation === "unknown"
    ? Effect.map(wait(0), ({ createdAt }) => createdAt.getTime() < startedAt)
    : Effect.succeed(elicitation === "accepted")
  if (!(yield* orFalse(wasAsked))) return { ...result, elicits: approval }
  const isDecided = Effect.map(wait(waitSeconds), ({ status }) => status !== "pending" && status !== "approved")
  return (yield* orFalse(isDecided)) ? yield* again : result
})

const orFalse = (effect: Effect.Effect<boolean, ApprovalNotFound>) => Effect.catch(effect, () => Effect.succeed(false))
