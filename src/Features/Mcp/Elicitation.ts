import { Clock, Effect, Schema } from "effect"
import type { Principal } from "../../Domain/Access/Principal.ts"
import type { ToolResult } from "./Tools/ToolResult.ts"

/**
 * What the user of a client that can show pages has answered to the same call before. Revisions before 2026-07-28 do
 * not report it.
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

/** Asks a person at the first call, and waits for the decision when the call is repeated. */
export const elicitDecision = Effect.fnUntraced(function*<E>(
  principal: Principal,
  elicitation: Elicitation | undefined,
  { again, first }: Readonly<Record<"first" | "again", Effect.Effect<ToolResult, E>>>
): Effect.fn.Return<ToolResult, E> {
  const startedAt = yield* Clock.currentTimeMillis
  const result = yield* first
  const { question } = result
  if (question === undefined || elicitation === undefined || elicitation === "declined") return result

  const wasAsked = elicitation === "unknown"
    ? Effect.map(question.wait(principal, 0), ({ askedAt }) => askedAt.getTime() < startedAt)
    : Effect.succeed(elicitation === "accepted")
  if (!(yield* orFalse(wasAsked))) return { ...result, elicits: question }
  const isDecided = Effect.map(question.wait(principal, waitSeconds), ({ isDecided }) => isDecided)
  return (yield* orFalse(isDecided)) ? yield* again : result
})

const orFalse = <E>(effect: Effect.Effect<boolean, E>) => Effect.catch(effect, () => Effect.succeed(false))
