import { Effect, Schema } from "effect"
import { maxOf } from "../../../Domain/Lists.ts"

const Units = Schema.Tuple([Schema.Finite, Schema.Finite])

/** The units for which the members of one instance wait. */
const Wants = Schema.Struct({
  at: Schema.Finite,
  members: Schema.Array(Schema.Struct({
    member: Schema.String,
    units: Schema.Finite,
    count: Schema.Finite,
    /** 0 is the most urgent. */
    priority: Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(3))),
    /** Since when the first of them waits. */
    since: Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
    background: Schema.optionalKey(Schema.Boolean)
  }))
})

/** What all instances know of one quota of one subject. Times are epoch milliseconds. */
export const Bucket = Schema.Struct({
  /** Taken units and the time at which they come back, in the order of time. */
  taken: Schema.Array(Units),
  /** Units that an instance holds for requests under way: until when, and how many. */
  held: Schema.Record(Schema.String, Units),
  /** Refuses everything until then. */
  blockedUntil: Schema.Finite,
  /** Quota errors of the provider in a row that named no quota. */
  strikes: Schema.Finite,
  /** The limit, where the provider reported a larger one. */
  limit: Schema.NullOr(Schema.Finite),
  isReported: Schema.Boolean,
  /** Units that are left to other applications: until when, and for how many milliseconds since the last refusal. */
  foreign: Schema.Struct({ units: Schema.Finite, until: Schema.Finite, millis: Schema.Finite }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed({ units: 0, until: 0, millis: 0 }))
  ),
  /** Units that may be given out at the pace of the quota, and since when. */
  credit: Schema.Finite,
  creditAt: Schema.Finite,
  /** The same for background requests, which have a pace of their own. */
  backgroundCredit: Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  backgroundCreditAt: Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  /** Since when calls have waited without a pause. */
  waitingSince: Schema.NullOr(Schema.Finite),
  /** The last member that took units, and when it was another than the one before. */
  member: Schema.NullOr(Schema.String),
  memberChangedAt: Schema.Finite,
  /** Start-time fair queueing: the turn of the quota, and of members that are ahead of it. */
  turn: Schema.Finite,
  turns: Schema.Record(Schema.String, Schema.Finite),
  wants: Schema.Record(Schema.String, Wants)
})
export type Bucket = typeof Bucket.Type

export type Want = Bucket["wants"][string]["members"][number]

export const emptyBucket: Bucket = {
  taken: [],
  held: {},
  blockedUntil: 0,
  strikes: 0,
  limit: null,
  isReported: false,
  foreign: { units: 0, until: 0, millis: 0 },
  credit: 0,
  creditAt: 0,
  backgroundCredit: 0,
  backgroundCreditAt: 0,
  waitingSince: null,
  member: null,
  memberChangedAt: 0,
  turn: 0,
  turns: {},
  wants: {}
}

/** An instance that still waits asks again within this time. */
const wantsMillis = 2000

const keep = <A>(record: Readonly<Record<string, A>>, isKept: (value: A) => boolean): Record<string, A> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => isKept(value)))

/** Without what has passed. */
export const settled = (bucket: Bucket, now: number): Bucket => ({
  ...bucket,
  taken: bucket.taken.filter(([until]) => until > now),
  foreign: bucket.foreign.until > now ? bucket.foreign : { ...bucket.foreign, units: 0 },
  held: keep(bucket.held, ([until]) => until > now),
  wants: keep(bucket.wants, ({ at }) => at > now - wantsMillis)
})

const sum = (units: Iterable<readonly [number, number]>): number => {
  let total = 0
  for (const [, each] of units) total += each
  return total
}

export const takenUnits = ({ taken }: Bucket): number => sum(taken)

export const usedUnits = (bucket: Bucket): number => takenUnits(bucket) + sum(Object.values(bucket.held))

/** When all that is taken has come back, at the latest `now`. */
export const resetsAt = ({ blockedUntil, taken }: Bucket, now: number): number =>
  Math.max(now, blockedUntil, taken.at(-1)?.[0] ?? 0)

/** The time from which the bucket equals a new one. */
export const endsAt = (bucket: Bucket, now: number): number =>
  maxOf(
    Object.values(bucket.held).map(([until]) => until),
    Math.max(resetsAt(bucket, now), now + 10_000, bucket.foreign.until)
  )

export const withTaken = (bucket: Bucket, until: number, units: number): Bucket => {
  if (units === 0) return bucket
  const index = bucket.taken.findIndex(([each]) => each >= until)
  const found = bucket.taken[index]
  const taken = index < 0
    ? [...bucket.taken, [until, units] as const]
    : found?.[0] === until
    ? bucket.taken.with(index, [until, found[1] + units])
    : bucket.taken.toSpliced(index, 0, [until, units])
  return { ...bucket, taken: taken.filter(([, each]) => each > 0) }
}

/** Returns unused units immediately. */
export const givenBack = (bucket: Bucket, until: number, units: number): Bucket => {
  const found = bucket.taken.find(([each]) => each === until)
  return found === undefined ? bucket : withTaken(bucket, until, -Math.min(units, found[1]))
}

/** Units that are used later than it was planned come back later. */
export const moved = (bucket: Bucket, from: number, to: number, units: number): Bucket => {
  const found = bucket.taken.find(([each]) => each === from)?.[1] ?? 0
  return withTaken(givenBack(bucket, from, units), to, Math.min(units, found))
}

export const withHeld = (bucket: Bucket, instance: string, until: number, change: number): Bucket => {
  const units = Math.max(0, (bucket.held[instance]?.[1] ?? 0) + change)
  const { [instance]: _, ...others } = bucket.held
  return { ...bucket, held: units === 0 ? others : { ...others, [instance]: [until, units] } }
}
