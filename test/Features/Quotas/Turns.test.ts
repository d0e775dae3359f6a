import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ask } from "../../../src/Features/Quotas/Bucket/Ask.ts"
import {
  type Bucket,
  emptyBucket,
  type Grant,
  isFresh,
  returned,
  type Rules,
  settled,
  usedUnits
} from "../../../src/Features/Quotas/Bucket/Bucket.ts"
import {
  asked,
  emptyQueue,
  entered,
  left,
  type Queue,
  refusedUntil,
  replied,
  takenAhead,
  type Waiter,
  withReturned
} from "../../../src/Features/Quotas/Bucket/Queue.ts"

interface Call extends Waiter {
  readonly since: number
}

const start = Date.UTC(2026, 10, 24, 12)

/** Instances on one bucket, at a time that the test sets. A question takes as long as the test says. */
const makeWorld = (rules: Rules, instances: number) => {
  let bucket: Bucket = emptyBucket
  let now = start
  const queues: Array<Queue<Call>> = Array.from({ length: instances }, () => emptyQueue)
  const dead = new Set<number>()
  const sentAt: Array<number> = []
  const sent: Array<{ readonly call: Call; readonly waited: number }> = []

  const change = (instance: number, change: (queue: Queue<Call>) => Queue<Call>) => {
    queues[instance] = change(queues[instance] ?? emptyQueue)
  }

  const giveBack = (instance: number, grant: Grant) => {
    bucket = returned(bucket, rules, grant)
    change(instance, (queue) => withReturned(queue, grant, now))
  }

  /** The provider counts requests when they arrive, at the latest after `useBy`. */
  const use = (call: Call, { useBy }: Grant, delay: number) => {
    sent.push({ call, waited: now - call.since })
    for (let unit = 0; unit < call.units; unit++) sentAt.push(Math.min(now + delay, useBy))
  }

  return {
    sent,
    sentAt,
    used: () => usedUnits(settled(bucket, now)),
    now: () => now,
    isWaiting: () => queues.some(({ waiting }, instance) => !dead.has(instance) && waiting.length > 0),
    isAnyDead: () => dead.size > 0,
    pass: (millis: number) => {
      now += millis
    },
    kill: (instance: number) => dead.add(instance),
    call: (instance: number, call: Omit<Call, "since" | "deadline">, wait: number, delay: number) => {
      const queue = queues[instance] ?? emptyQueue
      const waiter: Call = { ...call, since: now, deadline: now + wait }
      const ahead = takenAhead(queue, waiter, now)
      if (dead.has(instance)) return
      if (ahead !== undefined) {
        use(waiter, ahead[0], delay)
        change(instance, () => ahead[1])
      } else if (refusedUntil(queue, waiter, now) === undefined) {
        change(instance, (queue) => entered(queue, waiter, now))
      }
    },
    /** Each instance asks whose time has come. A call can end meanwhile, and every tenth uses no units. */
    ask: (delay: number, ends = false) => {
      for (const instance of queues.keys().filter((each) => !dead.has(each))) {
        const lease = queues[instance]?.lease
        if (lease !== undefined && !isFresh(lease, now)) {
          change(instance, (queue) => ({ ...queue, lease: undefined }))
          giveBack(instance, lease)
        }
        const queue = queues[instance] ?? emptyQueue
        if (queue.phase._tag !== "Resting" || queue.phase.until > now) continue
        const [question, asking] = asked(queue, { instance: `${instance}`, rules, now })
        const [reply, after] = ask(bucket, rules, question, now)
        bucket = after
        const [first] = asking.waiting
        const outcome = replied(ends && first !== undefined ? left(asking, first) : asking, reply, now)
        change(instance, () => outcome.queue)
        if (outcome.unused.units > 0) giveBack(instance, outcome.unused)
        for (const [call, grant] of outcome.granted) {
          if ((call.since + call.units) % 10 === 0) giveBack(instance, grant)
          else use(call, grant, delay)
        }
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

describe("A quota of several instances", () => {
  it("is never exceeded in any window, answers all calls, and gets back at once what they do not use", () => {
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
              const want = { member, priority, units, ...background && { background } }
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
              if (isDue) world.call(instance, { member: `m${index}`, priority: 3, units: 1 }, 5000, 50)
            }
            if (tick % 70 === 0) world.call(tick % 2, { member: "rare", priority: 3, units: 1 }, 5000, 50)
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

describe("What an instance asks", () => {
  const call: Waiter = { member: "ann", priority: 3, units: 1, deadline: start + 60_000 }
  const rules: Rules = { counts: "units", limit: 1, windowSeconds: 60 }
  const question = (...waiting: ReadonlyArray<Waiter>) =>
    asked({ ...emptyQueue, waiting }, { instance: "a", rules, now: start })

  it("tells calls from background requests, which use no lease", () => {
    const [{ wants }] = question(call, { ...call, background: true }, call)
    assert.deepStrictEqual(wants.map(({ count }) => count), [2, 1])
    const queue = { ...emptyQueue, lease: { units: 1, until: Infinity, useBy: Infinity } }
    assert.isDefined(takenAhead(queue, call, start))
    assert.isUndefined(takenAhead(queue, { ...call, background: true }, start))
  })

  it("refuses without asking what cannot wait for the next unit, until one comes back", () => {
    const [first, asking] = question({ ...call, deadline: start })
    const [reply] = ask({ ...emptyBucket, taken: [[start + 60_000, 1]] }, rules, first, start)
    const { queue } = replied(asking, reply, start)
    const next = { ...call, deadline: start + 1000 }
    assert.strictEqual(refusedUntil(queue, next, start + 100), start + 60_000)
    const grant = { units: 1, until: start + 60_000, useBy: start }
    const returnedBefore = replied(withReturned(asking, grant, start), reply, start).queue
    for (const after of [withReturned(queue, grant, start + 100), returnedBefore]) {
      assert.isUndefined(refusedUntil(after, next, start + 100))
    }
  })

  it.each([[1000, 500], [59_800, 200], [59_950, 100]])("%i ms into a used window comes %i ms later", (used, rest) => {
    const now = start + used
    const [first, asking] = question(call)
    const [reply] = ask({ ...emptyBucket, taken: [[start + 60_000, 1]] }, rules, first, now)
    assert.deepStrictEqual(replied(asking, reply, now).queue.phase, { _tag: "Resting", until: now + rest })
  })
})
