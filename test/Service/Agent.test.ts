import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { providers } from "../../src/Registrations.ts"
import { TestServer } from "../support/TestServer.ts"
import { mistakes } from "./AgentMistakes.ts"
import { at, callWith, connectAll, SandboxServer } from "./SandboxServer.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const decodeError = Schema.decodeUnknownSync(ErrorBody)

const decodeIssues = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ message: Schema.String })))

layer(SandboxServer, { excludeTestServices: true })(
  "An agent",
  (it) => {
    it.effect("gets the tools of each provider in 16,000 characters", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const key = yield* connectAll
        for (const { id } of providers) {
          const { text } = yield* request("GET", `/v1/providers/${id}?kind=tools`, { key })
          assert.isAtMost(text.length, 16_000, id)
        }
      }))

    it.effect.each(mistakes)("recovers from %s at the second attempt, with what the error says", (
      [name, code, wrong, facts, right]
    ) =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const key = yield* connectAll
        const { error } = decodeError((yield* call(key, wrong)).json)
        assert.strictEqual(error.code, code, error.message)
        const said = `${error.message} ${JSON.stringify(error.details)}`
        for (const fact of facts) assert.include(said, fact)
        if (name === "an unknown column") {
          const [issue] = decodeIssues(error.details)
          assert.notInclude(error.message, issue?.message ?? "", "says it once")
        }
        const second = yield* call(key, right)
        assert.strictEqual(second.status, 200, second.text)
      }))

    it.effect("gets no provider in an error that involves none", () =>
      Effect.gen(function*() {
        const { adminToken, request } = yield* TestServer
        const { json } = yield* request("POST", "/admin/v1/clients", { key: adminToken, body: {} })
        assert.notInclude(decodeError(json).error.message, "provider")
      }))
  }
)

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
