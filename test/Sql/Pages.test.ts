import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeBatcher } from "../../src/Sql/Batcher.ts"
import { selectFitting } from "../../src/Sql/Rows.ts"
import { timeoutOrElse } from "../../src/Sql/Timeout.ts"

interface Row {
  readonly id: string
  readonly text: string
}

/** Reads every page of rows whose texts have these lengths. */
const readAll = Effect.fnUntraced(function*(lengths: ReadonlyArray<number>, limit: number) {
  const rows = lengths.map((length, index): Row => ({ id: String(9_000_000 - index), text: "x".repeat(length) }))
  const statements: Array<number> = []
  const select = (cursor: string | undefined, count: number) =>
    Effect.sync(() => {
      statements.push(count)
      return rows.filter(({ id }) => cursor === undefined || id < cursor).slice(0, count)
    })
  const pages: Array<ReadonlyArray<Row>> = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = yield* selectFitting({ limit, ...cursor === undefined ? {} : { cursor } }, select)
    pages.push(page.items)
    cursor = page.cursor
  }
  assert.deepStrictEqual(pages.flat(), rows)
  return { pages, sizes: pages.map(({ length }) => length), statements }
})

describe("The pages of a list", () => {
  it.effect("have as many rows as asked for, and the last one has no cursor", () =>
    Effect.gen(function*() {
      const short = Array.from({ length: 120 }, () => 100)
      assert.deepStrictEqual((yield* readAll(short, 50)).sizes, [50, 50, 20])
      assert.deepStrictEqual((yield* readAll(short, 60)).sizes, [60, 60])
      assert.deepStrictEqual((yield* readAll([], 60)).sizes, [0])
      const { statements } = yield* readAll(short.slice(0, 5), 5)
      assert.deepStrictEqual(statements, [6])
    }))

  it.effect("end early where rows are long, and no statement reads many of those", () =>
    Effect.gen(function*() {
      const { pages, statements } = yield* readAll(Array.from({ length: 100 }, () => 250_000), 200)
      for (const page of pages) assert.isAtMost(JSON.stringify(page).length, 1_000_000)
      assert.isAtMost(Math.max(...statements), 8)
      const { sizes } = yield* readAll([10, 3_000_000, 10, 2_000_000, 2_000_000, 10], 200)
      assert.deepStrictEqual(sizes, [1, 1, 1, 1, 1, 1])
    }))
})

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
