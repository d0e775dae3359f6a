import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  ask,
  type Bucket,
  emptyBucket,
  type Grant,
  isFresh,
  returned,
  type Rules,
  settled,
  usedUnits,
  type Waiter
} from "../../../src/Features/Quotas/Bucket.ts"

interface Call extends Waiter {
  readonly since: number
}

const start = Date.UTC(2026, 10, 24, 12)

interface Instance {
  waiting: ReadonlyArray<Call>
  lease: Grant | undefined
  asksAt: number
}

/** Instances on one bucket, at a time that the test sets. A question takes as long as the test says. */
const makeWorld = (rules: Rules, count: number) => {
  let bucket: Bucket = emptyBucket
  let now = start
  const instances = Array.from({ length: count }, (): Instance => ({ waiting: [], lease: undefined, asksAt: 0 }))
  const dead = new Set<number>()
  const sentAt: Array<number> = []
  const sent: Array<{ readonly call: Call; readonly waited: number }> = []

  const giveBack = (grant: Grant | undefined) => {
    if (grant !== undefined) bucket = returned(bucket, grant)
  }

  /** The provider counts requests when they arrive, at the latest after `useBy`. */
  const use = (call: Call, { useBy }: Grant, delay: number) => {
    sent.push({ call, waited: now - call.since })
    for (let unit = 0; unit < call.units; unit++) sentAt.push(Math.min(now + delay, useBy))
  }

  return {
    sent,
    sentAt,
    used: () => usedUnits(settled(bucket, rules, now)),
    now: () => now,
    isWaiting: () => instances.some(({ waiting }, index) => !dead.has(index) && waiting.length > 0),
    isAnyDead: () => dead.size > 0,
    pass: (millis: number) => {
      now += millis
    },
    kill: (index: number) => dead.add(index),
    call: (index: number, call: Omit<Call, "since" | "deadline">, wait: number, delay: number) => {
      const instance = instances[index]
      if (instance === undefined || dead.has(index)) return
      const { lease, waiting } = instance
      const waiter: Call = { ...call, since: now, deadline: now + wait }
      if (!call.background && waiting.length === 0 && lease && isFresh(lease, now) && lease.units >= call.units) {
        instance.lease = { ...lease, units: lease.units - call.units }
        use(waiter, lease, delay)
      } else {
        instance.waiting = [...waiting, waiter]
        instance.asksAt = Math.min(instance.asksAt, now)
      }
    },
    /** Each instance asks whose time has come. A call can end meanwhile, and every tenth uses no units. */
    ask: (delay: number, ends = false) => {
      for (const [index, instance] of instances.entries()) {
        if (dead.has(index)) continue
        const isDue = instance.waiting.length > 0 && instance.asksAt <= now
        if (isDue || instance.lease && !isFresh(instance.lease, now)) {
          giveBack(instance.lease)
          instance.lease = undefined
        }
        if (!isDue) continue
        const { waiting } = instance
        const [answer, after] = ask(bucket, rules, { instance: `${index}`, waiting, wantsLease: true }, now)
        bucket = after
        const ended = ends ? waiting[0] : undefined
        const open = new Set(waiting)
        for (const [call, grant] of answer.granted) {
          open.delete(call)
          if (call === ended || (call.since + call.units) % 10 === 0) giveBack(grant)
          else use(call, grant, delay)
        }
        for (const [call] of answer.refused) open.delete(call)
        instance.waiting = [...open].filter((call) => call !== ended)
        instance.lease = answer.lease
        instance.asksAt = Math.min(answer.next, now + 500)
      }
    }
  }
}

const mostInWindow = (sentAt: ReadonlyArray<number>, millis: number) =>
  Math.max(0, ...sentAt.map((at) => sentAt.filter((each) => each > at - millis && each <= at).length))

const step = fc.record({
  pass: fc.nat({ max: 1500 }),
  instance: fc.nat({ max: 2 }),
  member: fc.constantFrom("ann", "ben", "cat"),
  units: fc.constantFrom(1, 1, 1, 3),
  priority: fc.constantFrom(3, 6),
  calls: fc.nat({ max: 12 }),
  background: fc.boolean(),
  wait: fc.constantFrom(0, 5000, 60_000),
  delay: fc.nat({ max: 500 }),
  end: fc.oneof({ weight: 50, arbitrary: fc.constant("ask") }, fc.constantFrom("leave", "leave", "leave", "kill"))
})

const one = { priority: 3, units: 1, background: false }

describe("A quota of several instances", () => {
  it("is never exceeded in any window, answers all calls, and gets unused units back immediately", () => {
    fc.assert(
      fc.property(
        fc.record({ limit: fc.integer({ min: 4, max: 150 }), windowSeconds: fc.constantFrom(1, 60) }),
        fc.array(step, { minLength: 20, maxLength: 120 }),
        (limits, steps) => {
          const rules: Rules = { counts: "units", ...limits }
          const world = makeWorld(rules, 3)
          for (const { background, calls, delay, end, instance, member, pass, priority, units, wait } of steps) {
            world.pass(pass)
            for (let call = 0; call < calls; call++) {
              const want = { member, priority, units, background }
              world.call(instance, want, wait, delay)
            }
            // The last instance goes on.
            if (end === "kill" && instance < 2) world.kill(instance)
            world.ask(delay, end === "leave")
          }
          const last = world.now()
          for (let at = 0; world.isWaiting() && at < 65_000 || world.now() < last + 5000; at += 100) {
            world.pass(100)
            world.ask(0)
          }
          assert.isFalse(world.isWaiting())
          // The rest of a lease, and what the last calls return.
          world.pass(1600)
          world.ask(0)
          const window = rules.windowSeconds * 1000
          assert.isAtMost(mostInWindow(world.sentAt, window), rules.limit)
          // A unit comes back up to one percent of the window and the time of a lease later. Those of the dead are lost.
          const used = world.sentAt.filter((at) => at > world.now() - 1.01 * window - 2000).length
          if (!world.isAnyDead()) assert.isAtMost(world.used(), used)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("gives each member its share, and a rare call its unit within seconds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 1200 }),
        fc.array(fc.record({ instance: fc.nat({ max: 1 }), greed: fc.integer({ min: 2, max: 20 }) }), {
          minLength: 2,
          maxLength: 8
        }),
        (limit, members) => {
          const rules: Rules = { counts: "units", limit, windowSeconds: 60 }
          const world = makeWorld(rules, 2)
          for (let tick = 0; tick < 2400; tick++) {
            world.pass(100)
            for (const [index, { greed, instance }] of members.entries()) {
              const isDue = Math.floor(tick * greed * limit / 600 / members.length) >
                Math.floor((tick - 1) * greed * limit / 600 / members.length)
              if (isDue) world.call(instance, { ...one, member: `m${index}` }, 5000, 50)
            }
            if (tick % 70 === 0) world.call(tick % 2, { ...one, member: "rare" }, 5000, 50)
            world.ask(50)
          }
          // The first units went to those who came first.
          const late = world.sent.filter(({ call }) => call.since > start + 60_000)
          const shares = members.map((_, index) => late.filter(({ call }) => call.member === `m${index}`).length)
          const fair = shares.reduce((sum, share) => sum + share, 0) / members.length
          assert.isAtLeast(late.length, 0.9 * 0.9 * 3 * limit)
          assert.isAtLeast(Math.min(...shares), Math.floor(0.8 * fair))
          const rare = late.filter(({ call }) => call.member === "rare")
          assert.isAtLeast(rare.length, 23)
          const patience = 1000 + 4 * 60_000 / limit
          for (const { call, waited } of rare) assert.isAtMost(waited, patience, call.member)
        }
      ),
      { numRuns: 8 }
    )
  })
})
