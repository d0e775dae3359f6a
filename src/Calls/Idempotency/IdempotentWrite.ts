import { Effect, Exit, Option } from "effect"
import { hash } from "node:crypto"
import type { CallError, ProviderCallError } from "../../Api/Errors.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Access, ProviderClient, ProviderRequest } from "../../Providers/ProviderClient.ts"
import { type CallResponse, textOf } from "../Results/LongResponse.ts"
import { canonicalJson } from "../Storage/CacheKey.ts"
import { type Idempotency, KeptAnswer, type KeyUse } from "./Idempotency.ts"

export interface IdempotentWrite {
  readonly client: ProviderClient["Service"]
  /** Records the outcome of the call. Never fails: without a record, the outcome becomes `outcome_unknown`. */
  readonly settle: (
    answer: Exit.Exit<CallResponse, CallError>,
    connectionId: ConnectionId | null
  ) => Effect.Effect<void>
}

export const makeIdempotentWrites = (
  idempotency: Idempotency["Service"],
  providerClient: ProviderClient["Service"]
) => {
  const start = Effect.fnUntraced(function*(use: KeyUse): Effect.fn.Return<IdempotentWrite> {
    yield* Effect.forkChild(idempotency.keepLease(use))
    const { client, wasAsked } = watch(providerClient)

    const outcome = (
      answer: Exit.Exit<CallResponse, CallError>,
      connectionId: ConnectionId | null
    ): Effect.Effect<void> => {
      const { callId } = use
      if (Exit.isSuccess(answer)) {
        return idempotency.keep(
          use,
          new KeptAnswer({ callId, status: 200, retryAfter: undefined, body: textOf(answer.value), connectionId })
        )
      }
      if (!wasAsked()) return idempotency.release(use)
      const error = Option.getOrUndefined(Exit.findErrorOption(answer))
      if (error === undefined || error._tag === "UpstreamUnreachable" || error._tag === "InternalError") {
        return idempotency.markUnknown(use)
      }
      const { retryAfter, status } = error
      return idempotency.keep(
        use,
        new KeptAnswer({ callId, status, retryAfter, body: JSON.stringify(error.body(callId)), connectionId })
      )
    }

    return {
      client,
      settle: (answer, connectionId) =>
        Effect.catchCause(
          Effect.suspend(() => outcome(answer, connectionId)),
          (cause) => Effect.logError(`The outcome of ${use.callId} could not be kept for its Idempotency-Key`, cause)
        )
    }
  })

  return {
    /** Returns the stored answer of a used key. A claim without a recorded outcome ends with the fiber of the call. */
    claim: (use: KeyUse): Effect.Effect<IdempotentWrite | KeptAnswer, CallError> =>
      Effect.flatMap(
        idempotency.claim(use),
        (kept): Effect.Effect<IdempotentWrite | KeptAnswer> =>
          Option.isSome(kept) ? Effect.succeed(kept.value) : start(use)
      )
  }
}

export const hashBody = (json: unknown): Buffer => hash("sha256", canonicalJson(json), "buffer")

const watch = (client: ProviderClient["Service"]) => {
  const sent = new Set<ProviderRequest>()

  const watchAccess = (request: ProviderRequest): Access => {
    const { access } = request
    const notSent = Effect.sync(() => sent.delete(request))
    return {
      ...access,
      secret: Effect.tapCause(access.secret, () => notSent),
      // After a 401 the provider has not carried out the request, which is sent again with a new credential.
      renew: (refused) =>
        Effect.map(Effect.andThen(notSent, access.renew(refused)), (secret) => {
          sent.add(request)
          return secret
        }),
      expire: Effect.andThen(notSent, access.expire)
    }
  }

  const call: ProviderClient["Service"]["call"] = (request) =>
    Effect.suspend(() => {
      sent.add(request)
      return Effect.tapError(
        client.call({ ...request, access: watchAccess(request) }),
        (error) => Effect.sync(() => isNeverSent(error) && sent.delete(request))
      )
    })

  return { client: { call }, wasAsked: () => sent.size > 0 }
}

const isNeverSent = (error: ProviderCallError): boolean =>
  error._tag === "RateLimited" || error._tag === "UpstreamUnreachable" && !error.wasSent
