import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Scope } from "effect"
import { makeTurns } from "../../../src/Sql/Client/Turns.ts"

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("turns", () => {
  it.effect("are lent first come, first served, to as many as there are turns", () =>
    Effect.gen(function*() {
      const turns = makeTurns(2)
      const started: Array<number> = []
      const jobs = Array.from({ length: 6 }, () => Deferred.makeUnsafe<void>())
      const end = (job: number) => Deferred.succeed(jobs[job] ?? assert.fail(), undefined)
      const fibers = yield* Effect.forEach(jobs, (job, index) =>
        begin(turns.use(Effect.suspend(() => {
          started.push(index)
          return Deferred.await(job)
        }))))
      assert.deepStrictEqual(started, [0, 1])

      yield* end(1)
      yield* Fiber.await(fibers[1] ?? assert.fail())
      yield* Effect.yieldNow
      assert.deepStrictEqual(started, [0, 1, 2])

      yield* Fiber.interrupt(fibers[3] ?? assert.fail())
      for (const job of [0, 2, 4, 5]) yield* end(job)
      for (const fiber of fibers) yield* Fiber.await(fiber)
      assert.deepStrictEqual(started, [0, 1, 2, 4, 5])
    }))

  it.effect("wait behind those that need more of them, until these give up", () =>
    Effect.gen(function*() {
      const turns = makeTurns(2)
      const gate = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      yield* begin(turns.use(Deferred.await(gate)))
      const all = yield* begin(Scope.provide(turns.hold(2), scope))
      const one = yield* begin(turns.use(Effect.succeed("ran")))
      for (let i = 0; i < 5; i++) yield* Effect.yieldNow
      assert.isUndefined(one.pollUnsafe())
      yield* Fiber.interrupt(all)
      assert.strictEqual(yield* Fiber.join(one), "ran")
      yield* Deferred.succeed(gate, undefined)
    }))

  it.effect("are free again when their holder fails or is interrupted as its turn comes", () =>
    Effect.gen(function*() {
      const turns = makeTurns(1)
      yield* Effect.exit(turns.use(Effect.die("lost")))
      const gate = yield* Deferred.make<void>()
      const first = yield* begin(turns.use(Deferred.await(gate)))
      const second = yield* begin(turns.use(Effect.never))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      yield* Fiber.interrupt(second)
      assert.strictEqual(yield* turns.use(Effect.succeed("ran")), "ran")
    }))

  it.effect("are lent to thousands that fail at once", () =>
    Effect.gen(function*() {
      const turns = makeTurns(1)
      const gate = yield* Deferred.make<void>()
      yield* begin(turns.use(Deferred.await(gate)))
      const fibers = yield* Effect.replicateEffect(begin(turns.use(Effect.fail("down"))), 3000)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of fibers) assert.isTrue((yield* Fiber.await(fiber))._tag === "Failure")
    }))
})
