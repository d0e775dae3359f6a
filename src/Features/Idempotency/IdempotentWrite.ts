import { Context, Effect, Exit, Option } from "effect"
import { hash } from "node:crypto"
import type { CallError, ToolCallError } from "../../Api/Errors.ts"
import { type OnLogged, StoredResponse } from "../../Calls/CallResult.ts"
import { canonicalJson } from "../../Domain/Json/CanonicalJson.ts"
import type { Access, ProviderRequest } from "../../Providers/ProviderClient.ts"
import type { Send, Sender, SendStep } from "../../Providers/Sending/SendSteps.ts"
import type { Idempotency, KeyUse } from "./Idempotency.ts"

export interface IdempotentWrite {
  readonly sent: SentWrites["Service"]
  /** Records the outcome of the call. Never fails: without a record, the outcome becomes `outcome_unknown`. */
  readonly settle: OnLogged
}

/** Notes the writes of a call that may have been sent. */
export class SentWrites extends Context.Service<SentWrites, {
  readonly watch: <E extends ToolCallError>(next: Send<E>) => Send<E>
}>()("openaccounts/Features/Idempotency/SentWrites") {}

export const idempotencySend: SendStep = {
  name: "idempotency",
  of: "writes",
  wrap: <E extends ToolCallError>({ notes }: Sender<E>, next: Send<E>) =>
    Context.getOrUndefined(notes, SentWrites)?.watch(next) ?? next
}

export const makeIdempotentWrites = (idempotency: Idempotency["Service"]) => {
  const start = Effect.fnUntraced(function* start(use: KeyUse): Effect.fn.Return<IdempotentWrite> {
    yield* Effect.forkChild(idempotency.keepLease(use))
    const { mayHaveWritten, sent } = watchWrites()

    const outcome: OnLogged = (exit, connectionId) => {
      const { callId } = use
      if (Exit.isSuccess(exit)) {
        const { response } = exit.value
        if (response instanceof StoredResponse) {
          // The response of an approved write. An error releases the key, so that a person is asked again.
          return response.status === 200 ? idempotency.keep(use, response) : idempotency.release(use)
        }
        return idempotency.keep(
          use,
          new StoredResponse({ callId, status: 200, retryAfter: undefined, body: response.text, connectionId })
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
      sent,
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

/** Notes only writes: after reads, the key is free. */
const watchWrites = () => {
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

  const watch = <E extends ToolCallError>(next: Send<E>): Send<E> => (request) =>
    request.endpoint.writes
      ? Effect.suspend(() => {
        sent.add(request)
        return Effect.tapError(
          next({ ...request, access: watchAccess(request) }),
          (error) => Effect.sync(() => isNeverSent(error) && sent.delete(request))
        )
      })
      : next(request)

  return { sent: { watch }, mayHaveWritten: () => sent.size > 0 }
}

const isNeverSent = (error: ToolCallError): boolean =>
  error._tag === "RateLimited" || error._tag === "UpstreamUnreachable" && !error.wasSent
