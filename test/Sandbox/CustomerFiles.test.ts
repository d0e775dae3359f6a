import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { customers } from "../../src/Sandbox/Data/Portfolio.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { at, callWith, sandboxServerAt } from "../Service/SandboxServer.ts"
import { seed, TestDataDir } from "../support/TestServer.ts"

const seedOf = Effect.fnUntraced(function*(provider: string) {
  const { connections } = yield* Sandbox
  return yield* seed(connections.find((connection) => connection.provider === provider) ?? assert.fail(provider))
})

layer(sandboxServerAt("2026-11-24T12:00:00Z").pipe(Layer.provideMerge(TestDataDir.layer)))(
  "The files of the customers",
  (it) => {
    it.effect("each have orders of their own, whose totals add up", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seedOf("gsheets")
        const seen = new Set<string>()
        for (const { files, products } of customers) {
          const read = (tab: string) =>
            callWith(readOnly)({
              provider: "gsheets",
              tool: "sheets_read",
              input: { spreadsheet: files.spreadsheet, tab }
            })
          const orders = Object(at(yield* read("Orders"), "rows"))
          assert.lengthOf(orders, 30)
          let sales = 0
          for (const order of orders) {
            assert.include(products, order.Product)
            assert.closeTo(order.Total, order.Quantity * order.Price, 0.001)
            sales += order.Total
          }
          const totals: ReadonlyArray<{ readonly Sales: number }> = Object(at(yield* read("Totals"), "rows"))
          assert.closeTo(totals.reduce((sum, { Sales }) => sum + Sales, 0), sales, 0.01)
          seen.add(JSON.stringify(orders))
        }
        assert.strictEqual(seen.size, 8)
      }))
  }
)
