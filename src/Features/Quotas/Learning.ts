import { Clock, Effect, Predicate } from "effect"
import type { Provider, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, narrowest } from "../../Providers/Quota.ts"
import type { Answered } from "../../Providers/Sending/Permit.ts"
import { givenBack, withHeld, withTaken } from "./Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "./Bucket/Learned.ts"
import { holdMillis } from "./Bucket/Rules.ts"
import type { Governor } from "./Governor.ts"
import type { LocalBucket, Taken } from "./LocalBucket.ts"

export interface Sent {
  readonly provider: Provider
  readonly input: RawInput
  readonly taken: ReadonlyArray<Taken>
}

/**
 * Learns from an answer: an error empties the quota that it names, a server error is counted, a report corrects the
 * figures, and a request that reached nothing gives the units of the resource back. Returns the units that the request
 * no longer has.
 */
export const learn = Effect.fnUntraced(function*(governor: Governor, sent: Sent, answer: Answered) {
  const { provider, taken } = sent
  const released = answer.status >= 500 && answer.status !== notImplemented
    ? yield* countServerError(governor, taken)
    : noUnits
  if (answer.status < 300 && provider.quotaReport !== undefined) yield* correct(governor, sent, answer)
  const error = provider.quotaError?.(answer)
  if (error === undefined) return unreached.has(answer.status) ? giveBackResource(governor, taken) : released
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

/** Counts as no server error: the sandbox answers so what it does not carry out. */
const notImplemented = 501

const noUnits: ReadonlyArray<Taken> = []

const unreached: ReadonlySet<number> = new Set([401, 403, 404])

const giveBackResource = (governor: Governor, taken: ReadonlyArray<Taken>): ReadonlyArray<Taken> => {
  const units = taken.filter(({ bucket }) => isOfResource(bucket.quota) && !bucket.holds)
  governor.giveBack(units)
  return units
}

/** Moves units to the buckets that count for all callers. */
export const countForAll = (governor: Governor, taken: ReadonlyArray<Taken>, shared: ReadonlyArray<LocalBucket>) =>
  Effect.forEach(taken, (each): Effect.Effect<Taken> => {
    const { bucket: own, units, until } = each
    // The request has ended, so it holds nothing.
    const bucket = own.holds ? undefined : shared.find(({ quota }) => quota === own.quota)
    if (bucket === undefined || bucket === own) return Effect.succeed(each)
    governor.giveBack([each])
    return Effect.as(governor.change(bucket, (before) => withTaken(before, until, units)), { ...each, bucket })
  })

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
