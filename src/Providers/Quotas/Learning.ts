import { Clock, Effect, Predicate } from "effect"
import type { Provider, RawInput } from "../Provider.ts"
import { narrowest } from "../Quota.ts"
import { givenBack, withHeld, withTaken } from "./Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "./Bucket/Learned.ts"
import { holdMillis } from "./Bucket/Rules.ts"
import type { Governor } from "./Governor.ts"
import type { Taken } from "./LocalBucket.ts"

/** What a provider answered. `body` is parsed only where it is needed. */
export interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: () => unknown
}

export interface Sent {
  readonly provider: Provider
  readonly input: RawInput
  readonly taken: ReadonlyArray<Taken>
}

/**
 * Learns from an answer: an error empties the quota that it names, a server error is counted, a report corrects the
 * figures. Returns the units that requests under way no longer hold.
 */
export const learn = Effect.fnUntraced(function*(governor: Governor, sent: Sent, answer: Answered) {
  const { provider, taken } = sent
  const released = answer.status >= 500 ? yield* countServerError(governor, taken) : noUnits
  if (answer.status < 300 && provider.quotaReport !== undefined) yield* correct(governor, sent, answer)
  const error = provider.quotaError?.(answer)
  if (error === undefined) return released
  const now = yield* Clock.currentTimeMillis
  const retryAfter = retryAfterMillis(answer.retryAfter, now)
  const named = taken.filter(({ bucket }) => bucket.quota.named?.test(error) === true)
  const narrow = narrowest(taken.map(({ bucket }) => bucket.quota))
  const emptiedOnes = named.length > 0 ? named : taken.filter(({ bucket }) => bucket.quota === narrow)
  yield* Effect.forEach(emptiedOnes, ({ bucket, units, until }) =>
    Effect.tap(
      governor.change(bucket, (before, now) =>
        named.length > 0 || retryAfter !== undefined
          ? emptied(givenBack(before, until, units), bucket.rules, now, retryAfter)
          : blockedLonger(before, now)),
      () => Effect.sync(() => bucket.endAll())
    ), { discard: true })
  return released
})

const noUnits: ReadonlyArray<Taken> = []

const countServerError = ({ change, instance }: Governor, taken: ReadonlyArray<Taken>) => {
  const counted = taken.filter(({ bucket }) => bucket.rules.counts === "server_errors")
  return Effect.as(
    Effect.forEach(counted, ({ bucket, units }) => {
      bucket.held -= units
      return change(bucket, (before, now) =>
        withTaken(
          withHeld(before, instance, now + holdMillis(bucket.rules), -units),
          now + bucket.rules.window,
          units
        ))
    }, { discard: true }),
    counted
  )
}

const correct = Effect.fnUntraced(function*({ change }: Governor, { input, provider, taken }: Sent, answer: Answered) {
  const reports = provider.quotaReport?.(input, answer.body) ?? []
  for (const { consumed, quota, remaining } of reports) {
    const found = taken.find(({ bucket }) => bucket.quota.reported === quota)
    if (found === undefined) continue
    const { bucket, units, until } = found
    const isTooMuchAhead = bucket.unused(yield* Clock.currentTimeMillis) > remaining
    const ended = isTooMuchAhead ? bucket.endAll() : []
    yield* change(bucket, (before, now) => {
      const exact = consumed < units
        ? givenBack(before, until, units - consumed)
        : withTaken(before, until, consumed - units)
      const usable = ended.reduce((bucket, lease) => givenBack(bucket, lease.until, lease.units), exact)
      // What is taken ahead counts as used, but is still to come out of what remains.
      return corrected(usable, bucket.rules, now, Math.max(0, remaining - bucket.unused(now)))
    })
  }
})

const retryAfterMillis = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(millis) && Predicate.isNumber(millis) ? Math.max(0, millis) : undefined
}
