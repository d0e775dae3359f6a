import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { type QuotaCaller, serviceCaller } from "../../../src/Providers/Quotas/QuotaCaller.ts"
import type { QuotaRequest } from "../../../src/Providers/Quotas/Quotas.ts"
import { makeCalls, makeInstances, makeProvider, makeRandom, p95, pass } from "./World.ts"

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

  it.effect.each<{ what: string; caller: Partial<QuotaCaller> }>([
    { what: "an interactive call beside a batch", caller: { member: "person" } },
    { what: "an urgent call of the batch's member", caller: { member: "batch", priority: 0 } }
  ])("serve $what within two seconds, in whichever instance the batch waits", ({ caller }) =>
    Effect.gen(function*() {
      const provider = makeProvider(limit)
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), (_, now) => provider.accepts(now))
      yield* calls.every(100, calls.call(read(), { member: "batch", priority: 7 }))
      // The batch may take all units at once while nobody else asks.
      yield* pass(60)
      const waits: Array<number> = []
      // With a pause of the seconds that a person takes.
      const call = Effect.map(calls.call(read(), caller), (waited) => waits.push(waited))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(4300), call)))
      yield* pass(100)
      assert.isAtMost(p95(waits), 2000)
      assert.isEmpty(calls.refusedAt)
    }).pipe(Effect.scoped))

  it.effect("leave another application its third within two windows, and use the rest", () =>
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
        yield* Effect.sleep(-Math.log(1 - random()) * 600)
        sent++
        if (provider.accepts(yield* Clock.currentTimeMillis)) accepted++
      })))
      yield* pass(120)
      calls.done.clear()
      calls.refusedAt.splice(0)
      ;[sent, accepted] = [0, 0]
      yield* pass(180)
      const done = total(calls.done)
      assert.isAtMost(calls.refusedAt.length, Math.ceil(done / 1000))
      assert.isAtLeast(done, 0.8 * (3 * limit - sent))
      assert.isAtLeast(accepted, 0.95 * sent)
    }).pipe(Effect.scoped))

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
})
