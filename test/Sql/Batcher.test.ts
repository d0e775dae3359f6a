import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeBatcher } from "../../src/Sql/Batcher.ts"

describe("a batcher", () => {
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
