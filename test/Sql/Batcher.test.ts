import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeBatcher } from "../../src/Sql/Batcher.ts"

const makeDatabase = () => {
  const statements: Array<{ readonly items: ReadonlyArray<number>; readonly end: Deferred.Deferred<void, "down"> }> = []
  const ask = (items: ReadonlyArray<number>) =>
    Effect.suspend(() => {
      const end = Deferred.makeUnsafe<void, "down">()
      statements.push({ items, end })
      return Effect.as(Deferred.await(end), items.map((item) => Exit.succeed(item * 2)))
    })
  return { statements, ask }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe("a batcher", () => {
  it.effect("puts a thousand items that arrive during a statement into the next one", () =>
    Effect.gen(function*() {
      const { ask, statements } = makeDatabase()
      const one = yield* makeBatcher(ask)
      const all = (items: ReadonlyArray<number>) =>
        Effect.forkChild(Effect.forEach(items, one, { concurrency: "unbounded" }), { startImmediately: true })
      const until = (count: number) => Effect.repeat(Effect.yieldNow, { until: () => statements.length === count })

      const first = yield* all([0])
      yield* until(1)
      const others = yield* all(range(1, 1001))
      for (let i = 0; i < 10; i++) yield* Effect.yieldNow
      assert.lengthOf(statements, 1)

      yield* Deferred.succeed(statements[0]?.end ?? assert.fail(), undefined)
      yield* until(2)
      assert.deepStrictEqual(statements[1]?.items, range(1, 1001))
      yield* Deferred.succeed(statements[1]?.end ?? assert.fail(), undefined)
      assert.deepStrictEqual(yield* Fiber.join(first), [0])
      assert.deepStrictEqual(yield* Fiber.join(others), range(1, 1001).map((item) => item * 2))
    }))

  it.effect("waits for more items, until eight batches in a row had one item", () =>
    Effect.gen(function*() {
      const statements: Array<ReadonlyArray<number>> = []
      const ask = (items: ReadonlyArray<number>) => {
        statements.push(items)
        return Effect.succeed(items.map((item) => Exit.succeed(item)))
      }
      const one = yield* makeBatcher(ask, { lingerTurns: 3 })
      const asked = (item: number) => Effect.forkChild(one(item), { startImmediately: true })

      const together = [yield* asked(1), yield* asked(2)]
      yield* Fiber.joinAll(together)
      assert.deepStrictEqual(statements.splice(0), [[1, 2]])

      for (let item = 0; item < 8; item++) {
        const alone = yield* asked(item)
        assert.lengthOf(statements, 0)
        yield* Fiber.join(alone)
        assert.deepStrictEqual(statements.splice(0), [[item]])
        yield* Effect.yieldNow
      }
      yield* asked(8)
      assert.deepStrictEqual(statements, [[8]])
    }))

  it.effect("fails only the items of a failed statement", () =>
    Effect.gen(function*() {
      const { ask, statements } = makeDatabase()
      const one = yield* makeBatcher(ask)
      const failing = yield* Effect.forkChild(Effect.exit(one(1)))
      yield* Effect.repeat(Effect.yieldNow, { until: () => statements.length === 1 })
      const next = yield* Effect.forkChild(one(2))
      yield* Deferred.fail(statements[0]?.end ?? assert.fail(), "down")
      assert.deepStrictEqual(yield* Fiber.join(failing), Exit.fail("down" as const))
      yield* Effect.repeat(Effect.yieldNow, { until: () => statements.length === 2 })
      yield* Deferred.succeed(statements[1]?.end ?? assert.fail(), undefined)
      assert.strictEqual(yield* Fiber.join(next), 4)
    }))

  it.effect("also fails queued items when the database is unavailable", () =>
    Effect.gen(function*() {
      const down = new SqlError({ reason: new ConnectionError({ cause: "down" }) })
      const gone = Deferred.makeUnsafe<ReadonlyArray<Exit.Exit<number>>, SqlError>()
      const statements: Array<ReadonlyArray<number>> = []
      const one = yield* makeBatcher((items: ReadonlyArray<number>) => {
        statements.push(items)
        return Deferred.await(gone)
      })
      const first = yield* Effect.forkChild(Effect.exit(one(1)))
      yield* Effect.repeat(Effect.yieldNow, { until: () => statements.length === 1 })
      const next = yield* Effect.forkChild(Effect.exit(one(2)), { startImmediately: true })
      yield* Deferred.fail(gone, down)
      assert.deepStrictEqual(yield* Fiber.join(first), Exit.fail(down))
      assert.deepStrictEqual(yield* Fiber.join(next), Exit.fail(down))
      assert.deepStrictEqual(statements, [[1]])
    }))
})
