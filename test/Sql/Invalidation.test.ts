import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/Sql/Database.ts"
import { type InvalidatedRow, Invalidation } from "../../src/Sql/Invalidation.ts"
import { eventually } from "../support/Eventually.ts"
import { RealPostgres } from "../support/RealPostgres.ts"

/** What an instance was told to forget, oldest first. */
const instance = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const context = yield* Layer.build(
    Layer.fresh(Invalidation.layerServer(url).pipe(Layer.provideMerge(Database.layerServer({ url }))))
  )
  const changes = Context.get(context, Invalidation)
  const forgotten: Array<InvalidatedRow | undefined> = []
  yield* changes.subscribe((change) => forgotten.push(change))
  yield* eventually(Effect.sync(() => forgotten), ({ length }) => length > 0)
  assert.deepStrictEqual(forgotten.splice(0), [undefined])
  return { changes, forgotten, sql: Context.get(context, SqlClient.SqlClient) }
})

const revoked: InvalidatedRow = { table: "keys", id: "key_1" }

layer(RealPostgres.layer, { excludeTestServices: true })("what one instance changes", (it) => {
  it.effect("is forgotten there at once, and by the others", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const [here, there] = [yield* instance(url), yield* instance(url)]

      yield* here.changes.publish(revoked)
      assert.deepStrictEqual(here.forgotten[0], revoked)
      yield* eventually(Effect.sync(() => there.forgotten), ({ length }) => length > 0)
      assert.deepStrictEqual(there.forgotten, [revoked])
    }))

  it.effect("and they cannot hear while their connection is lost, is made up for by forgetting everything", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const [here, there] = [yield* instance(url), yield* instance(url)]
      yield* here.sql`
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = 'openaccounts listener' AND datname = current_database()`
      yield* here.changes.publish(revoked)
      yield* eventually(Effect.sync(() => there.forgotten), ({ length }) => length > 0)
      assert.deepStrictEqual(there.forgotten, [undefined])

      yield* here.changes.publish(revoked)
      yield* eventually(Effect.sync(() => there.forgotten), ({ length }) => length > 1)
      assert.deepStrictEqual(there.forgotten, [undefined, revoked])
    }))

  it.effect("that is said in words of another version, makes everything be forgotten", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const { forgotten, sql } = yield* instance(url)
      yield* sql`SELECT pg_notify('openaccounts_changes', 'grants gra_1')`
      yield* eventually(Effect.sync(() => forgotten), ({ length }) => length > 0)
      assert.deepStrictEqual(forgotten, [undefined])
    }))
})
