import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

const begin = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

/** For a client that runs one transaction at a time. */
export const asksInOrder = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const answered: Array<string> = []
  const ask = (name: string) => Effect.andThen(sql`SELECT ${name}`, Effect.sync(() => answered.push(name)))

  const gate = yield* Deferred.make<void>()
  const isHeld = yield* Deferred.make<void>()
  const hold = sql.withTransaction(Effect.andThen(Deferred.succeed(isHeld, undefined), Deferred.await(gate)))
  // Asks again before anything that waits has run.
  const holder = yield* begin(Effect.andThen(hold, ask("newcomer")))
  yield* Deferred.await(isHeld)

  const waiting = [
    yield* begin(ask("first")),
    yield* begin(ask("cancelled")),
    yield* begin(sql.withTransaction(ask("transaction"))),
    yield* begin(ask("last"))
  ]
  yield* Fiber.interrupt(waiting[1] ?? assert.fail())
  yield* Deferred.succeed(gate, undefined)
  for (const fiber of [holder, ...waiting]) yield* Fiber.await(fiber)
  assert.deepStrictEqual(answered, ["first", "transaction", "last", "newcomer"])
})

export const order = (it: Vitest.MethodsNonLive<SqlClient.SqlClient>) =>
  it.effect("statements and transactions run in the order of their requests", () => asksInOrder)
