import { Config, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { RateLimited } from "../Api/Errors.ts"
import { type Principal, rateSubjectOf } from "../Domain/Access/Principal.ts"
import { RequestCounts } from "./RequestCounts.ts"

/** Counted across all instances. A window starts with the first request. */
export interface RatePolicy {
  readonly limit: number
  readonly window: Duration.Duration
}

export interface RateWindow extends RatePolicy {
  readonly name: Principal["via"]
  readonly remaining: number
  readonly reset: number
}

/** The scarcest quota of a provider, for a call that could reach the provider. */
export interface ProviderQuota {
  readonly name: string
  readonly limit: number
  readonly remaining: number
  readonly windowSeconds: number
  /** Epoch milliseconds. */
  readonly resetsAt: number
}

/** The limits that a request has met: the caller's own, and the scarcest quota of a provider. */
export interface MetLimits {
  rate: RateWindow | undefined
  provider: ProviderQuota | undefined
}

/** Filled by the services that count, and read by the interfaces that answer. */
export const MetLimits = Context.Reference<MetLimits | undefined>("openaccounts/Capacity/RateLimit/MetLimits", {
  defaultValue: () => undefined
})

/** The messages of a batch end in any order, so the fewest remaining requests are the newest. */
export const noteRate = (met: MetLimits, rate: RateWindow): void => {
  if (met.rate === undefined || rate.remaining < met.rate.remaining) met.rate = rate
}

export const noteProviderQuota = (scarcest: ProviderQuota): Effect.Effect<void> =>
  Effect.map(MetLimits, (met) => {
    if (met !== undefined) met.provider = scarcest
  })

export class RateLimit extends Context.Service<RateLimit, {
  readonly policy: Option.Option<RatePolicy>
  readonly take: (principal: Principal) => Effect.Effect<void, RateLimited>
}>()("openaccounts/Capacity/RateLimit") {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function*() {
      const counts = yield* RequestCounts
      const policy = yield* ratePolicy
      return RateLimit.of({
        policy,
        take: Option.match(policy, { onNone: () => () => Effect.void, onSome: (policy) => limitTo(policy, counts) })
      })
    })
  ).pipe(Layer.provide(RequestCounts.layer))
}

const RateText = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,8}(\/(second|minute|hour))?$/u, {
    message: "Expected a number of requests a minute, as in 600, or a rate, as in 10/second, 600/minute or 5000/hour"
  })
)

const windows: Readonly<Record<string, Duration.Duration>> = {
  second: Duration.seconds(1),
  hour: Duration.hours(1)
}

export const ratePolicy = Config.option(Config.map(Config.schema(RateText, "RATE_LIMIT"), (text): RatePolicy => {
  const [limit, unit = "minute"] = text.split("/")
  return { limit: Number(limit), window: windows[unit] ?? Duration.minutes(1) }
}))

const limitTo = (policy: RatePolicy, counts: RequestCounts["Service"]) =>
  Effect.fnUntraced(function* takeRequest(principal: Principal): Effect.fn.Return<void, RateLimited> {
    const { limit, window } = policy
    // Without a database, requests pass: availability matters more than the limit.
    const counted = yield* Effect.option(counts.add(rateSubjectOf(principal), window))
    if (Option.isNone(counted)) return
    const { millisLeft, requests } = counted.value
    const reset = Math.ceil(millisLeft / 1000)
    const met = yield* MetLimits
    if (met !== undefined) {
      noteRate(met, { ...policy, name: principal.via, remaining: Math.max(0, limit - requests), reset })
    }
    if (requests > limit) {
      return yield* new RateLimited({
        message: `The limit of ${limit} requests is reached. You can make more in ${reset} seconds.`,
        details: { limited_by: principal.via, retry_after_seconds: reset }
      })
    }
  })
