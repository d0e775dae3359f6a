import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { errorCases, googleError, replyWith } from "../../../Http/ErrorCases.ts"
import {
  assertNotLogged,
  clearRange,
  firstLoggedCall,
  loggedCall,
  report,
  seededServer,
  site,
  sitesList
} from "../../../Http/Fixture.ts"
import { holdReplies, LoopbackUpstream } from "../../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../../support/TestServer.ts"
import { callTool, type McpTests, overMcp, pluck, rpc } from "../McpFixture.ts"

/** The message is worded for the interface, and each call has a seed of its own. */
const codeAndDetails = (text: string) => {
  const { error: { code, details } } = JSON.parse(text)
  return { code, details: JSON.stringify(details)?.replaceAll(/(con_|cli_|seed-)\w+/g, "$1") }
}

export const calls: McpTests = (it) => {
  it.effect("returns the call response in both forms, and logs the call as any other", () =>
    Effect.gen(function*() {
      const body = "{\n  \"siteEntry\": [ { \"siteUrl\": \"a  b\", \"big\": 12345678901234567890.10 } ]\n}"
      const { connection, readOnly } = yield* seededServer(() => ({
        body,
        headers: { "content-type": "application/json" }
      }))
      const call = { ...sitesList, connection_id: connection.id, max_age: 60 }
      const { answer, text, value } = yield* callTool(readOnly, "call_read_endpoint", call)
      assert.strictEqual(value.call_id, answer.callId)
      assert.deepInclude(value, { connection_id: connection.id, cached: false, cost_usd: 0 })
      assert.include(text, "\"data\":{\"siteEntry\":[{\"siteUrl\":\"a  b\",\"big\":12345678901234567890.10}]}")
      assert.include(answer.text, "\"structuredContent\":" + text)
      const logged = yield* loggedCall(readOnly, answer.callId)
      assert.deepInclude(logged, { target: "raw:sites.list", via: "key", http_status: 200, request: call })
      assert.isTrue((yield* callTool(readOnly, "call_read_endpoint", call)).value.cached)
    }))

  it.effect("refuses every tool that writes for a read-only key", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed({ provider: "gsheets" })
      const append = { spreadsheet: "x", rows: [["a"]] }
      const writes = [
        ["sheets_append_rows", append],
        ["call_write_endpoint", clearRange],
        ["call_write_endpoint", { provider: "gsheets", endpoint: "spreadsheets.get" }]
      ] as const
      for (const [name, args] of writes) {
        const { answer, isError, value } = yield* callTool(readOnly, name, args)
        assert.isTrue(isError)
        assert.strictEqual(value.error.code, "read_only")
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).error_code, "read_only")
      }
      const { value } = yield* callTool(readOnly, "call_read_endpoint", clearRange)
      assert.deepInclude(value.error, { code: "invalid_input" })
      assert.include(JSON.stringify(value.error.details), "call_write_endpoint")
    }))

  it.effect("fails without an endpoint like POST /v1/call, and calls no tool in its place", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const tool = { provider: "gsc", tool: "gsc_top_queries", input: { site: "example.com" } }
      const cases = [[{}, ["provider", "endpoint"]], [{ provider: "gsc" }, ["endpoint"]], [tool, ["endpoint"]]] as const
      for (const [args, paths] of cases) {
        const { value } = yield* callTool(readOnly, "call_read_endpoint", args)
        assert.strictEqual(value.error.code, "invalid_input")
        assert.deepStrictEqual(pluck(value.error.details, "path"), paths.map((path) => [path]))
      }
    }))

  it.effect("answers an unknown tool with a protocol error", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const answer = yield* rpc(readOnly, "tools/call", { name: "gsc_top_query", arguments: {} })
      const { code, data, message } = JSON.parse(answer.text).error
      assert.strictEqual(code, -32_602)
      assert.include(message, "gsc_top_queries")
      assert.deepStrictEqual(data, { call_id: answer.callId, error: { code: "tool_not_found", message } })
      yield* assertNotLogged(readOnly, answer.callId)
    }))

  // The others are errors of the protocol.
  it.effect.each(errorCases.filter(({ code }) => !/^(?:invalid_json|payload_too_large|tool_not_found)$/.test(code)))(
    "fails like POST /v1/call: $code when $when",
    ({ provoke, status }) =>
      Effect.gen(function*() {
        const rest = yield* provoke(yield* seed())
        const seeded = yield* seed()
        const mcp = yield* Effect.provideServiceEffect(provoke(seeded), TestServer, overMcp)
        assert.strictEqual(rest.status, status)
        assert.deepStrictEqual(codeAndDetails(mcp.text), codeAndDetails(rest.text))
        assert.strictEqual((yield* loggedCall(seeded.readOnly, mcp.callId)).http_status, status)
      })
  )

  it.effect("cuts a long result in both forms, and says how to ask for less", () =>
    Effect.gen(function*() {
      const sheets = Array.from({ length: 5000 }, (_, index) => ({ properties: { title: `Sheet ${index}` } }))
      const { readOnly } = yield* seededServer(() => ({ body: { sheets, spreadsheetId: "x" } }), {
        provider: "gsheets"
      })
      const { answer, text, value } = yield* callTool(readOnly, "call_read_endpoint", {
        provider: "gsheets",
        endpoint: "spreadsheets.get",
        input: { path: { spreadsheetId: "1".repeat(44) } }
      })
      assert.isAtMost(text.length, 48_000)
      assert.isAbove(text.length, 44_000)
      assert.strictEqual(value.call_id, answer.callId)
      assert.deepStrictEqual(value.data.sheets, sheets.slice(0, value.data.sheets.length))
      assert.strictEqual(value.data.spreadsheetId, "x")
      assert.isAbove(value.truncated.characters, 48_000)
      assert.include(value.truncated.note, "`fields`")
      ;(yield* LoopbackUpstream).handle(replyWith(400, { error: { message: "x".repeat(100_000) } }))
      const failed = yield* callTool((yield* seed()).readOnly, "call_read_endpoint", sitesList)
      assert.isTrue(failed.isError)
      assert.isAtMost(failed.text.length, 10_000)
      assert.strictEqual(failed.value.error.code, "upstream_error")
      assert.match(failed.value.error.details.error.message, /^x+…$/)
    }))

  it.effect("keeps a table that is too long, and asks it with SQL", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 5000 }, (_, index) => ({ keys: [`query ${index}`], clicks: index }))
      const { readOnly } = yield* seededServer(() => ({ body: { rows, responseAggregationType: "byProperty" } }))
      const queries = report(["query"])
      const { text, value } = yield* callTool(readOnly, "call_read_endpoint", queries)
      assert.isAtMost(text.length, 3000)
      const { next, preview, result } = value.data
      assert.deepInclude(result, {
        columns: [{ name: "query", type: "text" }, { name: "clicks", type: "number" }],
        rows: 5000
      })
      assert.deepStrictEqual(preview, rows.slice(0, 20).map(({ clicks, keys }) => [...keys, clicks]))
      assert.include(next, `query_result: result ${result.id}`)
      assert.include(next, "These rows are a part of what there is: next_offset 5000.")
      const ask = (sql: string, more: object = {}) =>
        callTool(readOnly, "query_result", { result: result.id, sql, ...more })
      const sum = yield* ask("SELECT sum(clicks) AS total FROM result")
      assert.deepStrictEqual(sum.value.rows, [[5000 * 4999 / 2]])
      for (const more of [{}, { format: "csv" }]) {
        const long = yield* ask("SELECT * FROM result", more)
        assert.isAtMost(long.text.length, 48_000)
        assert.isAbove(long.text.length, 40_000)
        assert.deepInclude(long.value, { truncated: true })
      }
      const short = yield* callTool(readOnly, "call_read_endpoint", { ...queries, select: "rows[:2]", keep: true })
      assert.strictEqual(short.value.data.result.rows, 2)
    }))

  it.effect("takes a part or a table of a result, with every smart tool that reads", () =>
    Effect.gen(function*() {
      const row = { keys: ["a,b"], clicks: 3, impressions: 4, ctr: 0.75, position: 1 }
      const { readOnly } = yield* seededServer(() => ({ body: { rows: [row, row] } }))
      const { value } = yield* callTool(readOnly, "gsc_top_queries", { site, select: "rows[0].clicks" })
      assert.strictEqual(value.data, 3)
      const text = "query,clicks,impressions,ctr,position\r\n\"a,b\",3,4,0.75,1\r\n"
      const part = yield* callTool(readOnly, "gsc_top_queries", { site, limit: 1, format: "csv" })
      assert.deepInclude(part.value, {
        page: { has_more: true, next_offset: 1 },
        data: `${text}\nThese rows are a part of what there is: next_offset 1.\n`
      })
    }))

  it.effect("says where a field of the call goes that the tool does not take", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const tool = yield* callTool(readOnly, "gsc_top_queries", { site, keep: true, dry_run: true, input: {} })
      assert.sameDeepMembers(tool.value.error.details, [
        {
          path: ["input", "keep"],
          message: "Unknown field: a table that is too long is kept by itself, and `call_read_endpoint` takes `keep`"
        },
        { path: ["input", "dry_run"], message: "Unknown field: this tool does not take it" },
        { path: ["input", "input"], message: "Unknown field: pass its fields as arguments of the tool" }
      ])
      const endpoint = yield* callTool(readOnly, "call_read_endpoint", { ...sitesList, input: { keep: true } })
      assert.deepStrictEqual(endpoint.value.error.details, [
        { path: ["input", "keep"], message: "Unknown field: it belongs beside `input`" }
      ])
    }))

  it.effect("sends a repeated write with an idempotency key once", () =>
    Effect.gen(function*() {
      const { readWrite, upstream } = yield* seededServer(() => ({ body: { clearedRange: "A1:B2" } }), {
        provider: "gsheets"
      })
      const write = (key: unknown) =>
        callTool(readWrite, "call_write_endpoint", clearRange, { "openaccounts/idempotency-key": key })
      const first = yield* write("k")
      const again = yield* write("k")
      assert.deepStrictEqual(again.value, first.value)
      assert.strictEqual(again.answer.callId, first.answer.callId)
      assert.deepStrictEqual(again.meta, { "openaccounts/idempotency-replayed": true })
      assert.lengthOf(upstream.requests, 1)
      for (const key of ["", "a b", 5]) {
        const { value } = yield* write(key)
        assert.deepStrictEqual(value.error.details[0].path, ["headers", "idempotency-key"])
      }
    }))

  it.effect("passes Retry-After on, and a provider's message in `details` alone", () =>
    Effect.gen(function*() {
      const limited = replyWith(429, googleError(429, "X", "dailyLimitExceeded"), { "retry-after": "30" })
      const { readOnly } = yield* seededServer(limited)
      const { meta, value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
      assert.strictEqual(value.error.code, "upstream_error")
      assert.strictEqual(value.error.message, "Search Console answered 429; `details` has its message.")
      assert.deepStrictEqual(meta, { "openaccounts/retry-after": "30" })
    }))

  it.effect("stops a read when its caller disconnects, and logs it", () =>
    Effect.gen(function*() {
      const { arrived, holding } = yield* holdReplies(() => ({ body: {} }))
      const { readOnly, url } = yield* seededServer(holding)
      const client = new AbortController()
      const params = { name: "call_read_endpoint", arguments: sitesList }
      void fetch(`${url}/mcp`, {
        method: "POST",
        signal: client.signal,
        headers: { authorization: `Bearer ${readOnly}` },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      }).catch(() => {})
      yield* arrived
      client.abort()
      assert.strictEqual((yield* firstLoggedCall(readOnly)).error_code, "caller_disconnected")
    }))
}
