import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Predicate, Result } from "effect"
import { join } from "node:path"
import { SandboxStore } from "../../../src/Sandbox/Data/SandboxStore.ts"
import { Database } from "../../../src/Sql/Database.ts"
import { TestDataDir } from "../../support/TestServer.ts"

const storeOf = (folder: string) =>
  SandboxStore.layer.pipe(
    Layer.provide(Database.layerEmbedded(join(folder, "db"))),
    Layer.provide(NodeServices.layer),
    Layer.fresh
  )

layer(TestDataDir.layer)("SandboxStore", (it) => {
  it.effect("keeps all concurrent changes, and the value when a change fails", () =>
    Effect.gen(function*() {
      const store = yield* SandboxStore
      const increment = store.modify("counter", "c1", (current) => {
        const next = Option.match(current, { onNone: () => 1, onSome: (n) => Predicate.isNumber(n) ? n + 1 : NaN })
        return Result.succeed({ result: next, next })
      })
      const results = yield* Effect.all(Array.from({ length: 20 }, () => increment), { concurrency: "unbounded" })
      assert.deepStrictEqual(results.toSorted((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i + 1))
      const refused = yield* Effect.flip(store.modify("counter", "c1", () => Result.fail("refused" as const)))
      assert.strictEqual(refused, "refused")
      assert.deepStrictEqual(yield* store.get("counter", "c1"), Option.some(20))
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(TestDataDir, storeOf)))))
})
