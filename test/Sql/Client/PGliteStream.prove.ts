import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Database } from "../../../src/Sql/Database.ts"
import { dataFolder } from "../../support/DatabaseTemplate.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const mebibytes = Effect.sync(() => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
})

it.live("the embedded database does not keep responses in memory", () =>
  Effect.gen(function*() {
    const database = Database.layerEmbedded(`${yield* dataFolder}/db`)
    const sql = Context.get(yield* Layer.build(database), SqlClient.SqlClient)
    const ask = sql`SELECT repeat('x', 1000000) AS text`
    assert.strictEqual((yield* ask).length, 1)
    const before = yield* mebibytes
    for (let asked = 0; asked < 40; asked++) yield* ask
    assert.isBelow((yield* mebibytes) - before, 20)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

it.live.each([1, 40])(
  "statements leave turns of the event loop to others, %i at a time",
  (concurrency) =>
    Effect.gen(function*() {
      const database = Database.layerEmbedded(`${yield* dataFolder}/db`)
      const sql = Context.get(yield* Layer.build(database), SqlClient.SqlClient)
      let turns = 0
      const count = () => {
        turns++
        counting = setImmediate(count)
      }
      let counting = setImmediate(count)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(counting)))
      const statement = sql`SELECT count(*) FROM generate_series(1, 50000)`
      yield* Effect.replicateEffect(statement, 40, { concurrency, discard: true })
      assert.isAtLeast(turns, 20)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
