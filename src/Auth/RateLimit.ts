import { Clock, Config, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimited } from "../Api/Errors.ts"
import type { KeyId } from "../Domain/Ids.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { hourly } from "../Sql/Hourly.ts"
import { countRequests } from "./RequestCounter.ts"

/** How many requests a key may make in a window of time, which begins with the first of them. */
export interface RatePolicy {
  readonly limit: number
  readonly window: Duration.Duration
}

/** What a key has left. */
export interface Quota extends RatePolicy {
  readonly remaining: number
  /** Whole seconds until it has all of it again. */
  readonly reset: number
}

/** Where the request being answered has its key's quota noted, for whoever wants to tell the caller. */
export const QuotaNote = Context.Reference<{ quota: Quota | undefined } | undefined>("openaccounts/Auth/QuotaNote", {
  defaultValue: () => undefined
})

/** What a key may ask of the service, counted by all instances together. */
export class RateLimit extends Context.Service<RateLimit, {
  /** `RATE_LIMIT`; without it nothing is counted. */
  readonly policy: Option.Option<RatePolicy>
  /** Counts a request; fails when the key has no more in its current window. */
  readonly take: (key: KeyId) => Effect.Effect<void, RateLimited>
}>()("openaccounts/Auth/RateLimit") {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function*() {
      const policy = yield* ratePolicy
      return RateLimit.of({
        policy,
        take: Option.isSome(policy) ? yield* counting(policy.value) : () => Effect.void
      })
    })
  )
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

/** `RATE_LIMIT`: `600` and `600/minute` are the same. */
export const ratePolicy = Config.option(Config.map(Config.schema(RateText, "RATE_LIMIT"), (text): RatePolicy => {
  const [limit, unit = "minute"] = text.split("/")
  return { limit: Number(limit), window: windows[unit] ?? Duration.minutes(1) }
}))

const counting = Effect.fnUntraced(function*(policy: RatePolicy) {
  const sql = yield* SqlClient.SqlClient
  const { limit, window } = policy

  const sweep = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* sql`DELETE FROM rate_limits WHERE started_at <= ${new Date(now - Duration.toMillis(window))}`
  })
  yield* hourly(sweep, "Old rate limits could not be swept")

  const count = yield* makeBatcher((keys: ReadonlyArray<KeyId>) =>
    Effect.tapError(
      countRequests(sql, window, keys),
      (error) => Effect.logWarning("Requests that cannot be counted are let through", error)
    )
  )

  return Effect.fnUntraced(function*(key: KeyId): Effect.fn.Return<void, RateLimited> {
    // The limit protects a quota, not an account: better none for a moment than no service.
    const counted = yield* Effect.option(count(key))
    if (Option.isNone(counted)) return
    const { left, requests } = counted.value
    const reset = Math.ceil(left / 1000)
    const note = yield* QuotaNote
    if (note !== undefined) note.quota = { ...policy, remaining: Math.max(0, limit - requests), reset }
    if (requests > limit) {
      return yield* new RateLimited({
        message: `The key has made its ${limit} requests; it has more in ${reset} seconds.`,
        retryAfter: `${reset}`
      })
    }
  })
})
