import { Effect, type Redacted } from "effect"
import { type CallError, InvalidInput } from "../Api/Errors.ts"
import { CurrentShare, type Share } from "../Capacity/Capacity.ts"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { makeSends } from "../Connections/Bounds/Sends.ts"
import { ConnectionHealth } from "../Connections/ConnectionHealth.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import { ProviderClient, type SendRequest, withoutEchoes } from "../Providers/ProviderClient.ts"
import { budgetsOf, type Caller, priorityOf, waitMillisOf } from "../Providers/Sending/Caller.ts"
import { makeCachedCalls } from "./Cache/CachedCalls.ts"
import { CacheKey } from "./Cache/CacheKey.ts"
import type { Permitted, Rights } from "./Rights.ts"
import type { PermittedCall, PreparedCall, Run } from "./Steps.ts"

interface Asking {
  readonly caller: Caller
  readonly onAsk: () => void
  /** Called with each secret that was removed from the provider's response. */
  readonly onEcho: (secret: Redacted.Redacted) => void
}

/** What a permitted call runs: the cache, then the provider with the credentials of the connection. */
export const makeCallProvider = Effect.fnUntraced(function* makeCallProvider(rights: Rights) {
  const accessTokens = yield* AccessTokens
  const cached = yield* makeCachedCalls
  const client = withoutEchoes(yield* ProviderClient)
  const health = yield* ConnectionHealth
  const sendsOf = yield* makeSends

  const run = (
    { access, connection, prepared }: PermittedCall,
    send: SendRequest,
    share: Share
  ): Effect.Effect<JsonText, CallError> =>
    Effect.andThen(
      health.touch(connection.id),
      Effect.provideService(prepared.run(send, access), CurrentShare, share)
    )

  const read: Run<PermittedCall> = (call) => {
    const { bounds, connection, operation, prepared, request, sends, share } = call
    const key = new CacheKey(connection, operation.target, prepared.input, bounds)
    const reading = (using: Share) => run(call, sends.limit(sends.read), using)
    return Effect.map(
      Effect.interruptible(cached.read(key, request.max_age ?? 0, reading, share)),
      ({ data, ...facts }) => ({ data, facts })
    )
  }

  const write: Run<PermittedCall> = (call) => {
    const { connection, context, notes, sends, share } = call
    const written = run(call, sends.write(notes), share.neverRefusing)
    return Effect.map(cached.write(connection, written, () => context.hasAsked), (data) => ({ data, facts: {} }))
  }

  return {
    read,
    write,

    /** Refuses a call that the provider would certainly refuse. */
    open: (
      call: PreparedCall,
      { bounds, connection }: Permitted,
      { caller, onAsk, onEcho }: Asking
    ): Effect.Effect<PermittedCall, CallError> => {
      const { operation, prepared } = call
      const misplaced = prepared.misplaced()
      if (misplaced.length > 0) return Effect.fail(InvalidInput.ofCall(misplaced))
      const access = accessTokens.access(connection, operation.provider)
      const noted: SendRequest = (request) => {
        onAsk()
        return client.call(request, onEcho)
      }
      const recheck = rights.recheck(call, connection.id)
      const sends = sendsOf({ connection, bounds, client: noted }, { caller, recheck })
      const opened = { ...call, connection, bounds, access, sends }
      return operation.createsFile
        ? Effect.flatMap(
          access.ownsFiles,
          (owns) => owns ? Effect.succeed(opened) : Effect.fail(new InvalidInput({ details: [cannotOwnFiles] }))
        )
        : Effect.succeed(opened)
    }
  }
})

/** Who sends the requests of a call. */
export const callerFor = (
  { incoming, operation, principal, request }: PreparedCall,
  { connection }: Permitted
): Caller => ({
  member: principal.memberId,
  priority: priorityOf(incoming.headers.priority),
  connectionId: connection.id,
  waitMillis: waitMillisOf(incoming.headers.prefer),
  budgets: budgetsOf(principal, operation.writes && request.dry_run !== true),
  scarcest: undefined
})

const cannotOwnFiles = {
  path: ["connection_id"],
  message: "A service account cannot own files; use a connection made through an identity-provider sign-in " +
    "(or a service account with a `subject` to act for)"
}
