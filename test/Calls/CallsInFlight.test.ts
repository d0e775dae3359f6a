import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeCallsInFlight } from "../../src/Calls/CallsInFlight.ts"

const makeFixture = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const { run } = yield* Scope.provide(makeCallsInFlight, scope)
  const provider = yield* Deferred.make<void>()
  const outcome: Array<string> = []
  const write = Deferred.await(provider).pipe(
    Effect.tap(() => Effect.sync(() => outcome.push("logged"))),
    Effect.onInterrupt(() => Effect.sync(() => outcome.push("interrupted")))
  )
  return {
    provider,
    outcome,
    write: Effect.forkChild(run(write), { startImmediately: true }),
    read: Effect.forkChild(run(Effect.interruptible(write)), { startImmediately: true }),
    close: Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
  }
})

describe("A call in flight", () => {
  it.effect("that writes finishes without its caller, before the service ends", () =>
    Effect.gen(function*() {
      const { close, outcome, provider, write } = yield* makeFixture
      const caller = yield* write
      caller.interruptUnsafe()
      const closing = yield* close
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(closing.pollUnsafe())
      assert.deepStrictEqual(outcome, [])
      yield* Deferred.succeed(provider, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["logged"])
    }))

  it.effect("that reads is interrupted with its caller", () =>
    Effect.gen(function*() {
      const { close, outcome, read } = yield* makeFixture
      yield* Fiber.interrupt(yield* read)
      assert.deepStrictEqual(outcome, ["interrupted"])
      yield* Fiber.join(yield* close)
    }))

  it.effect("that reads is interrupted 30 seconds after the service begins to end", () =>
    Effect.gen(function*() {
      const { close, outcome, read } = yield* makeFixture
      yield* read
      const closing = yield* close
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(outcome, [])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["interrupted"])
    }))

  it.effect("does not delay the end of the service after it has completed", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { run } = yield* Scope.provide(makeCallsInFlight, scope)
      assert.strictEqual(yield* run(Effect.succeed(1)), 1)
      assert.strictEqual(yield* Effect.flip(run(Effect.fail("no"))), "no")
      yield* Scope.close(scope, Exit.void)
    }))
})
