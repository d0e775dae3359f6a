import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ask, type Reply } from "../../../src/Features/Quotas/Bucket/Ask.ts"
import {
  Bucket,
  emptyBucket,
  endsAt,
  returned,
  type Rules,
  usedUnits,
  type Want
} from "../../../src/Features/Quotas/Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "../../../src/Features/Quotas/Bucket/Learned.ts"
import { makeLocalBuckets } from "../../../src/Features/Quotas/Governor.ts"
import { quotaOf } from "../../../src/Features/Quotas/QuotaErrors.ts"

const start = Date.UTC(2026, 10, 24, 12)
const minute = 60_000
const day = 86_400_000
const nothing = { instance: "a", wants: [], wantsLease: false }
const perMinute = (limit: number): Rules => ({ counts: "units", limit, windowSeconds: 60 })

const want = (member: string, priority: number, count: number) => ({ member, priority, count, units: 1 })

/** Instances that ask, at a time that the test sets. The member `dataset` sends background requests. */
const world = (rules: Rules) => {
  let bucket: Bucket = emptyBucket
  return {
    used: () => usedUnits(bucket),
    change: (change: (bucket: Bucket) => Bucket) => {
      bucket = change(bucket)
    },
    ask: (seconds: number, counts: Readonly<Record<string, number>>, instance = "a"): Reply => {
      const wants = Object.entries(counts).map(([member, count]): Want => ({
        member,
        units: 1,
        count,
        priority: 3,
        ...member === "dataset" && { background: true }
      }))
      const [answer, after] = ask(bucket, rules, { ...nothing, instance, wants }, start + seconds * 1000)
      bucket = after
      return answer
    }
  }
}

const grantedOf = ({ wants }: Reply) => wants.map(({ granted }) => granted)

describe("A quota", () => {
  it("of one member gives all its units at once, and the next when a window has passed", () => {
    const quota = world(perMinute(10))
    assert.deepStrictEqual(grantedOf(quota.ask(0, { ann: 15 })), [10])
    assert.deepStrictEqual(grantedOf(quota.ask(30, { ann: 1 })), [0])
    const refused = quota.ask(59, { ann: 1 })
    assert.deepStrictEqual(grantedOf(refused), [0])
    assert.closeTo(refused.wants[0]?.next ?? 0, start + minute, 1000)
    assert.deepStrictEqual(grantedOf(quota.ask(62, { ann: 2 })), [2])
  })

  it("of several members gives half of its units at once", () => {
    assert.deepStrictEqual(grantedOf(world(perMinute(300)).ask(0, { ann: 300, ben: 300 })), [75, 75])
  })

  it.each([60, 300, 1200])(
    "of %s a minute gives background requests all but a tenth, and a call what it wants at once",
    (limit) => {
      const quota = world(perMinute(limit))
      let [background, calls] = [0, 0]
      for (let tick = 0; tick < 2400; tick++) {
        const at = tick / 10
        const [given = 0] = grantedOf(quota.ask(at, { dataset: 1000 }))
        if (at >= 60 && at < 180) background += given
        assert.isAtMost(quota.used(), limit)
        if (tick % 150 !== 149) continue
        calls++
        assert.strictEqual(grantedOf(quota.ask(at, { person: 1, dataset: 1000 }))[0], 1, `at ${at} s`)
      }
      assert.isAtLeast(background + calls / 2, 0.9 * 0.9 * 2 * limit)
      assert.isAtMost(background, 0.9 * 2 * limit)
    }
  )

  it("goes to the member that has used least lately, and there to the most urgent call", () => {
    const rules = perMinute(8)
    const [, used] = ask(emptyBucket, rules, { ...nothing, wants: [want("ann", 3, 2)] }, start)
    const wants = [want("ann", 3, 5), want("ben", 7, 5), want("ben", 3, 1)]
    const [answer] = ask(used, rules, { ...nothing, wants }, start + 100)
    assert.deepStrictEqual(grantedOf(answer), [2, 3, 1])
  })

  it("gets back units that were not used", () => {
    const rules = perMinute(10)
    const quota = world(rules)
    const { grant } = quota.ask(0, { ann: 10 })
    quota.change((bucket) => returned(bucket, rules, { ...grant, units: 4 }))
    assert.strictEqual(quota.used(), 6)
    assert.deepStrictEqual(grantedOf(quota.ask(1, { ann: 10 })), [4])
  })

  it("counts background requests as their member's where calls have to wait", () => {
    const rules = perMinute(4)
    const quota = world(rules)
    const both = { dataset: 5, ben: 5 }
    const answer = quota.ask(0, both)
    quota.change((bucket) => returned(bucket, rules, { ...answer.grant, units: 2 }))
    assert.deepStrictEqual([answer, quota.ask(0.1, both)].map(grantedOf), [[2, 2], [1, 1]])
  })

  it("of a day starts again at midnight in its time zone", () => {
    const quota = world({ counts: "units", limit: 2, windowSeconds: 86_400, resets: "America/Los_Angeles" })
    assert.deepStrictEqual(grantedOf(quota.ask(0, { ann: 3 })), [2])
    const midnight = Date.UTC(2026, 10, 25, 8)
    assert.strictEqual(quota.ask(60, { ann: 1 }).wants[0]?.next, midnight)
    assert.deepStrictEqual(grantedOf(quota.ask((midnight - start) / 1000 + 1, { ann: 1 })), [1])
  })

  it("of requests under way frees a slot of a dead instance after a while", () => {
    const quota = world({ counts: "concurrent", limit: 2, windowSeconds: 0 })
    assert.deepStrictEqual(grantedOf(quota.ask(0, { ann: 3 }, "dead")), [2])
    const refused = quota.ask(60, { ann: 1 })
    assert.deepStrictEqual(refused.wants.map(({ granted, next }) => [granted, next]), [[0, start + minute + 100]])
    assert.deepStrictEqual(grantedOf(quota.ask(121, { ann: 1 })), [1])
  })
})

describe("A lease", () => {
  const lease = { units: 10, useBy: start + 1500 }
  const waiting = { b: { at: start, members: [want("ben", 3, 1)] } }
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
    const question = { ...nothing, wants: [want("ann", 3, 1)], wantsLease: true }
    const [{ lease, resetsAt, used }, after] = ask(bucket, rules, question, start)
    assert.strictEqual(used, usedUnits(bucket) + 1 + (lease?.units ?? 0))
    assert.strictEqual(resetsAt, Math.max(start, after.taken.at(-1)?.[0] ?? 0))
    assert.deepStrictEqual(lease && { units: lease.units, useBy: lease.useBy }, expected)
  })
})

describe("What is kept of buckets", () => {
  it("is kept in the store until the last units come back", () => {
    const units = [[start + 60_000, 1], [start + 90_000, 1]] as const
    for (const field of ["taken", "underWay"]) {
      assert.strictEqual(endsAt({ ...emptyBucket, [field]: units }, start), start + 90_000, field)
    }
    assert.strictEqual(endsAt(emptyBucket, start), start + 10_000)
  })

  it("is not read where another version of the service wrote it", () => {
    const isBucket = Schema.is(Bucket)
    assert.isTrue(isBucket(emptyBucket))
    const others = [{ foreign: {} }, { wants: { a: { at: start, members: [{}] } } }]
    for (const other of others) assert.isFalse(isBucket({ ...emptyBucket, ...other }))
  })

  it("is forgotten by an instance that has used too many, but for those in use", () => {
    const { all, of } = makeLocalBuckets()
    const quota = quotaOf({ name: "calls_per_day", holder: "", limit: 1 })
    const used = of(quota, "used")
    used.queue = { ...used.queue, phase: { _tag: "Asking" } }
    for (let subject = 0; subject < 10_001; subject++) of(quota, `${subject}`)
    assert.isBelow(all.size, 10)
    assert.strictEqual(of(quota, "used"), used)
  })
})

/** What a call gets some seconds after an error in the first. */
const afterError = (rules: Rules, retryAfter?: number) => {
  const quota = world(rules)
  quota.ask(0, { ann: 1 })
  quota.change((bucket) => emptied(bucket, rules, start + 1000, retryAfter))
  return [5, 30, 65, 3500, 3605].flatMap((seconds) => grantedOf(quota.ask(seconds, { ann: 1 })))
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
    assert.strictEqual(blockedLonger(bucket, now + 3_600_000).strikes, 1)
  })

  it("shows what another application uses, which is left to it for ten windows", () => {
    const rules = perMinute(300)
    const quota = world(rules)
    quota.ask(0, { ann: 200 })
    quota.change((bucket) => emptied(bucket, rules, start + 1000, undefined))
    assert.deepStrictEqual(grantedOf(quota.ask(62, { ann: 300 })), [176])
    assert.deepStrictEqual(grantedOf(quota.ask(602, { ann: 300 })), [285])
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
    assert.strictEqual(quota.ask(3, { ann: 1 }).limit, 960)
  })
})
