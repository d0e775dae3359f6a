import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Scope } from "effect"
import { makeFairSemaphore } from "../../../src/Sql/Client/FairSemaphore.ts"

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("FairSemaphore", () => {
  it.effect("serves a waiter for more permits before later ones, until it gives up", () =>
    Effect.gen(function*() {
      const semaphore = makeFairSemaphore(2)
      const gate = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      yield* begin(semaphore.use(Deferred.await(gate)))
      const all = yield* begin(Scope.provide(semaphore.hold(2), scope))
      const one = yield* begin(semaphore.use(Effect.succeed("ran")))
      for (let i = 0; i < 5; i++) yield* Effect.yieldNow
      assert.isUndefined(one.pollUnsafe())
      yield* Fiber.interrupt(all)
      assert.strictEqual(yield* Fiber.join(one), "ran")
      yield* Deferred.succeed(gate, undefined)
    }))

  it.effect("frees a permit when its holder fails or is interrupted while it gets it", () =>
    Effect.gen(function*() {
      const semaphore = makeFairSemaphore(1)
      yield* Effect.exit(semaphore.use(Effect.die("lost")))
      const gate = yield* Deferred.make<void>()
      const first = yield* begin(semaphore.use(Deferred.await(gate)))
      const second = yield* begin(semaphore.use(Effect.never))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      yield* Fiber.interrupt(second)
      assert.strictEqual(yield* semaphore.use(Effect.succeed("ran")), "ran")
    }))
})
