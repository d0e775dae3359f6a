import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { type Caller, serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { connectionId, type Instance, makeInstances } from "./World.ts"

const read: QuotaRequest = {
  provider: gsheets,
  endpoint: valuesGet,
  input: { path: { spreadsheetId: "leads", range: "A1" } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const makeInstance = Effect.fnUntraced(function*(limit: number) {
  const [instance] = yield* makeInstances(gsheets, { "gsheets.read.account": limit }, 1)
  return instance ?? assert.fail("an instance")
})

const impatient = (rest: Partial<Caller> = {}): Caller => ({ ...serviceCaller(connectionId), waitMillis: 0, ...rest })

/** How many of these calls, which begin a millisecond after each other, are sent. */
const sent = Effect.fnUntraced(function*({ quotas }: Instance, callers: ReadonlyArray<Caller>) {
  const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
  for (const caller of callers) {
    fibers.push(yield* Effect.forkScoped(quotas.take(read, caller)))
    yield* TestClock.adjust(1)
  }
  yield* TestClock.adjust(60)
  return fibers.map((fiber) => {
    const exit = fiber.pollUnsafe()
    return exit !== undefined && Exit.isSuccess(exit)
  })
})

const count = (sent: ReadonlyArray<boolean>) => sent.filter((isSent) => isSent).length

describe("Calls at the same time that do not wait", () => {
  it.effect.each([{ calls: 12, limit: 10 }, { calls: 5, limit: 60 }, { calls: 40, limit: 30 }])(
    "get all units that are free: $calls calls of $limit",
    ({ calls, limit }) =>
      Effect.gen(function*() {
        const instance = yield* makeInstance(limit)
        const callers = Array.from({ length: calls }, () => impatient())
        assert.strictEqual(count(yield* sent(instance, callers)), Math.min(calls, limit))
      }).pipe(Effect.scoped)
  )
})

describe("Beside background requests that wait", () => {
  it.effect("calls get all units that are free at once", () =>
    Effect.gen(function*() {
      const instance = yield* makeInstance(60)
      const background = Array.from({ length: 60 }, () => impatient({ isBackground: true, waitMillis: 60_000 }))
      yield* sent(instance, background)
      const callers = Array.from({ length: 3 }, () => impatient())
      assert.strictEqual(count(yield* sent(instance, callers)), callers.length)
    }).pipe(Effect.scoped))
})
