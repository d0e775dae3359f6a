import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { gsheets } from "../../../../src/Providers/Gsheets/Provider.ts"
import { sheetsTools } from "../../../../src/Providers/Gsheets/Tools.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"

const leads = "sandbox-leads"

const callTool = (tool: string, input: object) =>
  Effect.flatMap(
    oauthConnection(google, scopes.spreadsheets),
    ({ access }) => call({ ...gsheets, tools: sheetsTools }, tool, input, access)
  )

layer(clientsOf(sandboxAt(now)))("Spreadsheet tools on the sandbox", (it) => {
  it.effect("can create, update, append, read and list tabs", () =>
    Effect.gen(function*() {
      const empty = yield* callTool("sheets_create", { title: "Tools" })
      const spreadsheet = String(at(empty, "spreadsheetId"))
      yield* callTool("sheets_update_range", { spreadsheet, range: "A1", values: [["Name", "Age"], ["Ada", 36]] })
      yield* callTool("sheets_append_rows", { spreadsheet, rows: [{ Name: "Björn", Age: 41 }] })
      const read = yield* callTool("sheets_read", { spreadsheet })
      assert.deepStrictEqual(at(read, "rows"), [{ _row: 2, Name: "Ada", Age: 36 }, { _row: 3, Name: "Björn", Age: 41 }])
      const tabs = yield* callTool("sheets_list_tabs", { spreadsheet: leads })
      assert.deepStrictEqual([0, 1, 2, 3].map((index) => at(tabs, "tabs", index, "tab")), [
        "Leads",
        "Jon's Data",
        "Empty",
        "Archive 2023"
      ])
      const rows = yield* callTool("sheets_read", { spreadsheet: leads, limit: 1 })
      assert.deepStrictEqual(at(rows, "columns"), [
        "Name",
        "Email",
        "Email_2",
        "col_D",
        "Company\nsize",
        "Phone",
        "Signed up",
        "Value (£)",
        "2024",
        "__proto__",
        "Contacted?",
        "Owner 👩‍🌾",
        "Total"
      ])
      const made = yield* callTool("sheets_create", { title: "New", headers: ["A", "B"] })
      assert.isString(at(made, "url"))
    }))
})
