import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { gsheets } from "../../../../src/Providers/Gsheets/Provider.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"

const leads = "sandbox-leads"
const connection = Effect.map(oauthConnection(google, scopes.spreadsheets), ({ access }) => access)

const callEndpoint = (target: string, input: object) =>
  Effect.flatMap(connection, (access) => call(gsheets, target, input, access))

const createSpreadsheet = (title: string) =>
  Effect.map(
    callEndpoint("spreadsheets.create", { body: { properties: { title } } }),
    (text) => String(at(text, "spreadsheetId"))
  )

const range = (spreadsheetId: string, cells: string) => ({ path: { spreadsheetId, range: cells } })
const raw = { query: { valueInputOption: "RAW" } }

layer(clientsOf(sandboxAt(now)))("Spreadsheets", (it) => {
  it.effect("a new sandbox has the spreadsheet Leads, with awkward headers and cells, and one of 10 MB", () =>
    Effect.gen(function*() {
      assert.isAbove((yield* callEndpoint("values.get", range("sandbox-stock", "Stock"))).length, 9_500_000)
      const text = yield* callEndpoint("values.get", {
        ...range(leads, "Leads"),
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

  it.effect("concurrent appends lose no row", () =>
    Effect.gen(function*() {
      const id = yield* createSpreadsheet("Busy")
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => callEndpoint("values.append", { ...range(id, "A1"), ...raw, body: { values: [[index]] } }),
        { concurrency: "unbounded" }
      )
      const text = yield* callEndpoint("values.get", {
        ...range(id, "A:A"),
        query: { valueRenderOption: "UNFORMATTED_VALUE" }
      })
      const values = Object(at(text, "values")).map(([value]: ReadonlyArray<number>) => value)
      assert.sameMembers(values, Array.from({ length: 20 }, (_, index) => index))
    }))
})
