import { Effect, Exit, Option } from "effect"
import { hash } from "node:crypto"
import type { CallError, ProviderCallError } from "../../Api/Errors.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { canonicalJson } from "../../Domain/Json/CanonicalJson.ts"
import type { Access, ProviderClient, ProviderRequest } from "../../Providers/ProviderClient.ts"
import { type CallResponse, textOf } from "../Results/LongResponse.ts"
import { type Idempotency, type KeyUse, StoredResponse } from "./Idempotency.ts"

export interface IdempotentWrite {
  readonly client: ProviderClient["Service"]
  /** Records the outcome of the call. Never fails: without a record, the outcome becomes `outcome_unknown`. */
  readonly settle: (
    exit: Exit.Exit<CallResponse, CallError>,
    connectionId: ConnectionId | null
  ) => Effect.Effect<void>
}

export const makeIdempotentWrites = (
  idempotency: Idempotency["Service"],
  providerClient: ProviderClient["Service"]
) => {
  const start = Effect.fnUntraced(function*(use: KeyUse): Effect.fn.Return<IdempotentWrite> {
    yield* Effect.forkChild(idempotency.keepLease(use))
    const { client, mayHaveWritten } = watch(providerClient)

    const outcome = (
      exit: Exit.Exit<CallResponse, CallError>,
      connectionId: ConnectionId | null
    ): Effect.Effect<void> => {
      const { callId } = use
      if (Exit.isSuccess(exit)) {
        return idempotency.keep(
          use,
          new StoredResponse({ callId, status: 200, retryAfter: undefined, body: textOf(exit.value), connectionId })
        )
      }
      if (!mayHaveWritten()) return idempotency.release(use)
      const error = Option.getOrUndefined(Exit.findErrorOption(exit))
      if (error === undefined || error._tag === "UpstreamUnreachable" || error._tag === "InternalError") {
        return idempotency.markUnknown(use)
      }
      const { retryAfter, status } = error
      return idempotency.keep(
        use,
        new StoredResponse({ callId, status, retryAfter, body: JSON.stringify(error.body(callId)), connectionId })
      )
    }

    return {
      client,
      settle: (exit, connectionId) =>
        Effect.catchCause(
          Effect.suspend(() => outcome(exit, connectionId)),
          (cause) => Effect.logError(`The outcome of ${use.callId} could not be stored for its Idempotency-Key`, cause)
        )
    }
  })

  return {
    /** Returns the stored response of a used key. A claim without a recorded outcome ends with the fiber. */
    claim: (use: KeyUse): Effect.Effect<IdempotentWrite | StoredResponse, CallError> =>
      Effect.flatMap(
        idempotency.claim(use),
        (stored): Effect.Effect<IdempotentWrite | StoredResponse> =>
          Option.isSome(stored) ? Effect.succeed(stored.value) : start(use)
      )
  }
}

export const hashBody = (json: unknown): Buffer => hash("sha256", canonicalJson(json), "buffer")

/** Notes the writes that may have been sent. Reads leave the key free. */
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

  const write: ProviderClient["Service"]["call"] = (request) =>
    Effect.suspend(() => {
      sent.add(request)
      return Effect.tapError(
        client.call({ ...request, access: watchAccess(request) }),
        (error) => Effect.sync(() => isNeverSent(error) && sent.delete(request))
      )
    })

  const call: ProviderClient["Service"]["call"] = (request) =>
    request.endpoint.writes ? write(request) : client.call(request)

  return { client: { call }, mayHaveWritten: () => sent.size > 0 }
}

const isNeverSent = (error: ProviderCallError): boolean =>
  error._tag === "RateLimited" || error._tag === "UpstreamUnreachable" && !error.wasSent
