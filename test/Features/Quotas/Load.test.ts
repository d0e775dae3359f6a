import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { type Caller } from "../../../src/Providers/Sending/Caller.ts"
import { makeCalls, makeInstances, makeProvider, p95, pass } from "./World.ts"

const read: QuotaRequest = {
  provider: gsheets,
  endpoint: valuesGet,
  input: { path: { spreadsheetId: "leads", range: "A1" } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const members = Array.from({ length: 20 }, (_, index) => `member ${index}`)
const limit = 60
const quotas = { "gsheets.read.account": limit }

/** The same calls at random times from each of 20 members, together so many a minute. */
const saturate = (calls: ReturnType<typeof makeCalls>, perMinute: number) =>
  Effect.forEach(members, (member) => calls.every(60_000 * members.length / perMinute, calls.call(read, { member })), {
    discard: true
  })

const total = (done: ReadonlyMap<string, number>) => done.values().reduce((sum, each) => sum + each, 0)

describe("Two instances", () => {
  it.effect("at ten times the limit use it up, are never refused, and share it between members", () =>
    Effect.gen(function*() {
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), makeProvider(limit))
      yield* saturate(calls, 10 * limit)
      yield* pass(60)
      const first = total(calls.done)
      // The first units went to those who came first.
      calls.done.clear()
      yield* pass(120)
      assert.isEmpty(calls.refusedAt)
      assert.isAtLeast(first + total(calls.done), 0.95 * 3 * limit)
      for (const member of members) {
        assert.isAtLeast(calls.done.get(member) ?? 0, Math.floor(0.8 * total(calls.done) / members.length), member)
      }
    }).pipe(Effect.scoped))

  it.effect.each<{ what: string; caller: Partial<Caller> }>([
    { what: "an interactive call beside a batch", caller: { member: "person" } },
    { what: "an urgent call of the batch's member", caller: { member: "batch", priority: 0 } }
  ])("serve $what within two seconds, in whichever instance the batch waits", ({ caller }) =>
    Effect.gen(function*() {
      const calls = makeCalls(yield* makeInstances(gsheets, quotas), makeProvider(limit))
      yield* calls.every(100, calls.call(read, { member: "batch", priority: 7 }))
      // The batch may take all units at once while nobody else asks.
      yield* pass(60)
      const waits: Array<number> = []
      // With a pause of the seconds that a person takes.
      const call = Effect.map(calls.call(read, caller), (waited) => waits.push(waited))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(4300), call)))
      yield* pass(100)
      assert.isAtMost(p95(waits), 2000)
      assert.isEmpty(calls.refusedAt)
    }).pipe(Effect.scoped))

  it.effect("never send more than the limit when one is killed, and the other goes on", () =>
    Effect.gen(function*() {
      const instances = yield* makeInstances(gsheets, quotas)
      const calls = makeCalls(instances, makeProvider(limit))
      yield* saturate(calls, 10 * limit)
      yield* pass(90)
      instances[0]?.kill()
      const before = total(calls.done)
      yield* pass(90)
      assert.isEmpty(calls.refusedAt)
      assert.isAtLeast(total(calls.done) - before, 0.9 * 1.5 * limit)
    }).pipe(Effect.scoped))
})
