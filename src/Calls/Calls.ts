import { Clock, Config, Context, Duration, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import type { CallRequest } from "../Api/CallApi.ts"
import {
  CallerDisconnected,
  type CallError,
  ConnectionAmbiguous,
  ConnectionInactive,
  ConnectionNotFound,
  InternalError,
  type InvalidHttp,
  InvalidInput,
  type PayloadTooLarge,
  type RateLimited,
  ReadOnly,
  type RequestTimeout
} from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import type { Credential } from "../Auth/Credential.ts"
import { RateLimit } from "../Auth/RateLimit.ts"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import type { Connection, LastError } from "../Domain/Connection.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { JsonText } from "../Domain/JsonText.ts"
import { isClientInScope } from "../Domain/ManagementScope.ts"
import { grantedOf, type Principal, rateSubjectOf } from "../Domain/Principal.ts"
import { CurrentBytes, smallBytes } from "../Providers/CallBytes.ts"
import { Catalog } from "../Providers/Catalog.ts"
import type { Operation } from "../Providers/Operation.ts"
import type { Provider } from "../Providers/Provider.ts"
import { ProviderClient } from "../Providers/ProviderClient.ts"
import { isRedacted } from "../Redaction/KnownSecrets.ts"
import { Cache, isTooLong } from "./Cache/Cache.ts"
import { CacheKey } from "./Cache/CacheKey.ts"
import { makeSharedReads } from "./Cache/SharedReads.ts"
import { CallCapacity, tooManyBytes, tooManyCalls } from "./CallCapacity.ts"
import { CallContext } from "./CallContext.ts"
import { countCalls } from "./CallMetrics.ts"
import { parseCallRequest, type ReceivedBody, receivedBody } from "./CallRequest.ts"
import { Idempotency, KeptAnswer } from "./Idempotency.ts"
import { hashBody, makeIdempotentWrites } from "./IdempotentWrite.ts"
import { makeInFlight } from "./InFlight.ts"
import { CallLog } from "./Log/CallLog.ts"
import { limitRefusedCalls } from "./Log/RefusedCallLimit.ts"
import { redactCall } from "./RedactCall.ts"

export interface IncomingCall {
  readonly id: CallId
  readonly credential: Credential | undefined
  readonly idempotencyKey: string | undefined
  readonly address: () => Option.Option<string>
  readonly body: (
    hold: (bytes: number) => Effect.Effect<void, RateLimited>
  ) => Effect.Effect<Uint8Array | ReceivedBody, PayloadTooLarge | RequestTimeout | InvalidHttp | RateLimited>
  /** A further rule of the interface. */
  readonly refuse?: (operation: Operation, principal: Principal) => CallError | undefined
  readonly whenSent: (release: () => void) => void
}

export type CallAnswer = string | KeptAnswer

const largeBytes = 1_000_000

const Price = Schema.FiniteFromString.check(Schema.isGreaterThanOrEqualTo(0))

/** The pipeline of every call, in the order of contract section 4. */
export class Calls extends Context.Service<Calls, {
  /** The call is in the log when this returns, also when it fails. A kept answer is not logged again. */
  readonly call: (incoming: IncomingCall) => Effect.Effect<CallAnswer, CallError>
}>()("openaccounts/Calls/Calls") {
  static readonly layer = Layer.effect(
    Calls,
    Effect.gen(function*() {
      const auth = yield* Auth
      const rateLimit = yield* RateLimit
      const catalog = yield* Catalog
      const connections = yield* ConnectionRepo
      const cachedConnections = yield* CachedConnections
      const accessTokens = yield* AccessTokens
      const lastErrors = yield* LastErrors
      const cache = yield* Cache
      const providerClient = yield* ProviderClient
      const idempotentWrites = makeIdempotentWrites(yield* Idempotency, providerClient)
      const append = yield* countCalls(yield* limitRefusedCalls(yield* CallLog))
      const logBodyBytes = yield* Config.Int("LOG_BODY_BYTES").pipe(Config.withDefault(65_536))
      const price = yield* Config.schema(Price, "CALL_PRICE_USD").pipe(Config.withDefault(0))
      const { fork, run } = yield* makeInFlight
      const shareRead = makeSharedReads<JsonText, CallError>(fork)
      const shares = yield* CallCapacity

      const findOperation = (request: CallRequest): Effect.Effect<Operation, CallError> =>
        Effect.flatMapEager(
          catalog.provider(request.provider),
          (provider): Effect.Effect<Operation, CallError> =>
            request.endpoint === undefined
              ? catalog.tool(provider, request.tool ?? "")
              : catalog.endpoint(provider, request.endpoint)
        )

      const chooseConnection = (
        principal: Principal,
        { id: provider }: Provider,
        id: string | undefined
      ): Effect.Effect<Connection, CallError> =>
        id === undefined
          ? Effect.flatMap(
            cachedConnections.active(principal.clientIds, provider),
            (active) => onlyOne(grantedOf(principal, active), lastErrors.current)
          )
          // No id has a NUL, which Postgres refuses.
          : Effect.flatMap(id.includes("\0") ? Effect.succeedNone : cachedConnections.find(id), (found) =>
            Option.isSome(found) && found.value.provider === provider && isVisible(principal, found.value)
              ? Effect.succeed(found.value)
              : new ConnectionNotFound())

      /** Never fails: the answer of a write goes out whatever happens to the cache. */
      const dropCached = ({ id }: Connection) =>
        Effect.catchCause(
          cache.drop(id),
          (cause) => Effect.logError(`The cache of ${id} may still have responses from before a write`, cause)
        )

      const answer = Effect.fnUntraced(function*(
        incoming: IncomingCall,
        context: CallContext
      ): Effect.fn.Return<JsonText | KeptAnswer, CallError> {
        // 1. Authentication
        const principal = context.principal = yield* auth.authenticate(incoming.credential)
        yield* rateLimit.take(rateSubjectOf(principal))
        context.turn = shares.calls.open(principal.memberId)
        context.stoppable = true
        yield* Effect.mapError(context.turn.take(1), tooManyCalls)
        context.stoppable = false
        const held = context.bytes = shares.bytes.open(principal.memberId)

        // 2. Size and JSON
        const sent = yield* incoming.body((size) => Effect.mapError(held.hold("request", size), tooManyBytes))
        const received = sent instanceof Uint8Array ? receivedBody(sent) : sent
        context.body = received.text
        const json = yield* received.json
        const isLarge = received.length > largeBytes
        // Parsing, decoding and sending a large body each hold the event loop for as long as contract section 18 allows.
        if (isLarge) yield* Effect.yieldNow
        // 3. Body
        const request = context.request = yield* parseCallRequest(json, incoming.idempotencyKey)

        // 4. Provider and operation
        const operation = yield* findOperation(request)
        const refusal = incoming.refuse?.(operation, principal)
        if (refusal !== undefined) return yield* refusal
        // 5. Read-only
        if (operation.writes && principal.access === "read_only") return yield* new ReadOnly(readOnlyOf(principal))
        if (!operation.writes) {
          context.stoppable = true
          if (context.hungUp) return yield* new CallerDisconnected()
        }
        // 6. Input
        const { input, run } = yield* operation.prepare(request.input)
        if (isLarge) yield* Effect.yieldNow

        if (operation.writes && incoming.idempotencyKey !== undefined) {
          const claimed = yield* idempotentWrites.claim({
            memberId: principal.memberId,
            key: incoming.idempotencyKey,
            bodyHash: hashBody(json),
            callId: incoming.id
          })
          if (claimed instanceof KeptAnswer) return claimed
          context.idempotentWrite = claimed
        }

        // 7. Connection
        const connection = context.connection = yield* chooseConnection(
          principal,
          operation.provider,
          request.connection_id
        )
        if (connection.status !== "active") return yield* new ConnectionInactive()
        const access = accessTokens.access(connection, operation.provider)
        if (operation.createsFile && !(yield* access.ownsFiles)) {
          return yield* new InvalidInput({ details: [cannotOwnFiles] })
        }
        // 9. Credentials and 10. Provider, where the cache has no response
        const callProvider = Effect.andThen(
          connections.touch(connection.id),
          Effect.provideService(run(context.idempotentWrite?.client ?? providerClient, access), CurrentBytes, held)
        )

        if (operation.writes) {
          context.mayHaveWritten = true
          held.cannotFail = true
          // Also after a failure: the provider may have carried out the write.
          return yield* Effect.ensuring(callProvider, dropCached(connection))
        }

        // 8. Cache
        const key = new CacheKey(connection, operation.target, input)
        const requestedAt = yield* Clock.currentTimeMillis
        /** Skips a response in which the provider repeated the credential. */
        const store = (body: JsonText) =>
          // The search takes a millisecond for each megabyte.
          isTooLong(body) || isRedacted(body) ? Effect.void : cache.put(key, body, requestedAt)
        const maxAge = Duration.seconds(request.max_age ?? 0)
        if (Duration.isZero(maxAge)) {
          const body = yield* callProvider
          context.store = store(body)
          return body
        }
        const stored = yield* cache.get(key, maxAge)
        context.cached = Option.isSome(stored)
        if (Option.isSome(stored)) return stored.value
        const [body, shared] = yield* shareRead(
          key.name,
          Effect.tap(callProvider, store),
          held,
          (startedAt) => cache.droppedSince(connection.id, startedAt)
        )
        context.cached = shared
        return body
      })

      const holdAnswer = (answer: JsonText | KeptAnswer, context: CallContext): Effect.Effect<void, RateLimited> => {
        const { length } = answer instanceof KeptAnswer ? answer.body : answer.text
        if (length <= smallBytes || context.principal === undefined) return Effect.void
        context.answer = shares.answers.open(context.principal.memberId)
        const held = Effect.mapError(context.answer.take(length), tooManyBytes)
        return context.mayHaveWritten ? Effect.ignore(held) : held
      }

      const call = Effect.fnUntraced(function*(
        incoming: IncomingCall,
        context: CallContext
      ): Effect.fn.Return<CallAnswer, CallError> {
        const clock = yield* Clock.Clock
        const start = clock.currentTimeNanosUnsafe()
        const answering = Effect.catchDefect(
          Effect.tap(answer(incoming, context), (data) => holdAnswer(data, context)),
          (cause) =>
            Effect.andThen(
              Effect.logError("A call failed inside the service", cause),
              Effect.fail(new InternalError({ cause }))
            )
        )
        const answered = yield* Effect.exit(Effect.interruptible(answering))
        let exit: Exit.Exit<JsonText, CallError>
        if (Exit.isFailure(answered)) exit = Exit.fail(context.errorOf(answered.cause))
        else if (answered.value instanceof KeptAnswer) return answered.value
        else exit = Exit.succeed(answered.value)
        const latency = clock.currentTimeNanosUnsafe() - start

        // 11. Log, then the response
        const completed = context.complete(exit, latency, price)
        const logged = Effect.catch(
          append(redactCall(completed.call, logBodyBytes), incoming.address),
          ({ cause }) =>
            Effect.andThen(
              Effect.logError("A call could not be logged", cause),
              context.mayHaveWritten ? Effect.void : Effect.fail(new InternalError({ cause }))
            )
        )
        const lastError = context.connection === undefined || context.cached
          ? undefined
          : lastErrors.record(context.connection, exit, clock.currentTimeMillisUnsafe())
        const log = lastError === undefined
          ? logged
          : Effect.all([logged, lastError], { concurrency: "unbounded", discard: true })
        if (context.store === undefined) {
          // The answer is kept after the log: a replay names a call that is logged.
          const write = context.idempotentWrite
          yield* write === undefined ? log : Effect.ensuring(log, write.settle(completed.answer))
        } else {
          // Both commits run at once. The log starts first, so that the cache can name the call instead of storing a copy.
          const logging = yield* Effect.forkChild(log, { startImmediately: true })
          const storing = yield* Effect.exit(context.store)
          yield* Fiber.join(logging)
          yield* storing
        }
        return yield* completed.answer
      })

      return Calls.of({
        // When the caller goes away, a write is finished and a read is stopped. Both are logged.
        call: (incoming) =>
          Effect.suspend(() => {
            const context = new CallContext(incoming.id)
            const release = Effect.sync(() => context.release(incoming.whenSent))
            return run(
              Effect.uninterruptible(Effect.ensuring(call(incoming, context), release)),
              () => context.hangUp()
            )
          })
      })
    })
  )
}

const onlyOne = (
  connections: ReadonlyArray<Connection>,
  lastErrorOf: (connection: Connection) => LastError | null
): Effect.Effect<Connection, CallError> => {
  const [connection] = connections
  if (connection === undefined) return Effect.fail(new ConnectionNotFound())
  if (connections.length === 1) return Effect.succeed(connection)
  return Effect.fail(
    new ConnectionAmbiguous({
      details: {
        connection_ids: connections.map(({ id }) => id),
        connections: connections.map((connection) => {
          const { external_account, id, label } = connection
          return { id, label, external_account, last_error: lastErrorOf(connection) }
        })
      }
    })
  )
}

const readOnlyOf = ({ via }: Principal): { readonly message?: string } => {
  switch (via) {
    case "key":
      return {}
    case "session":
      return { message: "A session only reads, unless the request has `X-OA-Access: read_write`." }
    case "grant":
      return { message: "This agent may only read: its grant is read-only, or its token was given for reading." }
  }
}

const isVisible = ({ clientIds, connectionIds }: Principal, { client_id, id }: Connection): boolean =>
  isClientInScope(clientIds, client_id) && (connectionIds === null || connectionIds.includes(id))

const cannotOwnFiles = {
  path: ["connection_id"],
  message: "A service account cannot own files; use a connection made through an identity-provider sign-in " +
    "(or a service account with a `subject` to act for)"
}
