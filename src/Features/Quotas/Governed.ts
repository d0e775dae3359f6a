import { Effect, Exit, Option } from "effect"
import type { ProviderCallError, ToolCallError } from "../../Api/Errors.ts"
import type { Caller } from "../../Providers/Sending/Caller.ts"
import type { AttemptResponse, Permit } from "../../Providers/Sending/Permit.ts"
import type { QuotaRequest, Quotas } from "./Quotas.ts"

type Send<Request, A, E> = (request: Request & { readonly permit: Permit }) => Effect.Effect<A, ProviderCallError | E>

/**
 * Takes the units of a request before it is sent. `recheck` runs after a wait. If it fails, so does the request, which
 * is not sent. A client that ignores the permit is governed too, except for its own retries.
 */
export const governed = <Request extends QuotaRequest, A, E extends ToolCallError = never>(
  quotas: Quotas["Service"],
  send: Send<Request, A, E>,
  caller: Caller,
  recheck: Effect.Effect<unknown, E> = Effect.void
) =>
(request: Request): Effect.Effect<A, ProviderCallError | E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(restore(quotas.take(request, caller)), (permit) => {
      const exchange = Effect.onExit(restore(send({ ...request, permit })), (exit) => {
        const error = Exit.isFailure(exit) ? Option.getOrUndefined(Exit.findErrorOption(exit)) : undefined
        const isAttempted = permit.isAttempted()
        const response = isAttempted ? undefined : responseOf(exit, error)
        const wasSent = error?._tag === "UpstreamUnreachable" ? error.wasSent : isAttempted || response !== undefined
        return Effect.mapEager(response === undefined ? Effect.void : permit.learn(response), () => permit.end(wasSent))
      })
      return permit.waited
        ? Effect.andThen(Effect.onError(restore(recheck), () => Effect.sync(() => permit.end(false))), exchange)
        : exchange
    })
  )

/** The response that a client which ignores the permit got, as far as its result shows. */
const responseOf = (exit: Exit.Exit<unknown, unknown>, error?: ToolCallError): AttemptResponse | undefined => {
  if (Exit.isSuccess(exit)) return { status: 200, retryAfter: undefined, body: () => undefined }
  if (error?._tag !== "UpstreamError") return undefined
  return { status: error.status, retryAfter: error.retryAfter, body: () => error.details }
}
