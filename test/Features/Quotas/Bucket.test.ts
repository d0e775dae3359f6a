import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Answer,
  ask,
  Bucket,
  emptyBucket,
  endsAt,
  type Grant,
  returned,
  type Rules,
  usedUnits,
  type Waiter
} from "../../../src/Features/Quotas/Bucket.ts"
import { blockedLonger, corrected, emptied } from "../../../src/Features/Quotas/Learned.ts"

const start = Date.UTC(2026, 10, 24, 12)
const minute = 60_000
const day = 86_400_000
const perMinute = (limit: number): Rules => ({ counts: "units", limit, windowSeconds: 60 })

const waiters = (member: string, count: number, priority = 3): ReadonlyArray<Waiter> =>
  Array.from({ length: count }, () => ({
    member,
    priority,
    units: 1,
    background: member === "dataset",
    deadline: Infinity
  }))

/** Instances that ask, at a time that the test sets. The member `dataset` sends background requests. */
const world = (rules: Rules) => {
  let bucket: Bucket = emptyBucket
  const askFor = (seconds: number, waiting: ReadonlyArray<Waiter>, instance = "a"): Answer<Waiter> => {
    const [answer, after] = ask(bucket, rules, { instance, waiting, wantsLease: false }, start + seconds * 1000)
    bucket = after
    return answer
  }
  return {
    used: () => usedUnits(bucket),
    change: (change: (bucket: Bucket) => Bucket) => {
      bucket = change(bucket)
    },
    askFor,
    ask: (seconds: number, counts: Readonly<Record<string, number>>, instance = "a") => {
      const kinds = Object.entries(counts).map(([member, count]) => waiters(member, count))
      const answer = askFor(seconds, kinds.flat(), instance)
      return { ...answer, counts: countsOf(answer, kinds) }
    }
  }
}

/** How many requests of each kind get units. */
const countsOf = ({ granted }: Answer<Waiter>, kinds: ReadonlyArray<ReadonlyArray<Waiter>>) =>
  kinds.map((kind) => granted.filter(([waiter]) => kind.includes(waiter)).length)

const back = (bucket: Bucket, { granted }: Answer<Waiter>, count: number): Bucket =>
  granted.slice(0, count).reduce((before, [, grant]: readonly [Waiter, Grant]) => returned(before, grant), bucket)

describe("A quota", () => {
  it("of one member gives all its units in one burst, and the next when a window has passed", () => {
    const quota = world(perMinute(10))
    assert.deepStrictEqual(quota.ask(0, { ann: 15 }).counts, [10])
    assert.deepStrictEqual(quota.ask(30, { ann: 1 }).counts, [0])
    const refused = quota.ask(59, { ann: 1 })
    assert.deepStrictEqual(refused.counts, [0])
    assert.closeTo(refused.next, start + minute, 1000)
    assert.deepStrictEqual(quota.ask(62, { ann: 2 }).counts, [2])
  })

  it("of several members gives half of its units in one burst", () => {
    const quota = world(perMinute(300))
    quota.ask(0, { ann: 1, ben: 1 })
    assert.deepStrictEqual(quota.ask(0, { ann: 300, ben: 300 }).counts, [74, 74])
  })

  it.each([60, 300, 1200])(
    "of %s a minute gives background requests all but a tenth, and a call what it wants at once",
    (limit) => {
      const quota = world(perMinute(limit))
      let [background, calls] = [0, 0]
      for (let tick = 0; tick < 2400; tick++) {
        const at = tick / 10
        const [given = 0] = quota.ask(at, { dataset: 1000 }).counts
        if (at >= 60 && at < 180) background += given
        assert.isAtMost(quota.used(), limit)
        if (tick % 150 !== 149) continue
        calls++
        assert.strictEqual(quota.ask(at, { person: 1, dataset: 1000 }).counts[0], 1, `at ${at} s`)
      }
      assert.isAtLeast(background + calls / 2, 0.9 * 0.9 * 2 * limit)
      assert.isAtMost(background, 0.9 * 2 * limit)
    }
  )

  it("goes to the member that has used least lately, and there to the most urgent call", () => {
    const quota = world(perMinute(8))
    quota.ask(0, { ann: 2 })
    const kinds = [waiters("ann", 5), waiters("ben", 5, 7), waiters("ben", 1)]
    assert.deepStrictEqual(countsOf(quota.askFor(0.1, kinds.flat()), kinds), [2, 3, 1])
  })

  it("counts background requests as their member's where calls have to wait", () => {
    const quota = world(perMinute(4))
    const both = { dataset: 5, ben: 5 }
    const answer = quota.ask(0, both)
    quota.change((bucket) => back(bucket, answer, 2))
    assert.deepStrictEqual([answer, quota.ask(0.1, both)].map(({ counts }) => counts), [[2, 2], [1, 1]])
  })

  it("of a day starts again at midnight in its time zone", () => {
    const quota = world({ counts: "units", limit: 2, windowSeconds: 86_400, resets: "America/Los_Angeles" })
    assert.deepStrictEqual(quota.ask(0, { ann: 3 }).counts, [2])
    const midnight = Date.UTC(2026, 10, 25, 8)
    assert.strictEqual(quota.ask(60, { ann: 1 }).next, midnight)
    assert.deepStrictEqual(quota.ask((midnight - start) / 1000 + 1, { ann: 1 }).counts, [1])
  })

  it("of requests under way frees a slot of a dead instance after a while", () => {
    const quota = world({ counts: "concurrent", limit: 2, windowSeconds: 0 })
    assert.deepStrictEqual(quota.ask(0, { ann: 3 }, "dead").counts, [2])
    const refused = quota.ask(60, { ann: 1 })
    assert.deepStrictEqual([refused.counts, refused.next], [[0], start + minute + 100])
    assert.deepStrictEqual(quota.ask(121, { ann: 1 }).counts, [1])
  })
})

describe("A lease", () => {
  const lease = { units: 10, useBy: start + 1500 }
  const waiting = { b: { at: start, members: waiters("ben", 1) } }
  it.each(
    [
      ["is a hundredth of the limit, for a fortieth of the window", perMinute(1000), emptyBucket, lease],
      ["is not of a small quota", perMinute(49), emptyBucket, undefined],
      [
        "is not of the second half of a window",
        perMinute(1000),
        { ...emptyBucket, taken: [[start + 1, 490]] },
        undefined
      ],
      ["is not taken from another instance that waits", perMinute(1000), { ...emptyBucket, wants: waiting }, undefined],
      ["is not of slots", { counts: "concurrent", limit: 1000, windowSeconds: 0 }, emptyBucket, undefined]
    ] satisfies ReadonlyArray<readonly [string, Rules, Bucket, object | undefined]>
  )("%s", (_, rules, bucket, expected) => {
    const [{ lease }, after] = ask(
      bucket,
      rules,
      { instance: "a", waiting: waiters("ann", 1), wantsLease: true },
      start
    )
    assert.strictEqual(usedUnits(after), usedUnits(bucket) + 1 + (lease?.units ?? 0))
    assert.deepStrictEqual(lease && { units: lease.units, useBy: lease.useBy }, expected)
  })
})

describe("What is kept of buckets", () => {
  it("is kept in the store until the last units come back", () => {
    const units = [[start + 60_000, 1], [start + 90_000, 1]] as const
    assert.strictEqual(endsAt({ ...emptyBucket, taken: units }, start), start + 90_000)
    assert.strictEqual(endsAt(emptyBucket, start), start + 10_000)
  })

  it("is not read where another version of the service wrote it", () => {
    const isBucket = Schema.is(Bucket)
    assert.isTrue(isBucket(emptyBucket))
    const others = [{ limit: null }, { wants: { a: { at: start, members: [{}] } } }]
    for (const other of others) assert.isFalse(isBucket({ ...emptyBucket, ...other }))
  })
})

/** What a call gets some seconds after an error in the first. */
const afterError = (rules: Rules, retryAfter?: number) => {
  const quota = world(rules)
  quota.ask(0, { ann: 1 })
  quota.change((bucket) => emptied(bucket, rules, start + 1000, retryAfter))
  return [5, 30, 65, 3500, 3605].flatMap((seconds) => quota.ask(seconds, { ann: 1 }).counts)
}

describe("An error of the provider", () => {
  it("empties the quota until its window ends, or for its Retry-After, and never for more than an hour", () => {
    const perDay: Rules = { counts: "units", limit: 10, windowSeconds: 86_400, resets: "America/Los_Angeles" }
    assert.deepStrictEqual(afterError(perMinute(10)), [0, 0, 1, 1, 1])
    assert.deepStrictEqual(afterError(perMinute(10), 20_000), [0, 1, 1, 1, 1])
    assert.deepStrictEqual(afterError(perMinute(10), day), [0, 0, 1, 1, 1])
    for (const retryAfter of [undefined, day]) assert.deepStrictEqual(afterError(perDay, retryAfter), [0, 0, 0, 0, 1])
  })

  it("that names none blocks for a minute, doubled to ten while it repeats", () => {
    let bucket: Bucket = emptyBucket
    let now = start
    const minutes = Array.from({ length: 6 }, () => {
      bucket = blockedLonger(bucket, now)
      const millis = bucket.blockedUntil - now
      now = bucket.blockedUntil + 1000
      return millis / minute
    })
    assert.deepStrictEqual(minutes, [1, 2, 4, 8, 10, 10])
    const later = now + 3_600_000
    assert.strictEqual(blockedLonger(bucket, later).blockedUntil - later, minute)
  })

  it("shows what another application uses, which is left to it for ten windows", () => {
    const rules = perMinute(300)
    const quota = world(rules)
    quota.ask(0, { ann: 200 })
    quota.change((bucket) => emptied(bucket, rules, start + 1000, undefined))
    assert.deepStrictEqual(quota.ask(62, { ann: 300 }).counts, [181])
    assert.deepStrictEqual(quota.ask(602, { ann: 300 }).counts, [285])
  })
})

describe("A report of the provider", () => {
  it("counts what other applications have used, and finds a larger limit", () => {
    const rules = perMinute(100)
    const quota = world(rules)
    quota.ask(0, { ann: 10 })
    quota.change((bucket) => corrected(bucket, rules, start + 1000, 40))
    assert.strictEqual(quota.used(), 60)
    quota.change((bucket) => corrected(bucket, rules, start + 2000, 900))
    quota.change((bucket) => corrected(bucket, rules, start + 2000, 500))
    quota.change((bucket) => {
      assert.strictEqual(bucket.limit, 960)
      return bucket
    })
  })
})
