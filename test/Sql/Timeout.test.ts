import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { timeoutOrElse } from "../../src/Sql/Timeout.ts"

const orElse = () => Effect.fail("timeout")

describe("A timeout", () => {
  it.live("of months leaves an effect the time that it takes", () =>
    Effect.gen(function*() {
      const effect = Effect.delay(Effect.succeed("done"), "20 millis")
      assert.strictEqual(yield* timeoutOrElse(effect, { duration: "90 days", orElse }), "done")
    }))

  it.live("interrupts an effect that takes longer", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<void>()
      const effect = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      assert.strictEqual(yield* Effect.flip(timeoutOrElse(effect, { duration: "5 millis", orElse })), "timeout")
      yield* Deferred.await(interrupted)
    }))
})
