import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { CredentialsExpired, UpstreamError, UpstreamUnreachable } from "../../../src/Api/Errors/ProviderErrors.ts"
import { governed } from "../../../src/Features/Quotas/Governed.ts"
import { makeGovernor } from "../../../src/Features/Quotas/Governor.ts"
import { quotaOf } from "../../../src/Features/Quotas/QuotaErrors.ts"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { QuotaStore } from "../../../src/Features/Quotas/QuotaStore.ts"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { getUserSites } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { after, connectionId, type Instance, isSent, makeInstances, makeStore } from "./World.ts"

const report: QuotaRequest = {
  provider: ga4,
  endpoint: propertiesRunReport,
  input: { path: { property: "123" }, body: { returnPropertyQuota: true } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const read: QuotaRequest = {
  ...report,
  provider: gsheets,
  endpoint: valuesGet,
  input: { path: { spreadsheetId: "leads", range: "A1" } }
}
const sheets = { "gsheets.read.account": 1000, "gsheets.read.project": 1000 }

const usedOf = Effect.fnUntraced(function*(instance: Instance, quota = "gsheets.read.account") {
  return (yield* after(instance.list([connectionId]))).find(({ name }) => name === quota)?.used ?? 0
})

const remaining = (tokens: number) => ({
  body: () => ({ propertyQuota: { tokensPerProjectPerHour: { consumed: 3, remaining: tokens } } })
})

describe("A report of what is left", () => {
  it.effect("of nothing refuses the next call, in any instance", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(ga4)
      assert.isTrue(yield* isSent(one, report, remaining(0)))
      for (const instance of [one, other]) assert.isFalse(yield* isSent(instance, report))
    }).pipe(Effect.scoped))

  it.effect("is shown in the list, and so is what a first call leaves", () =>
    Effect.gen(function*() {
      const reported = yield* makeInstances(ga4)
      yield* isSent(reported.one, report, remaining(1205))
      const tokens = (yield* after(reported.one.list([connectionId])))
        .find(({ name }) => name === "ga4.core_tokens_hour.project_resource")
      assert.strictEqual(tokens?.remaining, 1205)
      const { one, other } = yield* makeInstances(gsheets, { "gsheets.read.account": 100 })
      const caller = serviceCaller(connectionId)
      yield* after(one.take(read, caller))
      const [first] = yield* after(one.list([connectionId]))
      assert.deepStrictEqual([caller.scarcest?.remaining, first?.remaining], [99, 99])
      assert.isAtLeast(caller.waitMillis, 4900)
      assert.strictEqual(yield* usedOf(other), 1)
    }).pipe(Effect.scoped))
})

const exhausted = { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota exceeded" } }

describe("A Retry-After", () => {
  it.effect.each(["20", "Thu, 01 Jan 1970 00:00:20 GMT"])(
    "of %s ends a refusal, with no minute to wait",
    (retryAfter) =>
      Effect.gen(function*() {
        const { one } = yield* makeInstances(gsheets)
        yield* isSent(one, read, { status: 429, retryAfter, body: () => exhausted })
        assert.isFalse(yield* isSent(one, read))
        yield* TestClock.adjust("21 seconds")
        assert.isTrue(yield* isSent(one, read))
      }).pipe(Effect.scoped)
  )
})

describe("Server errors of GA4", () => {
  it.effect("refuse a property after eight in an hour, whatever requests are under way", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(ga4)
      for (let sent = 0; sent < 20; sent++) assert.isTrue(yield* isSent(one, report))
      for (let sent = 0; sent < 8; sent++) {
        assert.isTrue(yield* isSent(sent % 2 === 0 ? one : other, report, { status: 500 }))
      }
      for (const instance of [one, other]) assert.isFalse(yield* isSent(instance, report))
    }).pipe(Effect.scoped))
})

describe("Units", () => {
  it.effect("of a lease are shown when requests use them, and go back when the instance stops", () =>
    Effect.gen(function*() {
      const { one, other, stopOne } = yield* makeInstances(gsheets, sheets)
      for (let sent = 0; sent < 6; sent++) yield* after(one.take(read, serviceCaller(connectionId)), 10)
      assert.strictEqual(yield* usedOf(one), 6)
      assert.isAbove(yield* usedOf(other), 6)
      yield* after(stopOne)
      assert.strictEqual(yield* usedOf(other), 6)
    }).pipe(Effect.scoped))

  it.effect("of a lease cost no statement", () =>
    Effect.gen(function*() {
      const { changes, one } = yield* makeInstances(gsheets, { ...sheets, "gsheets.read.account": 10_000 })
      const take = one.take(read, serviceCaller(connectionId))
      yield* after(Effect.replicateEffect(take, 20))
      // Each of the two buckets is asked twice for its first lease, and that of the project again after ten units.
      assert.isAtMost(changes(), 6)
    }).pipe(Effect.scoped))

  it.effect("of a budget are taken once by a call, and a request for more than a limit gets the limit", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsheets)
      const budgets = [{ name: "calls_per_day", holder: "key", limit: 2 } as const]
      for (const expected of [true, true, false]) {
        const caller = { ...serviceCaller(connectionId), waitMillis: 0, budgets }
        const requests = [
          yield* after(Effect.exit(one.take(read, caller))),
          yield* after(Effect.exit(one.take(read, caller)))
        ]
        assert.deepStrictEqual(requests.map(Exit.isSuccess), [expected, expected])
      }
      const small = yield* makeInstances(ga4, { "ga4.core_tokens_hour.project_resource": 5 })
      assert.isTrue(yield* isSent(small.one, report))
    }).pipe(Effect.scoped))

  it.effect("of a slot come back once, however often its request ends", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(ga4)
      const take = one.take(report, serviceCaller(connectionId))
      // The last two get their slots together.
      const [, second] = yield* after(Effect.all([take, take, take], { concurrency: 3 }))
      for (let end = 0; end < 2; end++) {
        second.end(true)
        yield* TestClock.adjust(1000)
      }
      assert.strictEqual(yield* usedOf(one, "ga4.concurrent.resource"), 2)
    }).pipe(Effect.scoped))

  it.effect.each<
    readonly [string, number, Effect.Effect<string, UpstreamError | UpstreamUnreachable | CredentialsExpired>]
  >([
    ["answers", 1, Effect.succeed("answer")],
    ["refuses", 1, Effect.fail(new UpstreamError({ status: 400, details: {} }))],
    ["cannot answer", 1, Effect.fail(new UpstreamUnreachable({}))],
    ["is not reached", 0, Effect.fail(new UpstreamUnreachable({ wasSent: false }))],
    ["is not asked, because the access has ended", 0, Effect.fail(new CredentialsExpired({}))]
  ])("count where the provider %s: %i", ([, used, answer]) =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsheets, sheets)
      yield* after(Effect.exit(governed(one, () => answer, serviceCaller(connectionId))(read)))
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* usedOf(one), used)
    }).pipe(Effect.scoped))
})

const readSites: QuotaRequest = { ...report, provider: sitesearch, endpoint: getUserSites, input: {} }
const oneCall = { "sitesearch.calls.account": 1 }

describe("A quota of which nothing is left", () => {
  it.effect("refuses without a statement what cannot wait for the next unit, until one comes back", () =>
    Effect.gen(function*() {
      const { changes, one } = yield* makeInstances(sitesearch, oneCall)
      const permit = yield* after(one.take(readSites, serviceCaller()))
      assert.isFalse(yield* isSent(one, readSites))
      const before = changes()
      for (let call = 0; call < 3; call++) assert.isFalse(yield* isSent(one, readSites))
      assert.strictEqual(changes(), before)
      permit.end(false)
      assert.isTrue(yield* isSent(one, readSites))
    }).pipe(Effect.scoped))

  it.effect("gives the next unit to a call that waits when it comes back", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(sitesearch, oneCall)
      const permit = yield* after(one.take(readSites, serviceCaller()))
      const caller = { ...serviceCaller(), waitMillis: 70_000 }
      const fiber = yield* Effect.forkScoped(one.take(readSites, caller))
      yield* TestClock.adjust("10 seconds")
      permit.end(false)
      yield* TestClock.adjust(10)
      yield* Fiber.join(fiber)
      assert.isAtLeast(caller.waitMillis, 59_000)
    }).pipe(Effect.scoped))

  it.effect("is asked for again half a second after each answer, until a unit comes back", () =>
    Effect.gen(function*() {
      const { changes, one } = yield* makeInstances(sitesearch, oneCall)
      yield* after(one.take(readSites, serviceCaller()))
      const fiber = yield* Effect.forkScoped(one.take(readSites, { ...serviceCaller(), waitMillis: 70_000 }))
      yield* TestClock.adjust(100)
      const before = changes()
      for (let tick = 0; tick < 100; tick++) yield* TestClock.adjust(100)
      assert.closeTo(changes() - before, 20, 1)
      for (let tick = 0; tick < 510; tick++) yield* TestClock.adjust(100)
      yield* Fiber.join(fiber)
    }).pipe(Effect.scoped))
})

describe("Buckets", () => {
  it.effect("are forgotten by an instance that has used too many, but for those in use", () =>
    Effect.gen(function*() {
      const { bucketOf, buckets } = yield* Effect.provideService(makeGovernor, QuotaStore, makeStore().store)
      const quota = quotaOf({ name: "calls_per_day", holder: "", limit: 1 })
      const used = bucketOf(quota, "used")
      used.isAsking = true
      for (let subject = 0; subject < 10_001; subject++) bucketOf(quota, `${subject}`)
      assert.isBelow(buckets.size, 10)
      assert.strictEqual(bucketOf(quota, "used"), used)
    }).pipe(Effect.scoped))
})

describe("A client that ignores its permit", () => {
  it.effect("teaches the quota by what its requests fail with", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsheets)
      const error = new UpstreamError({ status: 429, details: exhausted })
      yield* after(Effect.exit(governed(one, () => Effect.fail(error), serviceCaller(connectionId))(read)))
      assert.isFalse(yield* isSent(one, read))
    }).pipe(Effect.scoped))
})

describe("A request that waited", () => {
  it.effect("is sent only if it still may be, and else leaves its units to others", () =>
    Effect.gen(function*() {
      const { changes, one } = yield* makeInstances(ga4, { "ga4.concurrent.resource": 1 })
      const sent: Array<string> = []
      const send = Effect.fnUntraced(function*(name: string, recheck: Effect.Effect<void, CredentialsExpired>) {
        const held = yield* after(one.take(report, serviceCaller(connectionId)))
        yield* Effect.delay(Effect.sync(() => held.end(true)), 500).pipe(Effect.forkScoped)
        const client = () => Effect.sync(() => sent.push(name))
        return yield* after(Effect.exit(governed(one, client, serviceCaller(connectionId), recheck)(report)), 2000)
      })
      assert.isTrue(Exit.isFailure(yield* send("refused", Effect.fail(new CredentialsExpired({})))))
      assert.deepStrictEqual(yield* send("allowed", Effect.void), Exit.succeed(1))
      const unlimited = { ...report, access: {} }
      const never = Effect.fail(new CredentialsExpired({}))
      const unasked = governed(one, () => Effect.succeed("sent"), serviceCaller(connectionId), never)
      assert.deepStrictEqual([...sent, yield* unasked(unlimited)], ["allowed", "sent"])
      // What goes back and the next question are one statement of the store.
      assert.isAtMost(changes(), 48)
    }).pipe(Effect.scoped))

  it.effect("holds no unit of a project while its account has none, and leaves none behind", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsheets, { ...sheets, "gsheets.read.account": 1 })
      const take = one.take(read, { ...serviceCaller(connectionId), waitMillis: 70_000 })
      yield* after(take)
      const fibers = [yield* Effect.forkScoped(take)]
      yield* TestClock.adjust(1000)
      fibers.push(yield* Effect.forkScoped(take))
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* usedOf(one, "gsheets.read.project"), 2)
      yield* Fiber.interruptAll(fibers)
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* usedOf(one, "gsheets.read.project"), 1)
    }).pipe(Effect.scoped))

  it.effect("counts from when it is sent", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsheets, { ...sheets, "gsheets.read.project": 1 })
      const joe = { quotaAccount: Effect.succeed({ project: "acme", account: "joe@acme.com" }) }
      yield* after(one.take({ ...read, access: joe }, serviceCaller()), 30_000)
      const caller = { ...serviceCaller(connectionId), waitMillis: 60_000 }
      yield* after(one.take(read, caller), 35_000)
      assert.isBelow(caller.waitMillis, 35_000)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* usedOf(one), 1)
    }).pipe(Effect.scoped))

  it.effect("asks again for a unit whose window passed before it was sent, and waits for it no longer than it may", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(gsheets, { "gsheets.read.account": 1 })
      const caller = { ...serviceCaller(connectionId), waitMillis: 1000 }
      const paused = yield* after(one.take(read, caller))
      yield* TestClock.adjust("62 seconds")
      assert.isTrue(yield* isSent(other, read))
      const exit = yield* after(Effect.exit(paused.attempt() ?? Effect.void), 2000)
      assert.isTrue(Exit.isFailure(exit))
      yield* TestClock.adjust("62 seconds")
      assert.isTrue(yield* isSent(other, read))
    }).pipe(Effect.scoped))

  it.effect("fails where the store of the quotas does", () =>
    Effect.gen(function*() {
      const { one, takeAway } = yield* makeInstances(gsheets)
      takeAway()
      const exit = yield* after(Effect.exit(one.take(read, serviceCaller(connectionId))))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.scoped))
})
