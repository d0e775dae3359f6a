import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { customers } from "../../../../src/Sandbox/Data/Portfolio.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"

const query = "valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING"

const read = Effect.fnUntraced(function*(file: string, range: string) {
  const token = yield* accessToken("google", scopes.spreadsheets)
  const { text } = yield* send("gsheets", `/v4/spreadsheets/${file}/values/${range}?${query}`, { token })
  const values: ReadonlyArray<ReadonlyArray<string | number | boolean>> = Object(at(text, "values"))
  return { text, values }
})

layer(sandboxAt(now))("Spreadsheets", (it) => {
  it.effect("a new sandbox has the spreadsheet Leads, with awkward headers and cells, and one of 10 MB", () =>
    Effect.gen(function*() {
      assert.isAbove((yield* read("sandbox-stock", "Stock")).text.length, 9_400_000)
      const { values } = yield* read("sandbox-leads", "Leads")
      assert.deepStrictEqual(values.slice(0, 2).map((cells) => cells.join("|")), [
        " Name |Email|Email||Company\nsize|Phone|Signed up|Value (£)|2024|__proto__|Contacted?|Owner 👩‍🌾|Total",
        "Ada Okafor|ada@example.com||vip|51-200|0044 20 7946 0018|2026-03-15|1200.5|4|x|true|Rosa|1440.6"
      ])
      assert.deepStrictEqual([values[5], values[7]?.[12]], [
        [],
        "#DIV/0! (Function DIVIDE parameter 2 cannot be zero.)"
      ])
    }))

  it.effect("each customer has orders of its own, whose totals add up", () =>
    Effect.gen(function*() {
      const seen = new Set<string>()
      for (const { files: { spreadsheet }, products } of customers) {
        const { values: [, ...orders] } = yield* read(spreadsheet, "Orders")
        assert.lengthOf(orders, 30)
        let sales = 0
        for (const [, , product, quantity, price, total] of orders) {
          assert.include(products, product)
          assert.closeTo(Number(total), Number(quantity) * Number(price), 0.001)
          sales += Number(total)
        }
        const { values: [, ...totals] } = yield* read(spreadsheet, "Totals")
        assert.closeTo(totals.reduce((sum, [, , of]) => sum + Number(of), 0), sales, 0.01)
        seen.add(JSON.stringify(orders))
      }
      assert.strictEqual(seen.size, 8)
    }))
})
