import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { gsheets } from "../../../../src/Providers/Gsheets/Provider.ts"
import { customers } from "../../../../src/Sandbox/Data/Portfolio.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"

const run = (target: string, input: object) =>
  Effect.flatMap(oauthConnection(google, scopes.spreadsheets), ({ access }) => call(gsheets, target, input, access))

const range = (spreadsheetId: string, cells: string) => ({ path: { spreadsheetId, range: cells } })

layer(clientsOf(sandboxAt(now)))("Spreadsheets", (it) => {
  it.effect("a new sandbox has the spreadsheet Leads, with awkward headers and cells, and one of 10 MB", () =>
    Effect.gen(function*() {
      assert.isAbove((yield* run("values.get", range("sandbox-stock", "Stock"))).length, 9_500_000)
      const text = yield* run("values.get", {
        ...range("sandbox-leads", "Leads"),
        query: { valueRenderOption: "UNFORMATTED_VALUE", dateTimeRenderOption: "FORMATTED_STRING" }
      })
      const headers =
        " Name |Email|Email||Company\nsize|Phone|Signed up|Value (£)|2024|__proto__|Contacted?|Owner 👩‍🌾|Total"
      assert.strictEqual(Object(at(text, "values", 0)).join("|"), headers)
      const cells = "Ada Okafor|ada@example.com||vip|51-200|0044 20 7946 0018|2026-03-15|1200.5|4|x|true|Rosa|1440.6"
      assert.strictEqual(Object(at(text, "values", 1)).join("|"), cells)
      assert.deepStrictEqual(at(text, "values", 5), [])
      assert.strictEqual(at(text, "values", 7, 12), "#DIV/0!")
    }))

  it.effect("each customer has orders of its own, whose totals add up", () =>
    Effect.gen(function*() {
      const seen = new Set<string>()
      for (const { files, products } of customers) {
        const read = (tab: string) =>
          Effect.map(
            run("sheets_read", { spreadsheet: files.spreadsheet, tab }),
            (text) => Object(at(text, "rows"))
          )
        const orders = yield* read("Orders")
        assert.lengthOf(orders, 30)
        let sales = 0
        for (const order of orders) {
          assert.include(products, order.Product)
          assert.closeTo(order.Total, order.Quantity * order.Price, 0.001)
          sales += order.Total
        }
        const totals: ReadonlyArray<{ readonly Sales: number }> = yield* read("Totals")
        assert.closeTo(totals.reduce((sum, { Sales }) => sum + Sales, 0), sales, 0.01)
        seen.add(JSON.stringify(orders))
      }
      assert.strictEqual(seen.size, 8)
    }))
})
