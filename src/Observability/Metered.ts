import { Cause, type Context, Effect, Exit, Layer, Option } from "effect"
import { InternalError, type ProviderError } from "../Api/Errors.ts"
import { Cache } from "../Calls/Cache/Cache.ts"
import { Calls } from "../Calls/Calls.ts"
import { CallLog } from "../Calls/Log/CallLog.ts"
import type { AuthType } from "../Domain/Connection.ts"
import type { IdentityProvider } from "../Providers/OAuth/IdentityProvider.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import { ProviderClient } from "../Providers/ProviderClient.ts"
import { probeDatabase } from "../Sql/DatabaseMetrics.ts"
import type { Meter } from "./Meter.ts"
import { Metrics } from "./Metrics.ts"

/** A service, measured on the way to it; the service itself, where nothing is measured. */
const metered = <I, S>(tag: Context.Service<I, S>, measured: (service: S, meter: Meter) => S) =>
  Layer.effect(
    tag,
    Effect.gen(function*() {
      const service = yield* tag
      const meter = yield* Metrics
      return meter === undefined ? service : measured(service, meter)
    })
  )

/** How many are under way. */
const inFlight = () => {
  let count = 0
  return {
    read: () => count,
    track: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        count++
        return Effect.onExitPrimitive(effect, () => {
          count--
          return undefined
        })
      })
  }
}

export const MeteredCalls = metered(Calls, (calls, meter) => {
  const { read, track } = inFlight()
  meter.gauge({ name: "openaccounts_calls_in_flight", help: "Calls being answered." }, read)
  return { ...calls, call: (incoming) => track(calls.call(incoming)) }
})

const MeteredCallLog = metered(CallLog, (callLog, meter) => {
  const { read, track } = inFlight()
  meter.gauge(
    { name: "openaccounts_call_log_queue_length", help: "Calls that wait until the log has them." },
    read
  )
  let failures = 0
  meter.total(
    { name: "openaccounts_call_log_failures_total", help: "Calls that could not be logged." },
    () => failures
  )
  return {
    ...callLog,
    append: (call) => Effect.tapError(track(callLog.append(call)), () => Effect.sync(() => failures++))
  }
})

const MeteredCache = metered(Cache, (cache, meter) => {
  const hits = meter.counter({
    name: "openaccounts_cache_hits_total",
    help: "Calls with a max_age for which a stored response was young enough."
  })
  const misses = meter.counter({
    name: "openaccounts_cache_misses_total",
    help: "Calls with a max_age for which there was no such response."
  })
  return {
    ...cache,
    get: (key, maxAge) =>
      Effect.map(cache.get(key, maxAge), (found) => {
        const count = Option.isSome(found) ? hits : misses
        count({ provider: key.connection.provider })
        return found
      })
  }
})

const MeteredProviderClient = metered(ProviderClient, (client, meter) => {
  const duration = meter.histogram({
    name: "openaccounts_upstream_duration_seconds",
    help: "What requests to the providers took, with further tries and without the wait for credentials."
  })
  return {
    call: (request) =>
      Effect.clockWith((clock) => {
        const { access, provider } = request
        let start: bigint | undefined
        const secret = Effect.map(access.secret, (secret) => {
          start = clock.currentTimeNanosUnsafe()
          return secret
        })
        return Effect.onExitPrimitive(client.call({ ...request, access: { ...access, secret } }), () => {
          if (start === undefined) return
          duration({ provider: provider.id }, Number(clock.currentTimeNanosUnsafe() - start) / 1e9)
        })
      })
  }
})

const MeteredOAuth = metered(OAuth, (oauth, meter) => {
  const refreshes = meter.counter({
    name: "openaccounts_token_refreshes_total",
    help: "Access tokens asked for, by identity provider, kind of credentials and outcome."
  })
  const counted = <A>(identity: IdentityProvider, auth_type: AuthType, ask: Effect.Effect<A, ProviderError>) =>
    Effect.onExit(ask, (exit) => Effect.sync(() => refreshes({ identity: identity.id, auth_type, ...outcomeOf(exit) })))
  return {
    ...oauth,
    refresh: (identity, token) => counted(identity, "oauth", oauth.refresh(identity, token)),
    assertServiceAccount: (identity, key, scopes) =>
      counted(identity, "service_account", oauth.assertServiceAccount(identity, key, scopes))
  }
})

const outcomeOf = (exit: Exit.Exit<unknown, ProviderError>) =>
  Exit.isSuccess(exit) ? { outcome: "ok" } : {
    outcome: "error",
    error_code: Option.match(Cause.findErrorOption(exit.cause), {
      onNone: () => InternalError.code,
      onSome: ({ code }) => code
    })
  }

const MeteredDatabase = Layer.effectDiscard(
  Effect.flatMap(Metrics, (meter) => meter === undefined ? Effect.void : probeDatabase(meter))
)

/** What stands below the pipeline; whichever layer stands behind it. */
export const MeteredServices = Layer.mergeAll(
  MeteredCallLog,
  MeteredCache,
  MeteredProviderClient,
  MeteredOAuth,
  MeteredDatabase
)
