import { Config, Effect, Result } from "effect"
import { cacheRetention } from "../../../Calls/Cache/Cache.ts"
import { callSettings } from "../../../Calls/CallSettings.ts"
import { logRetention } from "../../../Calls/Log/Storage/Retention.ts"
import { maxCalls, maxResponseBytes } from "../../../Capacity/Capacity.ts"
import { ratePolicy } from "../../../Capacity/RateLimit.ts"
import { readServiceAccount } from "../../../Connections/Connect/ConnectMethods.ts"
import { features } from "../../../Features/Features.ts"
import { configuredFeatures } from "../../../Features/FeaturesOff.ts"
import { trustedProxies } from "../../../Http/Server/ClientAddress.ts"
import { maxRequestBytes } from "../../../Http/Server/RequestBody.ts"
import { logSettings } from "../../../Observability/LogFormat.ts"
import { metricsToken, otlpEndpoint } from "../../../Observability/Metrics.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { readApplication } from "../../../Providers/OAuth/OAuth.ts"
import { identitiesOf } from "../../../Providers/Provider.ts"
import { upstreamTimeout } from "../../../Providers/Upstream.ts"
import { providers } from "../../../Registrations.ts"
import { isEnforced } from "../../../Sandbox/Server/EnforceQuotas.ts"
import { connectionLimits, databaseServer, type StartSettings } from "../../../Settings.ts"
import { configMessage } from "../../Failure.ts"
import { check, ok, problem } from "./Check.ts"

const declarations: ReadonlyArray<StartSettings> = [
  cacheRetention,
  callSettings,
  configuredFeatures(features),
  connectionLimits,
  databaseServer,
  isEnforced,
  logRetention,
  logSettings,
  maxCalls,
  maxRequestBytes,
  maxResponseBytes,
  metricsToken,
  operatorBranding,
  otlpEndpoint,
  ratePolicy,
  readServiceAccount,
  trustedProxies,
  upstreamTimeout,
  ...identitiesOf(providers).map(readApplication)
]

/** All features, if the setting that leaves features out is invalid. */
export const featuresOn = Effect.orElseSucceed(configuredFeatures(features), () => features)

/** Every setting of the start that no other check reads. */
export const otherSettings = Effect.gen(function*() {
  const ofFeatures = (yield* featuresOn).flatMap(({ owns }) => owns?.settings ?? [])
  const results = yield* Effect.forEach([...declarations, ...ofFeatures], (read) => Effect.result(read))
  const wrong = new Set(results.flatMap((result) => {
    if (Result.isSuccess(result)) return []
    const error = result.failure
    return [error instanceof Config.ConfigError ? configMessage(error) : error.message]
  }))
  return wrong.size === 0 ? ok("all other settings can be read") : problem([...wrong].join("\n"))
}).pipe(check("settings"))
