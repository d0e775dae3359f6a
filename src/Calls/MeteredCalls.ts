import { Effect, Layer, Option } from "effect"
import { Capacity } from "../Capacity/Capacity.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import { SetupChecks } from "../Connections/SetupChecks.ts"
import { makeInFlightCount, meteredLayer } from "../Observability/Metered.ts"
import { Cache } from "./Cache/Cache.ts"
import { Calls } from "./Calls.ts"
import { CallLog } from "./Log/CallLog.ts"

export const MeteredCalls = meteredLayer(Calls, (calls, meter) => {
  const { read, track } = makeInFlightCount()
  meter.gauge({ name: "openaccounts_calls_in_flight", help: "Calls under way." }, read)
  return { ...calls, call: (incoming) => track(calls.call(incoming)) }
}).pipe(
  Layer.provide(Calls.layer),
  Layer.provide([
    AccessTokens.layer,
    AccountResources.layer,
    BoundCalls.layer,
    CachedConnections.layer,
    Capacity.layer,
    LastErrors.layer,
    RateLimit.layer,
    SetupChecks.layer
  ])
)

const MeteredCallLog = meteredLayer(CallLog, (callLog, meter) => {
  const { read, track } = makeInFlightCount()
  meter.gauge(
    { name: "openaccounts_call_log_queue_length", help: "Calls waiting to be logged." },
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

const MeteredCache = meteredLayer(Cache, (cache, meter) => {
  const hits = meter.counter({
    name: "openaccounts_cache_hits_total",
    help: "Calls with a max_age served from the cache."
  })
  const misses = meter.counter({
    name: "openaccounts_cache_misses_total",
    help: "Calls with a max_age not served from the cache."
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

export const MeteredStores = Layer.merge(MeteredCallLog, MeteredCache)
