import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeBatcher } from "../../src/Sql/Batcher.ts"

describe("a batcher", () => {
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
