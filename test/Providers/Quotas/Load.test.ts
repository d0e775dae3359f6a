import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Quotas/QuotaCaller.ts"
import type { QuotaRequest } from "../../../src/Providers/Quotas/Quotas.ts"
import { after, connectionId, makeCalls, makeInstances, makeProvider, makeRandom, p95, pass } from "./World.ts"

const read = (account = "jane@acme.com"): QuotaRequest => ({
  provider: gsheets,
  endpoint: valuesGet,
  input: { path: { spreadsheetId: "leads", range: "A1" } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account }) }
})

const report: QuotaRequest = {
  provider: ga4,
  endpoint: propertiesRunReport,
  input: { path: { property: "123" }, body: {} },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const members = Array.from({ length: 20 }, (_, index) => `member ${index}`)
const limit = 60
const quotas = { "gsheets.read.account": limit }

/** The same calls at random times from each of 20 members, together so many a minute. */
const saturate = (
  calls: ReturnType<typeof makeCalls>,
  perMinute: number,
  request: () => QuotaRequest = () => read()
) =>
  Effect.forEach(
    members,
    (member) =>
      calls.every(60_000 * members.length / perMinute, Effect.suspend(() => calls.call(request(), { member }))),
    { discard: true }
  )

/** One call after the other, with a pause of the seconds that a person takes. */
const repeatedly = (call: Effect.Effect<unknown>) =>
  Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(4300), call)))

const total = (done: ReadonlyMap<string, number>) => done.values().reduce((sum, each) => sum + each, 0)

const assertFair = (done: ReadonlyMap<string, number>, minimum = 0.8) => {
  for (const member of members) {
    assert.isAtLeast(done.get(member) ?? 0, Math.floor(minimum * total(done) / members.length), member)
  }
}

describe("Two instances", () => {
  it.effect("at ten times the limit use it up, are never refused, and share it between members", () =>
    Effect.gen(function*() {
      const provider = makeProvider(limit)
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), (_, now) => provider.accepts(now))
      yield* saturate(calls, 10 * limit)
      yield* pass(60)
      const first = total(calls.done)
      // The first units went to those who came first.
      calls.done.clear()
      yield* pass(120)
      assert.isEmpty(calls.refusedAt)
      assert.isAtLeast(first + total(calls.done), 0.95 * 3 * limit)
      assertFair(calls.done)
    }).pipe(Effect.scoped))

  it.effect("let only the first calls wait where the limit is far", () =>
    Effect.gen(function*() {
      const far = { "gsheets.read.account": 100_000, "gsheets.read.project": 100_000 }
      const { call } = makeCalls(yield* makeInstances(gsheets, far), () => true)
      yield* Effect.forEach([1, 2], () => Effect.forkScoped(call(read(), {})))
      yield* TestClock.adjust(1000)
      const waited: Array<number> = []
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(
        Effect.sleep(2),
        Effect.forkScoped(Effect.tap(call(read(), {}), (millis) => Effect.sync(() => waited.push(millis))))
      )))
      yield* pass(8)
      assert.isAtLeast(waited.length, 3000)
      assert.isEmpty(waited.filter((millis) => millis > 0))
    }).pipe(Effect.scoped))

  it.effect("use up a project whose accounts are used up too", () =>
    Effect.gen(function*() {
      const project = 120
      const [ofProject, ...ofAccounts] = [project, limit, limit, limit].map(makeProvider)
      const accounts = ofAccounts.map((provider, index) => ({ name: `account ${index}`, provider }))
      const instances = yield* makeInstances(gsheets, { ...quotas, "gsheets.read.project": project })
      const calls = makeCalls(instances, ({ input }, now) => {
        const account = accounts.find(({ name }) => name === Object(input.path).spreadsheetId)
        return account?.provider.accepts(now) === true && ofProject?.accepts(now) === true
      })
      let next = 0
      yield* saturate(calls, 10 * project, () => {
        const name = accounts[next++ % accounts.length]?.name ?? ""
        return { ...read(name), input: { path: { spreadsheetId: name, range: "A1" } } }
      })
      yield* pass(120)
      assert.isEmpty(calls.refusedAt)
      assert.isAtLeast(total(calls.done), 0.95 * 2 * project)
      assertFair(calls.done, 0.5)
    }).pipe(Effect.scoped))

  it.effect("serve an interactive call beside a batch within two seconds", () =>
    Effect.gen(function*() {
      const provider = makeProvider(limit)
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), (_, now) => provider.accepts(now))
      yield* calls.every(100, calls.call(read(), { member: "batch", priority: 7 }))
      // The batch may take all units at once while nobody else asks.
      yield* pass(60)
      const waits: Array<number> = []
      yield* repeatedly(Effect.map(calls.call(read(), { member: "person" }), (waited) => waits.push(waited)))
      yield* pass(100)
      assert.isAtMost(p95(waits), 2000)
      assert.isEmpty(calls.refusedAt)
    }).pipe(Effect.scoped))

  it.effect("serve an urgent call first, in whichever instance its member's batch waits", () =>
    Effect.gen(function*() {
      const provider = makeProvider(limit)
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), (_, now) => provider.accepts(now))
      yield* calls.every(100, calls.call(read(), { member: "batch", priority: 7 }))
      // The batch may take all units at once while nobody else asks.
      yield* pass(60)
      const waits: Array<number> = []
      const urgent = calls.call(read(), { member: "batch", priority: 0 })
      yield* repeatedly(Effect.map(urgent, (waited) => waits.push(waited)))
      yield* pass(100)
      assert.isAtMost(p95(waits), 2000)
    }).pipe(Effect.scoped))

  it.effect("say how much is left, within three percent", () =>
    Effect.gen(function*() {
      const limit = 300
      const provider = makeProvider(limit)
      const [one, other] = yield* makeInstances(gsheets, { "gsheets.read.account": limit })
      if (one === undefined || other === undefined) return assert.fail("two instances")
      const calls = makeCalls([one, other], (_, now) => provider.accepts(now))
      yield* saturate(calls, 0.4 * limit)
      for (let second = 0; second < 160; second++) {
        yield* pass(1)
        const listed = yield* after((second % 2 === 0 ? one : other).quotas.list([connectionId]))
        const { remaining } = listed.find(({ name }) => name === "gsheets.read.account") ?? { remaining: limit }
        const truth = limit - provider.inWindow(yield* Clock.currentTimeMillis)
        assert.isAtMost(Math.abs(remaining - truth), 0.03 * limit, `after ${second} s`)
      }
    }).pipe(Effect.scoped))

  // On average a third of the limit.
  const others = [
    { what: "single requests", size: 1, millis: () => 600 },
    { what: "requests at random times", size: 1, millis: (random: number) => -Math.log(1 - random) * 600 },
    { what: "bursts", size: 12, millis: (random: number) => 5000 + 4400 * random }
  ]

  it.effect.each(others)(
    "leave another application's $what their third within two windows, and use the rest",
    (other) =>
      Effect.gen(function*() {
        const limit = 300
        const provider = makeProvider(limit)
        const calls = makeCalls(
          yield* makeInstances(gsheets, { "gsheets.read.account": limit }),
          (_, now) => provider.accepts(now)
        )
        yield* saturate(calls, 2 * limit)
        const random = makeRandom(11)
        let [sent, accepted] = [0, 0]
        yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
          yield* Effect.sleep(other.millis(random()))
          const now = yield* Clock.currentTimeMillis
          for (let request = 0; request < other.size; request++) {
            sent++
            if (provider.accepts(now)) accepted++
          }
        })))
        yield* pass(120)
        calls.done.clear()
        calls.refusedAt.splice(0)
        ;[sent, accepted] = [0, 0]
        yield* pass(300)
        const done = total(calls.done)
        assert.isAtMost(calls.refusedAt.length, Math.ceil(done / 1000))
        assert.isAtLeast(done, 0.8 * (5 * limit - sent))
        assert.isAtLeast(accepted, 0.95 * sent)
        assertFair(calls.done, 0.6)
      }).pipe(Effect.scoped)
  )

  it.effect("never send more than the limit when one is killed, and the other goes on", () =>
    Effect.gen(function*() {
      const provider = makeProvider(limit)
      const instances = yield* makeInstances(gsheets, quotas)
      const calls = makeCalls(instances, (_, now) => provider.accepts(now))
      yield* saturate(calls, 10 * limit)
      yield* pass(90)
      instances[0]?.kill()
      const before = total(calls.done)
      yield* pass(90)
      assert.isEmpty(calls.refusedAt)
      assert.isAtLeast(total(calls.done) - before, 0.9 * 1.5 * limit)
    }).pipe(Effect.scoped))
})

describe("Two instances on a GA4 property", () => {
  it.effect("share the requests that may be under way", () =>
    Effect.gen(function*() {
      const [one, other] = yield* makeInstances(ga4)
      if (one === undefined || other === undefined) return assert.fail("two instances")
      let [underWay, most] = [0, 0]
      const done = new Map<string, number>()
      const send = Effect.fnUntraced(function*(instance: typeof one, member: string, millis: number) {
        const permit = yield* instance.quotas.take(report, { ...serviceCaller(), member })
        most = Math.max(most, ++underWay)
        yield* Effect.sleep(millis)
        underWay--
        permit.end(true)
        done.set(member, (done.get(member) ?? 0) + 1)
      })
      for (let index = 0; index < 20; index++) {
        yield* Effect.forkScoped(Effect.forever(send(one, "batch", 400 + 10 * index)))
        yield* Effect.forkScoped(Effect.forever(send(other, "other batch", 400 + 10 * index)))
      }
      yield* pass(30)
      assert.isAtMost(most, 8)
      assert.isAtLeast(total(done), 0.75 * 30 * 8 / 0.5)
      assert.isAtLeast(done.get("batch") ?? 0, 0.4 * total(done))
      assert.isAtLeast(done.get("other batch") ?? 0, 0.4 * total(done))
    }).pipe(Effect.scoped))

  it.effect("that always fails send it fewer than ten requests in an hour", () =>
    Effect.gen(function*() {
      const instances = yield* makeInstances(ga4)
      let errors = 0
      const send = Effect.fnUntraced(function*(quotas: typeof instances[number]["quotas"]) {
        const permit = yield* quotas.take(report, { ...serviceCaller(), waitMillis: 0 })
        errors++
        yield* Effect.sleep(200)
        yield* permit.learn({ status: 500, retryAfter: undefined, body: () => ({}) })
        permit.end(true)
      })
      for (const { quotas } of instances) {
        for (let index = 0; index < 10; index++) {
          yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(60_000), Effect.ignore(send(quotas)))))
        }
      }
      for (let second = 0; second < 3600; second += 10) yield* TestClock.adjust(10_000)
      assert.strictEqual(errors, 8)
    }).pipe(Effect.scoped))
})
