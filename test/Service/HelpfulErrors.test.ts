import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import { sandboxServer } from "./SandboxServer.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const decodeError = Schema.decodeUnknownSync(ErrorBody)
const decodeIssues = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ path: Schema.Array(Schema.Union([Schema.String, Schema.Int])), message: Schema.String }))
)

const connected = Effect.gen(function*() {
  const { connections: [first, ...others] } = yield* Sandbox
  const { connect, readWrite } = yield* seed(first)
  for (const connection of others) yield* connect(connection)
  return readWrite
})

const failureOf = Effect.fnUntraced(function*(body: unknown) {
  const { call } = yield* TestServer
  return decodeError((yield* call(yield* connected, body)).json).error
})

const shop = "https://www.fernhill.example/"
const submit = (urlList: ReadonlyArray<string>) =>
  failureOf({ provider: "sitesearch", endpoint: "SubmitUrlBatch", input: { body: { siteUrl: shop, urlList } } })

const report = (body: object, property = "410000011") => ({
  provider: "ga4",
  endpoint: "properties.runReport",
  input: { path: { property }, body: { dateRanges: [{ startDate: "7daysAgo", endDate: "today" }], ...body } }
})

layer(sandboxServer().pipe(Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
  "An error says what to do",
  (it) => {
    it.effect.each<readonly [object, string, ReadonlyArray<string>]>([
      [{ provider: "gsheet", tool: "x" }, "provider_not_found", ["\"gsheet\"", "gsheets", "gdocs"]],
      [{ provider: "gsc", endpoint: "site.list" }, "endpoint_not_found", ["nearest", "sites.list"]],
      [{ provider: "gsc", endpoint: "gsc_top_queries" }, "endpoint_not_found", ["smart tool", "`tool`"]],
      [{ provider: "gsc", tool: "sites.list" }, "tool_not_found", ["raw endpoint", "`endpoint`"]],
      [{ provider: "gsc", tool: "gsc_top_query" }, "tool_not_found", ["gsc_top_queries"]],
      [{ provider: "gsc", tool: "sheets_read" }, "tool_not_found", ["Provider \"gsheets\" has it"]],
      [
        { provider: "gsc", tool: "gsc_top_queries", input: { site: `${shop}products/dibber` } },
        "upstream_error",
        ["`sites.list`"]
      ],
      [
        {
          provider: "gsc",
          endpoint: "searchanalytics.query",
          input: {
            path: { siteUrl: "https://old.fernhill.example/" },
            body: { startDate: "2026-01-01", endDate: "2026-01-02" }
          }
        },
        "upstream_error",
        ["`sites.list`"]
      ],
      [report({ metrics: [{ name: "sessions" }] }, "999999999"), "upstream_error", ["`ga4_list_properties`"]],
      [report({ metrics: [{ name: "visits" }] }), "upstream_error", ["`properties.getMetadata`"]]
    ])("%j: %s", ([body, code, parts]) =>
      Effect.gen(function*() {
        const error = yield* failureOf(body)
        assert.strictEqual(error.code, code, error.message)
        for (const part of parts) assert.include(error.message, part)
      }))

    it.effect("with the path of a URL of another site, before it is submitted", () =>
      Effect.gen(function*() {
        for (const url of ["www.fernhill.example/a", "https://elsewhere.example/a"]) {
          const { code, details } = yield* submit([`${shop}a`, url])
          assert.strictEqual(code, "invalid_input")
          assert.deepStrictEqual(decodeIssues(details).map(({ path }) => path), [["input", "body", "urlList", 1]])
        }
      }))

    it.effect("with all columns of a spreadsheet, and not twice", () =>
      Effect.gen(function*() {
        const { details, message } = yield* failureOf({
          provider: "gsheets",
          tool: "sheets_append_rows",
          input: { spreadsheet: "sandbox-leads", rows: [{ Fax: "1" }] }
        })
        const [issue] = decodeIssues(details)
        assert.include(issue?.message, "\"Email_2\"")
        assert.notInclude(message, issue?.message ?? "")
      }))

    it.effect("without naming a provider where none is involved", () =>
      Effect.gen(function*() {
        const { adminToken, request } = yield* TestServer
        const { json } = yield* request("POST", "/admin/v1/clients", { key: adminToken, body: {} })
        assert.notInclude(decodeError(json).error.message, "provider")
      }))
  }
)
