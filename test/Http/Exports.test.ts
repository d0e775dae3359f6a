import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, issuePaths } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { manage, seededServer, sitesList } from "./Fixture.ts"

const linesOf = (text: string): ReadonlyArray<unknown> => text.split("\n").slice(0, -1).map((line) => JSON.parse(line))

layer(TestServer.layer, { excludeTestServices: true })("An export", (it) => {
  it.effect("has the calls of all pages that the key sees and the filters select, newest first", () =>
    Effect.gen(function*() {
      const { connection, readOnly: key, server } = yield* seededServer(() => ({ body: {} }))
      yield* server.call((yield* seed()).readOnly, sitesList)
      for (let i = 0; i < 5; i++) yield* server.call(key, i === 2 ? { nonsense: true } : sitesList)
      const { calls } = Object((yield* server.request("GET", "/v1/logs", { key })).json)
      assert.lengthOf(calls, 5)
      const exported = yield* server.request("GET", "/v1/logs?format=ndjson", { key })
      assert.strictEqual(exported.headers.get("content-type"), "application/x-ndjson")
      assert.strictEqual(exported.headers.get("content-disposition"), "attachment; filename=\"calls.ndjson\"")
      assert.deepStrictEqual(linesOf(exported.text), calls)
      for (const [query, expected] of [["outcome=error", calls[2]], [`cursor=${calls[3].id}`, calls[4]]]) {
        const { text } = yield* server.request("GET", `/v1/logs?format=ndjson&${query}`, { key })
        assert.deepStrictEqual(linesOf(text), [expected])
      }
      const ofAll = yield* manage("GET", `/logs?format=ndjson&connection_id=${connection.id}`)
      assert.deepStrictEqual(linesOf(ofAll.text), calls.toSpliced(2, 1))
    }))

  it.effect("is a CSV file that no spreadsheet takes for formulas", () =>
    Effect.gen(function*() {
      const { member, readOnly, server } = yield* seededServer()
      yield* server.call(readOnly, { provider: "=HYPERLINK(\"http://x\",\"y\")", endpoint: "a,b" })
      const { headers, text } = yield* server.request("GET", "/v1/logs?format=csv", { key: readOnly })
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      const [head = "", row = "", ...rest] = text.split("\r\n")
      assert.deepStrictEqual(rest, [""])
      assert.match(head, /^id,provider,target,outcome,http_status,error_code,latency_ms,cost_usd,cached,.*,created_at$/)
      assert.include(row, ",\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",\"raw:a,b\",error,404,provider_not_found,")
      assert.include(row, `,${member.id},`)
      const raw = yield* server.request("GET", "/v1/logs?format=csv_raw", { key: readOnly })
      assert.strictEqual(raw.headers.get("content-disposition"), "attachment; filename=\"calls.csv\"")
      assert.strictEqual(raw.text, text.replace(",\"'=", ",\"="))
      assert.match(row, /,,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }))

  it.effect("has the entries of the audit, their details as JSON in one cell", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme, \"Inc\"" } })
      const read = (format: string) => manage("GET", `/audit?subject=${client.id}${format}`)
      const { entries } = Object((yield* read("")).json)
      assert.deepStrictEqual(linesOf((yield* read("&format=ndjson")).text), entries)
      const [entry] = entries
      const { headers, text } = yield* read("&format=csv")
      assert.strictEqual(headers.get("content-disposition"), "attachment; filename=\"audit.csv\"")
      assert.strictEqual(
        text,
        "id,at,actor_type,member_id,key_id,action,subject_type,subject_id,address,details\r\n" +
          `${entry.id},${entry.at},token,,,client.created,client,${client.id},127.0.0.1,` +
          "\"{\"\"name\"\":\"\"Acme, \\\"\"Inc\\\"\"\"\"}\"\r\n"
      )
    }))

  it.effect("is empty without a match, and refuses a limit, an unknown format and other callers", () =>
    Effect.gen(function*() {
      const { readOnly: key, request } = yield* seededServer()
      const read = (query: string) => request("GET", `/v1/logs?${query}`, { key })
      assert.strictEqual((yield* read("format=ndjson")).text, "")
      assert.match((yield* read("format=csv&key_id=key_x")).text, /^id,[^\r\n]+\r\n$/)
      assert.deepStrictEqual(issuePaths(yield* read("format=csv&limit=5")), ["limit"])
      assert.deepStrictEqual(issuePaths(yield* read("format=xml")), ["format"])
      assertError(yield* request("GET", "/v1/logs?format=csv"), 401, "unauthenticated")
      assertError(yield* request("GET", "/admin/v1/audit?format=csv", { key }), 401, "unauthenticated")
    }))
})
