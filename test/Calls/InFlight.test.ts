import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { makeInFlight } from "../../src/Calls/InFlight.ts"

/** A service with a call in flight whose caller has gone, and its end, which has begun. */
const makeWorld = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const { run } = yield* Scope.provide(makeInFlight, scope)
  const provider = yield* Deferred.make<void>()
  const outcome: Array<string> = []
  const call = Deferred.await(provider).pipe(
    Effect.tap(() => Effect.sync(() => outcome.push("logged"))),
    Effect.onInterrupt(() => Effect.sync(() => outcome.push("cut")))
  )
  const caller = yield* Effect.forkChild(run(call), { startImmediately: true })
  yield* Effect.yieldNow
  yield* Fiber.interrupt(caller)
  const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
  return { provider, outcome, closing }
})

describe("a call whose caller has gone", () => {
  it.effect("is waited for when the service ends", () =>
    Effect.gen(function*() {
      const { closing, outcome, provider } = yield* makeWorld
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(closing.pollUnsafe())
      assert.deepStrictEqual(outcome, [])
      yield* Deferred.succeed(provider, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["logged"])
    }))

  it.effect("is cut after 30 seconds", () =>
    Effect.gen(function*() {
      const { closing, outcome } = yield* makeWorld
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["cut"])
    }))

  it.effect("is not waited for where there is none", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { run } = yield* Scope.provide(makeInFlight, scope)
      assert.strictEqual(yield* run(Effect.succeed(1)), 1)
      assert.strictEqual(yield* Effect.flip(run(Effect.fail("no"))), "no")
      yield* Scope.close(scope, Exit.void)
    }))
})

setFlagsFromString("--expose-gc")
const collect: (options?: { readonly type: "minor" }) => void = runInNewContext("gc")

/** What is left in memory where only the young are collected. */
const megabytes = () => {
  collect({ type: "minor" })
  collect({ type: "minor" })
  return process.memoryUsage().heapUsed / 1e6
}

it.effect("nothing of a call that is over waits in memory for a full garbage collection", () =>
  Effect.gen(function*() {
    const { run } = yield* makeInFlight
    const call = Effect.suspend(() => {
      const body = Array.from({ length: 1000 }, (_, index) => ({ index }))
      return run(Effect.map(Effect.yieldNow, () => body.length))
    })
    const calls = (count: number) => Effect.replicateEffect(call, count, { concurrency: 32, discard: true })
    yield* calls(100)
    const meanwhile = Effect.sync(() => {
      // What the calls in flight are kept in is old from here on.
      collect()
      return megabytes()
    })
    const [, before] = yield* Effect.all([calls(3000), Effect.andThen(Effect.yieldNow, meanwhile)], { concurrency: 2 })
    assert.isBelow(megabytes() - before, 15)
  }))
