import { assert, describe, it } from "@effect/vitest"
import { type Answer, ask } from "../../../src/Features/Quotas/Bucket/Ask.ts"
import { type Bucket, emptyBucket, givenBack, usedUnits } from "../../../src/Features/Quotas/Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "../../../src/Features/Quotas/Bucket/Learned.ts"
import type { Rules } from "../../../src/Features/Quotas/Bucket/Rules.ts"

const start = Date.UTC(2026, 10, 24, 12)
const minute = 60_000
const perMinute = (limit: number): Rules => ({ counts: "units", limit, window: minute, resets: undefined })

/** Instances that ask, at a time that the test sets. */
const world = (rules: Rules) => {
  let bucket: Bucket = emptyBucket
  return {
    get bucket() {
      return bucket
    },
    change: (change: (bucket: Bucket) => Bucket) => {
      bucket = change(bucket)
    },
    /** The member `dataset` sends background requests. */
    ask: (seconds: number, wants: Readonly<Record<string, number>>, instance = "a"): Answer => {
      const [answer, after] = ask(bucket, {
        instance,
        now: start + seconds * 1000,
        rules,
        wants: Object.entries(wants).map(([member, count]) => ({
          member,
          units: 1,
          count,
          priority: 3,
          since: start + seconds * 1000,
          ...member === "dataset" && { background: true }
        })),
        takers: [],
        returned: 0
      })
      bucket = after
      return answer
    }
  }
}

const grantedOf = (answer: Answer) => [...answer.granted.values()].reduce((sum, units) => sum + units, 0)

describe("A quota", () => {
  it("of one member gives all its units at once, and the next when a window has passed", () => {
    const quota = world(perMinute(10))
    assert.strictEqual(grantedOf(quota.ask(0, { ann: 15 })), 10)
    assert.strictEqual(grantedOf(quota.ask(30, { ann: 1 })), 0)
    const refused = quota.ask(59, { ann: 1 })
    assert.strictEqual(grantedOf(refused), 0)
    assert.closeTo(refused.next, start + minute, 1000)
    assert.strictEqual(grantedOf(quota.ask(62, { ann: 3 })), 3)
  })

  it("never gives more than its limit in any window, whatever instances ask", () => {
    const limit = 120
    const quota = world(perMinute(limit))
    const sent: Array<number> = []
    let seed = 7
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    for (let at = 0; at < 300; at += 0.1 + random()) {
      const answer = quota.ask(
        at,
        { [`m${Math.floor(random() * 5)}`]: Math.floor(random() * 30) },
        random() < 0.5 ? "a" : "b"
      )
      for (let units = grantedOf(answer) + answer.ahead.units; units > 0; units--) sent.push(at)
    }
    for (const at of sent) {
      assert.isAtMost(sent.filter((other) => other >= at && other < at + 60).length, limit)
    }
    assert.isAbove(sent.length, 4 * limit)
  })

  it("of several members over two instances gives each the same, whatever the others ask for", () => {
    const quota = world(perMinute(600))
    const shares = new Map<string, number>()
    for (let at = 0; at < 300; at += 0.25) {
      for (
        const [instance, wants] of [["a", { greedy: 500, ann: 5, ben: 5 }], ["b", { greedy: 300, cat: 5 }]] as const
      ) {
        for (const [member, units] of quota.ask(at, wants, instance).granted) {
          shares.set(member, (shares.get(member) ?? 0) + units)
        }
      }
    }
    const total = [...shares.values()].reduce((sum, units) => sum + units, 0)
    assert.isAtLeast(total, 0.95 * 3000)
    for (const [member, units] of shares) assert.isAtLeast(units, 0.8 * total / 4, member)
  })

  it.each([60, 300, 1200])(
    "of %s a minute gives background requests all but a tenth, and a call what it wants at once",
    (limit) => {
      const quota = world(perMinute(limit))
      let given = 0
      let called = 0
      for (let tick = 0; tick < 2400; tick++) {
        const at = tick / 10
        const answer = quota.ask(at, { dataset: 1000 })
        if (at >= 60 && at < 180) given += answer.background.get("dataset") ?? 0
        assert.isAtMost(usedUnits(quota.bucket), limit)
        if (tick % 150 !== 149) continue
        called++
        assert.strictEqual(grantedOf(quota.ask(at, { person: 1, dataset: 1000 })), 1, `at ${at} s`)
      }
      assert.strictEqual(called, 16)
      assert.isAtLeast(given + called / 2, 0.9 * 0.9 * 2 * limit)
      assert.isAtMost(given, 0.9 * 2 * limit)
    }
  )

  it("gets back units that were not used", () => {
    const quota = world(perMinute(10))
    const { lease } = quota.ask(0, { ann: 10 })
    quota.change((bucket) => givenBack(bucket, lease.until, 4))
    assert.strictEqual(usedUnits(quota.bucket), 6)
    assert.strictEqual(grantedOf(quota.ask(1, { ann: 10 })), 4)
  })

  it("of a day starts again at midnight in its time zone", () => {
    const quota = world({ counts: "units", limit: 2, window: 86_400_000, resets: "America/Los_Angeles" })
    assert.strictEqual(grantedOf(quota.ask(0, { ann: 3 })), 2)
    const midnight = Date.UTC(2026, 10, 25, 8)
    assert.strictEqual(quota.ask(60, { ann: 1 }).next, midnight)
    assert.strictEqual(grantedOf(quota.ask((midnight - start) / 1000 + 1, { ann: 1 })), 1)
  })

  it("of requests under way frees a slot of a dead instance after a while", () => {
    const rules: Rules = { counts: "concurrent", limit: 2, window: 0, resets: undefined }
    const quota = world(rules)
    assert.strictEqual(grantedOf(quota.ask(0, { ann: 3 }, "dead")), 2)
    assert.strictEqual(grantedOf(quota.ask(60, { ann: 1 })), 0)
    assert.strictEqual(grantedOf(quota.ask(121, { ann: 1 })), 1)
  })
})

/** Units that a call gets at some seconds, after an error in the first. */
const afterError = (rules: Rules, retryAfter?: number) => {
  const quota = world(rules)
  quota.ask(0, { ann: 1 })
  quota.change((bucket) => emptied(bucket, rules, start + 1000, retryAfter))
  return [5, 30, 65, 3500, 3605].map((seconds) => grantedOf(quota.ask(seconds, { ann: 1 })))
}

describe("An error of the provider", () => {
  it("empties the quota until its window ends, or for its Retry-After, and never for more than an hour", () => {
    const day = 86_400_000
    const perDay: Rules = { counts: "units", limit: 10, window: day, resets: "America/Los_Angeles" }
    assert.deepStrictEqual(afterError(perMinute(10)), [0, 0, 1, 1, 1])
    assert.deepStrictEqual(afterError(perMinute(10), 20_000), [0, 1, 1, 1, 1])
    assert.deepStrictEqual(afterError(perMinute(10), day), [0, 0, 1, 1, 1])
    for (const retryAfter of [undefined, day]) assert.deepStrictEqual(afterError(perDay, retryAfter), [0, 0, 0, 0, 1])
  })

  it("that names none blocks for a minute, doubled to ten while it repeats", () => {
    let bucket: Bucket = emptyBucket
    const minutes: Array<number> = []
    let now = start
    for (let error = 0; error < 6; error++) {
      bucket = blockedLonger(bucket, now)
      minutes.push((bucket.blockedUntil - now) / minute)
      now = bucket.blockedUntil + 1000
    }
    assert.deepStrictEqual(minutes, [1, 2, 4, 8, 10, 10])
    assert.strictEqual(blockedLonger(bucket, now + 3_600_000).strikes, 1)
  })
})

describe("A report of the provider", () => {
  it("counts what other applications have used, and finds a larger limit", () => {
    const rules = perMinute(100)
    const quota = world(rules)
    quota.ask(0, { ann: 10 })
    quota.change((bucket) => corrected(bucket, rules, start + 1000, 40))
    assert.strictEqual(usedUnits(quota.bucket), 60)
    quota.change((bucket) => corrected(bucket, rules, start + 2000, 900))
    assert.strictEqual(quota.ask(3, { ann: 1 }).limit, 960)
  })
})
