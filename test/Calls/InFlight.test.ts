import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { startFlags } from "../../scripts/StartFlags.ts"
import { makeInFlight } from "../../src/Calls/InFlight.ts"

const makeFixture = Effect.gen(function*() {
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

describe("A call in flight without its caller", () => {
  it.effect("finishes before the service ends", () =>
    Effect.gen(function*() {
      const { closing, outcome, provider } = yield* makeFixture
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(closing.pollUnsafe())
      assert.deepStrictEqual(outcome, [])
      yield* Deferred.succeed(provider, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["logged"])
    }))

  it.effect("is interrupted after 30 seconds", () =>
    Effect.gen(function*() {
      const { closing, outcome } = yield* makeFixture
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(outcome, ["cut"])
    }))

  it.effect("delays the end only where there is one", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { run } = yield* Scope.provide(makeInFlight, scope)
      assert.strictEqual(yield* run(Effect.succeed(1)), 1)
      assert.strictEqual(yield* Effect.flip(run(Effect.fail("no"))), "no")
      yield* Scope.close(scope, Exit.void)
    }))
})

it.effect("a completed call keeps its result out of the fiber, which stays in memory for longer", () =>
  Effect.gen(function*() {
    const { fork } = yield* makeInFlight
    const result = yield* Deferred.make<string>()
    const fiber = yield* fork(Effect.succeed("answer"), result)
    assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.succeed(true))
    assert.strictEqual(yield* Deferred.await(result), "answer")
  }))

it("a completed call leaves nothing in memory for a full garbage collection", async () => {
  // A new process with the flags of `npm start` has no garbage of other tests.
  const program = new URL("InFlightMemory.ts", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [...startFlags, "--expose-gc", program])
  assert.isBelow(Number(stdout), 8)
})
