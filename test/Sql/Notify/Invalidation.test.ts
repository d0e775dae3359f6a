import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../../src/Sql/Database.ts"
import { type InvalidatedRow, Invalidation } from "../../../src/Sql/Notify/Invalidation.ts"
import { eventually } from "../../support/Eventually.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

const instance = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const context = yield* Layer.build(
    Layer.fresh(Invalidation.layerServer(url).pipe(Layer.provideMerge(Database.layerServer({ url }))))
  )
  const invalidation = Context.get(context, Invalidation)
  const invalidated: Array<InvalidatedRow | undefined> = []
  yield* invalidation.subscribe((row) => invalidated.push(row))
  yield* eventually(Effect.sync(() => invalidated), ({ length }) => length > 0)
  assert.deepStrictEqual(invalidated.splice(0), [undefined])
  return { invalidation, invalidated, sql: Context.get(context, SqlClient.SqlClient) }
})

const revoked: InvalidatedRow = { table: "keys", id: "key_1" }

layer(RealPostgres.layer, { excludeTestServices: true })("a change on one instance", (it) => {
  it.effect("invalidates its own cache immediately, and those of other instances", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const [here, there] = [yield* instance(url), yield* instance(url)]

      yield* here.invalidation.publish(revoked)
      assert.deepStrictEqual(here.invalidated[0], revoked)
      yield* eventually(Effect.sync(() => there.invalidated), ({ length }) => length > 0)
      assert.deepStrictEqual(there.invalidated, [revoked])
    }))

  it.effect("invalidates everything on instances that reconnect after losing their connection", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const [here, there] = [yield* instance(url), yield* instance(url)]
      yield* here.sql`
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = 'openaccounts listener' AND datname = current_database()`
      yield* here.invalidation.publish(revoked)
      yield* eventually(Effect.sync(() => there.invalidated), ({ length }) => length > 0)
      assert.deepStrictEqual(there.invalidated, [undefined])

      yield* here.invalidation.publish(revoked)
      yield* eventually(Effect.sync(() => there.invalidated), ({ length }) => length > 1)
      assert.deepStrictEqual(there.invalidated, [undefined, revoked])
    }))
})
