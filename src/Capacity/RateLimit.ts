import { Clock, Config, Context, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RateLimited } from "../Api/Errors.ts"
import { type Principal, type RateSubject, rateSubjectOf } from "../Domain/Principal.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { countRequests } from "./RequestCounter.ts"

/** Counted across all instances. A window starts with the first request. */
export interface RatePolicy {
  readonly limit: number
  readonly window: Duration.Duration
}

export interface Quota extends RatePolicy {
  readonly remaining: number
  readonly reset: number
}

export const QuotaNote = Context.Reference<{ quota: Quota | undefined } | undefined>(
  "openaccounts/Capacity/RateLimit/QuotaNote",
  {
    defaultValue: () => undefined
  }
)

export class RateLimit extends Context.Service<RateLimit, {
  readonly policy: Option.Option<RatePolicy>
  readonly take: (principal: Principal) => Effect.Effect<void, RateLimited>
}>()("openaccounts/Capacity/RateLimit") {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function*() {
      const policy = yield* ratePolicy
      return RateLimit.of({
        policy,
        take: Option.isSome(policy) ? yield* makeCounter(policy.value) : () => Effect.void
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

export const ratePolicy = Config.option(Config.map(Config.schema(RateText, "RATE_LIMIT"), (text): RatePolicy => {
  const [limit, unit = "minute"] = text.split("/")
  return { limit: Number(limit), window: windows[unit] ?? Duration.minutes(1) }
}))

const makeCounter = Effect.fnUntraced(function*(policy: RatePolicy) {
  const sql = yield* SqlClient.SqlClient
  const { limit, window } = policy

  const sweep = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* sql`DELETE FROM rate_limits WHERE started_at <= ${new Date(now - Duration.toMillis(window))}`
  })
  yield* sweep.pipe(
    Effect.catch((error) => Effect.logWarning("Could not delete old rate limits", error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )

  const count = yield* makeBatcher((subjects: ReadonlyArray<RateSubject>) =>
    Effect.tapError(
      countRequests(sql, window, subjects),
      (error) => Effect.logWarning("Could not count requests for the rate limit; they are allowed", error)
    )
  )

  return Effect.fnUntraced(function*(principal: Principal): Effect.fn.Return<void, RateLimited> {
    // Without a database, requests pass: availability matters more than the limit.
    const counted = yield* Effect.option(count(rateSubjectOf(principal)))
    if (Option.isNone(counted)) return
    const { millisLeft, requests } = counted.value
    const reset = Math.ceil(millisLeft / 1000)
    const note = yield* QuotaNote
    if (note !== undefined) note.quota = { ...policy, remaining: Math.max(0, limit - requests), reset }
    if (requests > limit) {
      return yield* new RateLimited({
        message: `The limit of ${limit} requests is reached. You can make more in ${reset} seconds.`,
        details: { limited_by: principal.via, retry_after_seconds: reset }
      })
    }
  })
})
