import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { at, callWith, connectAll, SandboxServer } from "./SandboxServer.ts"

const leads = { provider: "gsheets", tool: "sheets_read" }
const Rows = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
const rowsOf = (data: unknown) => Schema.decodeUnknownSync(Rows)(at(data, "rows"))

layer(SandboxServer, { excludeTestServices: true })(
  "Outputs of tools",
  (it) => {
    it.effect("sheets_read leaves out empty cells with omit_empty, and nothing else", () =>
      Effect.gen(function*() {
        const call = callWith(yield* connectAll)
        const full = yield* call({ ...leads, input: { spreadsheet: "sandbox-leads" } })
        const short = yield* call({ ...leads, input: { spreadsheet: "sandbox-leads", omit_empty: true } })
        assert.include(JSON.stringify(rowsOf(full)), "null")
        assert.deepStrictEqual(
          rowsOf(short),
          rowsOf(full).map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
        )
        assert.deepStrictEqual(at(short, "columns"), at(full, "columns"))
      }))

    it.effect("gsc_top_queries says when a www. host gets the figures of its domain", () =>
      Effect.gen(function*() {
        const call = callWith(yield* connectAll)
        const top = (site: string) => call({ provider: "gsc", tool: "gsc_top_queries", input: { site } })
        const www = yield* top("www.fernhill.example")
        assert.strictEqual(at(www, "site"), "sc-domain:fernhill.example")
        assert.include(String(at(www, "note")), "the whole domain")
        assert.isUndefined(at(yield* top("fernhill.example"), "note"))
      }))

    it.effect("ids may have spaces around them", () =>
      Effect.gen(function*() {
        const call = callWith(yield* connectAll)
        const calls = [
          { provider: "gsheets", tool: "sheets_read", input: { spreadsheet: " sandbox-leads " } },
          { provider: "gsheets", endpoint: "spreadsheets.get", input: { path: { spreadsheetId: " sandbox-leads\n" } } },
          { provider: "gdocs", endpoint: "documents.get", input: { path: { documentId: " sandbox-plan " } } },
          { provider: "ga4", endpoint: "properties.getMetadata", input: { path: { property: " 410000011 " } } },
          { provider: "ga4", tool: "ga4_traffic_by_page", input: { property: " properties/410000011 " } },
          { provider: "gsc", tool: "gsc_top_queries", input: { site: " fernhill.example " } }
        ]
        for (const each of calls) yield* call(each)
      }))
  }
)
