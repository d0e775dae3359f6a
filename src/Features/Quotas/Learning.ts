import { Clock, Effect } from "effect"
import type { Provider, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, narrowest } from "../../Providers/Quota.ts"
import type { Answered } from "../../Providers/Sending/Permit.ts"
import { returned, windowOf, withTaken } from "./Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "./Bucket/Learned.ts"
import type { Governor } from "./Governor.ts"
import type { LocalBucket, Taken } from "./LocalBuckets.ts"

export interface Sent {
  readonly provider: Provider
  readonly input: RawInput
  readonly taken: ReadonlyArray<Taken>
}

/** The sandbox answers so what it does not carry out. */
const notImplemented = 501

const unreached: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Learns from an answer: an error empties the quota that it names, a server error is counted, a report corrects the
 * figures, and a request that reached nothing gives the units of the resource back. Returns the units that the request
 * still has.
 */
export const learn = Effect.fnUntraced(function*(governor: Governor, sent: Sent, answer: Answered) {
  const { provider, taken } = sent
  const error = provider.quotaError?.(answer)
  if (error !== undefined) yield* empty(governor, sent, answer, error)
  if (answer.status < 300) yield* correct(governor, sent, answer)
  const isServerError = answer.status >= 500 && answer.status !== notImplemented
  const ended = taken.filter(({ bucket: { quota } }) =>
    isServerError
      ? quota.counts === "server_errors"
      : error === undefined && unreached.has(answer.status) && isOfResource(quota) && quota.counts === "units"
  )
  for (const each of ended) {
    const { bucket, units } = each
    if (isServerError) {
      yield* governor.change(
        bucket,
        (before, now) => withTaken(returned(before, bucket.quota, each), now + windowOf(bucket.quota), units)
      )
    } else governor.giveBack(each)
  }
  return taken.filter((each) => !ended.includes(each))
})

/** An error that names no quota is of the narrowest. */
const empty = Effect.fnUntraced(function*(governor: Governor, { taken }: Sent, answer: Answered, error: string) {
  const named = taken.filter(({ bucket }) => bucket.quota.named?.test(error) === true)
  const narrow = narrowest(taken.map(({ bucket }) => bucket.quota))
  const retryAfter = retryAfterMillis(answer.retryAfter, yield* Clock.currentTimeMillis)
  for (const each of named.length > 0 ? named : taken.filter(({ bucket }) => bucket.quota === narrow)) {
    const { bucket, bucket: { quota } } = each
    yield* governor.change(bucket, (before, now) => {
      if (named.length === 0 && retryAfter === undefined) return blockedLonger(before, now)
      // The provider has not counted the request.
      const without = quota.counts === "units" ? returned(before, quota, each) : before
      return emptied(without, quota, now, retryAfter)
    })
    bucket.queue = { ...bucket.queue, lease: undefined }
  }
})

const correct = Effect.fnUntraced(function*(governor: Governor, { input, provider, taken }: Sent, answer: Answered) {
  for (const { consumed, quota: name, remaining } of provider.quotaReport?.(input, answer.body) ?? []) {
    const found = taken.find(({ bucket }) => bucket.quota.reported === name)
    if (found === undefined) continue
    const { bucket, bucket: { queue: { lease }, quota: rules }, until } = found
    bucket.queue = { ...bucket.queue, lease: undefined }
    yield* governor.change(bucket, (before, now) => {
      const unused = lease === undefined ? before : returned(before, rules, lease)
      return corrected(withTaken(returned(unused, rules, found), until, consumed), rules, now, remaining)
    })
  }
})

/** Moves units to the buckets that count for all callers. */
export const countForAll = (governor: Governor, taken: ReadonlyArray<Taken>, shared: ReadonlyArray<LocalBucket>) =>
  Effect.forEach(taken, (each): Effect.Effect<Taken> => {
    const { bucket: own, units, until } = each
    // The request has ended, so it has no slot.
    const bucket = own.quota.counts === "units" ? shared.find(({ quota }) => quota === own.quota) : undefined
    if (bucket === undefined || bucket === own) return Effect.succeed(each)
    governor.giveBack(each)
    return Effect.as(governor.change(bucket, (before) => withTaken(before, until, units)), { ...each, bucket })
  })

const retryAfterMillis = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}
