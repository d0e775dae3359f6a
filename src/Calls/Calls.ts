import { Clock, Config, Context, Duration, Effect, Exit, Fiber, Layer, Option, type Redacted, Schema } from "effect"
import type { CallRequest } from "../Api/CallApi.ts"
import {
  type CallError,
  ConnectionAmbiguous,
  ConnectionInactive,
  ConnectionNotFound,
  InternalError,
  type InvalidHttp,
  InvalidInput,
  type PayloadTooLarge,
  ReadOnly,
  type RequestTimeout
} from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import { RateLimit } from "../Auth/RateLimit.ts"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import type { Connection } from "../Domain/Connection.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { Principal } from "../Domain/Principal.ts"
import { Catalog } from "../Providers/Catalog.ts"
import type { JsonText } from "../Providers/JsonText.ts"
import type { Operation } from "../Providers/Operation.ts"
import type { Provider } from "../Providers/Provider.ts"
import { ProviderClient } from "../Providers/ProviderClient.ts"
import { Cache } from "./Cache/Cache.ts"
import { CacheKey } from "./Cache/CacheKey.ts"
import { makeSharedReads } from "./Cache/SharedReads.ts"
import { CallContext } from "./CallContext.ts"
import { countCalls } from "./CallMetrics.ts"
import { parseCallRequest, parseJson, toJsonString } from "./CallRequest.ts"
import { makeInFlight } from "./InFlight.ts"
import { CallLog } from "./Log/CallLog.ts"
import { limitUnauthenticatedCalls } from "./Log/UnauthenticatedLogLimit.ts"

/** A call as it comes in, from whichever interface; the body is read only once the key is known to be good. */
export interface IncomingCall {
  readonly id: CallId
  readonly key: Redacted.Redacted | undefined
  readonly body: Effect.Effect<Uint8Array, PayloadTooLarge | RequestTimeout | InvalidHttp>
}

const Price = Schema.FiniteFromString.check(Schema.isGreaterThanOrEqualTo(0))

/** The pipeline that every call goes through: section 4 of the contract, in its order. */
export class Calls extends Context.Service<Calls, {
  /** The call's response, a `CallResponse` as JSON text. Whatever comes out, the call is in the log by then. */
  readonly call: (incoming: IncomingCall) => Effect.Effect<string, CallError>
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
      const cache = yield* Cache
      const providerClient = yield* ProviderClient
      const append = yield* countCalls(yield* limitUnauthenticatedCalls(yield* CallLog))
      const price = yield* Config.schema(Price, "CALL_PRICE_USD").pipe(Config.withDefault(0))
      const { run } = yield* makeInFlight
      const shareRead = makeSharedReads<JsonText, CallError>(run)

      const find = (request: CallRequest): Effect.Effect<Operation, CallError> =>
        Effect.flatMapEager(
          catalog.provider(request.provider),
          (provider): Effect.Effect<Operation, CallError> =>
            request.endpoint === undefined
              ? catalog.tool(provider, request.tool ?? "")
              : catalog.endpoint(provider, request.endpoint)
        )

      const choose = (
        { clientIds }: Principal,
        { id: provider }: Provider,
        named: string | undefined
      ): Effect.Effect<Connection, CallError> =>
        named === undefined
          ? Effect.flatMap(cachedConnections.active(clientIds, provider), theOnly)
          : Effect.flatMap(cachedConnections.find(named), (found) =>
            Option.isSome(found) && found.value.provider === provider && isVisible(found.value, clientIds)
              ? Effect.succeed(found.value)
              : new ConnectionNotFound())

      /** The answer of a write goes out whatever becomes of the cache. */
      const dropCached = ({ id }: Connection) =>
        Effect.catchCause(
          cache.drop(id),
          (cause) => Effect.logError(`What is cached for ${id} may be from before a write`, cause)
        )

      const answer = Effect.fnUntraced(function*(
        incoming: IncomingCall,
        record: CallContext
      ): Effect.fn.Return<JsonText, CallError> {
        // 1. Authentication
        const principal = record.principal = yield* auth.authenticate(incoming.key)
        yield* rateLimit.take(principal.keyId)

        // 2. Size and JSON
        const bytes = yield* incoming.body
        const parsed = parseJson(bytes)
        record.body = Exit.isSuccess(parsed) ? parsed.value.text : toJsonString(bytes)
        const { json } = yield* parsed
        // 3. Body
        const request = record.request = yield* parseCallRequest(json)

        // 4. Provider and operation
        const operation = yield* find(request)
        // 5. Read-only
        if (operation.writes && principal.access === "read_only") return yield* new ReadOnly()
        // 6. Input
        const { input, run } = yield* operation.prepare(request.input)

        // 7. Connection
        const connection = record.connection = yield* choose(principal, operation.provider, request.connection_id)
        if (connection.status !== "active") return yield* new ConnectionInactive()
        const access = accessTokens.access(connection, operation.provider)
        if (operation.createsFile && !(yield* access.ownsFiles)) return yield* new InvalidInput({ details: [noOwner] })
        // 9. Credentials, 10. the provider: run where the cache has no answer
        const ask = Effect.andThen(connections.touch(connection.id), run(providerClient, access))

        if (operation.writes) {
          record.mayHaveWritten = true
          // Also after a failure: the provider may have carried the write out all the same.
          return yield* Effect.ensuring(ask, dropCached(connection))
        }

        // 8. Cache
        const key = new CacheKey(connection, operation.target, input)
        const askedAt = yield* Clock.currentTimeMillis
        const maxAge = Duration.seconds(request.max_age ?? 0)
        if (Duration.isZero(maxAge)) {
          const body = yield* ask
          record.store = cache.put(key, body, askedAt)
          return body
        }
        const stored = yield* cache.get(key, maxAge)
        record.cached = Option.isSome(stored)
        if (Option.isSome(stored)) return stored.value
        const [body, shared] = yield* shareRead(
          key.name,
          Effect.tap(ask, (body) => cache.put(key, body, askedAt)),
          (startedAt) => cache.droppedSince(connection.id, startedAt)
        )
        record.cached = shared
        return body
      })

      const call = Effect.fnUntraced(function*(incoming: IncomingCall): Effect.fn.Return<string, CallError> {
        const clock = yield* Clock.Clock
        const start = clock.currentTimeNanosUnsafe()
        const record = new CallContext(incoming.id)
        const exit = yield* Effect.exit(Effect.catchDefect(answer(incoming, record), (cause) =>
          Effect.andThen(
            Effect.logError("A call failed inside the service", cause),
            Effect.fail(new InternalError({ cause }))
          )))
        const latency = clock.currentTimeNanosUnsafe() - start
        // 11. Log, then the response
        const completed = record.complete(exit, latency, price)
        const log = Effect.catch(append(completed.entry), ({ cause }) =>
          Effect.andThen(
            Effect.logError("A call could not be logged", cause),
            record.mayHaveWritten ? Effect.void : Effect.fail(new InternalError({ cause }))
          ))
        if (record.store === undefined) {
          yield* log
        } else {
          // Both at once, for each is a commit; nobody has the answer before the next call can have it from the cache. The
          // log begins: what it has need not be kept twice.
          const logging = yield* Effect.forkChild(log, { startImmediately: true })
          const storing = yield* Effect.exit(record.store)
          yield* Fiber.join(logging)
          yield* storing
        }
        return yield* completed.answer
      })

      return Calls.of({
        // What the provider carries out is logged, whether the caller is still there or not.
        call: (incoming) => run(call(incoming))
      })
    })
  )
}

const theOnly = (connections: ReadonlyArray<Connection>): Effect.Effect<Connection, CallError> => {
  const [connection] = connections
  if (connection === undefined) return Effect.fail(new ConnectionNotFound())
  if (connections.length === 1) return Effect.succeed(connection)
  return Effect.fail(new ConnectionAmbiguous({ details: { connection_ids: connections.map(({ id }) => id) } }))
}

/** Section 3 of the contract: a connection without a client is for members without limits. */
const isVisible = (connection: Connection, clientIds: Principal["clientIds"]): boolean =>
  clientIds === null || connection.client_id !== null && clientIds.includes(connection.client_id)

const noOwner = {
  path: ["connection_id"],
  message: "A service account cannot own files; use a connection made through an identity-provider sign-in " +
    "(or a service account with a `subject` to act for)"
}
