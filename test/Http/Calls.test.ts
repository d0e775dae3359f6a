import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { CallResponse } from "../../src/Api/Calls/CallApi.ts"
import { LoggedCallDetail } from "../../src/Api/Calls/LogsApi.ts"
import { assertError, issuePaths, withoutIds } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { seed } from "../support/TestServer.ts"
import {
  clearRange,
  Hosted,
  latency,
  logged,
  loggedCall,
  memberWith,
  noSites,
  price,
  seededServer,
  site,
  sitesGet,
  sitesList
} from "./Fixture.ts"

const EncodedCall = Schema.toEncoded(LoggedCallDetail)

layer(Hosted, { excludeTestServices: true })("POST /v1/call", (it) => {
  it.effect("answers with the provider's body, the connection and the cost, and the log has the same", () =>
    Effect.gen(function*() {
      const { client, connection, member, reader, readOnly, server } = yield* seededServer(noSites)
      const lastUsed = Effect.map(
        reader.connections.list({ query: {} }),
        ({ connections }) => connections[0]?.last_used_at
      )
      assert.isNull(yield* lastUsed)
      const answer = yield* server.call(readOnly, sitesList)
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      const body = Schema.decodeUnknownSync(CallResponse)(answer.json)
      assert.deepStrictEqual(
        Object.keys(Object(answer.json)),
        "call_id connection_id cached cost_usd latency_ms data".split(" ")
      )
      const { call_id, data, latency_ms, ...rest } = body
      assert.strictEqual(answer.callId, call_id)
      assert.deepStrictEqual(data, { siteEntry: [] })
      assert.deepStrictEqual(rest, { connection_id: connection.id, cached: false, cost_usd: price })
      assert.match(String(latency_ms), latency)
      assert.isNotNull(yield* lastUsed)

      const logged = yield* loggedCall(readOnly, call_id)
      assert.deepInclude(logged, {
        latency_ms,
        ...rest,
        client_id: client.id,
        member_id: member.id,
        request: sitesList
      })
      assert.deepStrictEqual(logged.response, answer.json)
    }))

  it.effect("has one form of a body that Google's parsers read, for the provider and the log", () =>
    Effect.gen(function*() {
      const { readWrite, server, upstream } = yield* seededServer(() => ({ body: {} }), { provider: "gsheets" })
      const batch = {
        provider: "gsheets",
        endpoint: "spreadsheets.batchUpdate",
        input: { path: { spreadsheetId: "1a" } }
      }
      const sent = { requests: [null, { add_sheet: { properties: { title: null, index: "1" } } }] }
      const read = { requests: [{ addSheet: { properties: { index: 1 } } }] }
      const answer = yield* server.call(readWrite, { ...batch, input: { ...batch.input, body: sent } })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(upstream.requests.map(({ body }) => JSON.parse(body)), [read])
      const { request } = yield* loggedCall(readWrite, answer.callId)
      assert.deepStrictEqual(request, { ...batch, input: { ...batch.input, body: read } })
    }))

  it.effect("sends a raw write with every digit of its numbers", () =>
    Effect.gen(function*() {
      const { readWrite, server, upstream } = yield* seededServer(() => ({ body: {} }), { provider: "gsheets" })
      const write = (input: string) =>
        server.request("POST", "/v1/call", { key: readWrite, rawBody: `{"provider":"gsheets","endpoint":${input}}` })
      const values = "[[12345678901234567890,0.12345678901234567890,\"12345678901234567890\",1,null]]"
      const number = "{\"userEnteredValue\":{\"numberValue\":-9007199254740993}}"
      const answers = [
        yield* write(
          `"values.update","input":{"path":{"spreadsheetId":"1a","range":"A1"},"query":{"valueInputOption":"RAW"},` +
            `"body":{"values":${values},"major_dimension":"ROWS"}}`
        ),
        yield* write(
          `"spreadsheets.batchUpdate","input":{"path":{"spreadsheetId":"1a"},"body":{"requests":[null,` +
            `{"repeat_cell":{"cell":${number},"fields":"*","range":{"sheet_id":"1"}}}]}}`
        )
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200], answers.map(({ text }) => text).join())
      assert.deepStrictEqual(upstream.requests.map(({ body }) => body), [
        `{"values":${values},"majorDimension":"ROWS"}`,
        `{"requests":[{"repeatCell":{"cell":${number},"fields":"*","range":{"sheetId":1}}}]}`
      ])
      const log = yield* server.request("GET", `/v1/logs/${answers[0]?.callId}`, { key: readWrite })
      assert.include(log.text, `"values":${values}`)
    }))

  it.effect("sends the input and the connection's token to the provider, and no header of the caller", () =>
    Effect.gen(function*() {
      const { name, readOnly, server, upstream } = yield* seededServer(noSites)
      yield* server.request("POST", "/v1/call", {
        key: readOnly,
        body: { ...sitesGet, input: { ...sitesGet.input, query: { fields: "siteUrl" } } },
        headers: {
          cookie: "a=b",
          "x-forwarded-for": "10.0.0.1",
          traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        }
      })
      assert.strictEqual(upstream.requests.length, 1)
      const { headers, method, url } = upstream.requests[0] ?? assert.fail()
      assert.strictEqual(method, "GET")
      assert.strictEqual(url, `/gsc/webmasters/v3/sites/${encodeURIComponent(site)}?fields=siteUrl`)
      assert.strictEqual(headers.authorization, `Bearer ya29.access-${name}-0123456789`)
      for (const name of ["cookie", "x-forwarded-for", "traceparent", "b3"]) assert.notProperty(headers, name)
    }))

  it.effect("accepts JSON under any Content-Type, and a missing or empty input where no field is required", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer(noSites)
      for (const type of ["", "text/plain", "multipart/form-data", "application/json; charset=utf-16", ";;;"]) {
        for (const more of [{}, { input: {} }, { input: { query: {} } }]) {
          const rawBody = `\ufeff${JSON.stringify({ ...sitesList, ...more })}`
          const headers = { "content-type": type }
          const answer = yield* server.request("POST", "/v1/call", { key: readOnly, headers, rawBody })
          assert.strictEqual(answer.status, 200, answer.text)
        }
      }
    }))

  it.effect.each(invalid)(
    "rejects %s with invalid_input and the path of every issue",
    ([rawBody, ...paths]) =>
      Effect.gen(function*() {
        const { readOnly, server, upstream } = yield* seededServer(noSites)
        const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
        assert.deepStrictEqual(new Set(issuePaths(answer)), new Set(paths))
        assert.strictEqual(upstream.requests.length, 0)
        // The typed client refuses 1e999.
        const { json } = yield* logged(readOnly, answer.callId)
        assert.deepStrictEqual(Schema.decodeUnknownSync(EncodedCall)(json).request, JSON.parse(rawBody))
      })
  )

  it.effect("does not take a name from the object prototype for a provider, an endpoint or a tool", () =>
    Effect.gen(function*() {
      const { reader } = yield* seed()
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "gsc sites.list", "\0", "💥"]) {
        const call = (target: { readonly endpoint: string } | { readonly tool: string }, provider = "gsc") =>
          reader.call.call({ payload: { provider, ...target } })
        yield* assertFails(call({ endpoint: "x" }, name), "provider_not_found")
        yield* assertFails(call({ endpoint: name }), "endpoint_not_found")
        yield* assertFails(call({ tool: name }), "tool_not_found")
      }
    }))

  it.effect("refuses a deeply nested body and logs it", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      for (const depth of [1000, 20_000, 200_000]) {
        const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`
        const request = JSON.stringify({ ...sitesGet, input: { path: { siteUrl: 0 } } }).replace("0", deep)
        for (const rawBody of [deep, request]) {
          const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
          assertError(answer, 400, "invalid_input", [
            { path: [], message: "The request body is nested deeper than 64 levels." }
          ])
          const call = yield* logged(readOnly, answer.callId)
          assert.strictEqual(call.status, 200)
          assert.include(call.text, "[[[[[")
        }
      }
    }))

  it.effect("uses the only active connection that the key can see", () =>
    Effect.gen(function*() {
      const { admin, connect, connection, name, reader, upstream } = yield* seededServer(noSites)
      yield* seed()
      yield* connect({ client_id: null })
      const revoked = yield* connect()
      yield* admin.managedConnections.revoke({ params: { id: revoked.id } })
      const { connection_id } = yield* reader.call.call({ payload: sitesList })
      assert.strictEqual(connection_id, connection.id)
      const request = upstream.requests.at(-1)
      assert.strictEqual(request?.headers.authorization, `Bearer ya29.access-${name}-0123456789`)
    }))

  it.effect("shows an unlimited key the connections of every client and of none", () =>
    Effect.gen(function*() {
      const { connect, connection } = yield* seededServer(noSites)
      const ofNoClient = yield* connect({ client_id: null })
      const { writer } = yield* memberWith(null)
      for (const { id: connection_id } of [ofNoClient, connection]) {
        const answer = yield* writer.call.call({ payload: { ...sitesList, connection_id } })
        assert.strictEqual(answer.connection_id, connection_id)
      }
    }))

  it.effect("answers for a connection that the key cannot see exactly as for an unknown one", () =>
    Effect.gen(function*() {
      const { connect, readOnly, server, upstream } = yield* seededServer()
      const elsewhere = yield* seed()
      const ofAnotherProvider = yield* elsewhere.connect({ provider: "ga4" })
      const ofNoClient = yield* connect({ client_id: null })
      const revokedElsewhere = yield* elsewhere.connect()
      upstream.handle(() => ({ body: {} }))
      yield* server.admin.managedConnections.revoke({ params: { id: revokedElsewhere.id } })
      upstream.handle(noSites)
      const named = (connection_id: string) => server.call(readOnly, { ...sitesList, connection_id })
      const unknown = yield* named("con_00000000000000000000000000")
      assertError(unknown, 404, "connection_not_found")
      const others = [
        "x",
        "\0",
        "",
        "con_",
        elsewhere.connection.id.toUpperCase(),
        elsewhere.connection.id,
        ofAnotherProvider.id,
        revokedElsewhere.id,
        ofNoClient.id
      ]
      for (const id of others) {
        const answer = yield* named(id)
        assert.deepStrictEqual(withoutIds(answer), withoutIds(unknown), id)
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).connection_id, null)
      }
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect.each([
    { failure: "503", reply: () => ({ status: 503, body: {} }), reads: 3 },
    { failure: "500", reply: () => ({ status: 500, body: {} }), reads: 1 }
  ])("after a $failure sends a read $reads time(s) and a write once", ({ reads, reply }) =>
    Effect.gen(function*() {
      const { connect, upstream, writer } = yield* seededServer(reply)
      yield* connect({ provider: "gsheets" })
      yield* assertFails(writer.call.call({ payload: sitesList }), "upstream_error", {})
      assert.strictEqual(upstream.requests.length, reads)
      upstream.handle(reply)
      const { status } = yield* assertFails(writer.call.call({ payload: clearRange }), "upstream_error", {})
      assert.strictEqual(status, reply().status)
      assert.strictEqual(upstream.requests.length, 1)
    }))
})

const list = "\"provider\":\"gsc\",\"endpoint\":\"sites.list\""
const query = "\"provider\":\"gsc\",\"endpoint\":\"searchanalytics.query\""
const tool = "\"provider\":\"gsc\",\"tool\":\"gsc_top_queries\""

export const invalid: ReadonlyArray<readonly [body: string, ...paths: ReadonlyArray<string>]> = [
  ["[]", ""],
  ["{}", "provider", "endpoint"],
  [`{${list},"tool":"gsc_top_queries"}`, "endpoint"],
  [
    "{\"provider\":1,\"endpoint\":null,\"input\":[],\"connection_id\":{},\"max_age\":\"60\"}",
    "provider",
    "endpoint",
    "input",
    "connection_id",
    "max_age"
  ],
  [
    `{${list},"max-age":60,"maxAge":60,"__proto__":{},"constructor":{}}`,
    "max-age",
    "maxAge",
    "__proto__",
    "constructor"
  ],
  [`{${list},"max_age":604801}`, "max_age"],
  [`{${list},"max_age":1.5}`, "max_age"],
  [`{${list},"max_age":1e999}`, "max_age"],
  [`{${list},"input":null}`, "input"],
  [
    `{${list},"input":{"path":{},"x":1,"query":{"y":1,"__proto__":2}}}`,
    "input.x",
    "input.path",
    "input.query.y",
    "input.query.__proto__"
  ],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.get\",\"input\":{\"path\":{\"siteUrl\":\"..\"}}}", "input.path.siteUrl"],
  [
    `{${query},"input":{"path":{},"body":{"startDate":"today","dimensions":["query","x"]}}}`,
    "input.path.siteUrl",
    "input.body.startDate",
    "input.body.endDate",
    "input.body.dimensions.1"
  ],
  [`{${tool},"input":{"days":0,"page":2}}`, "input.page", "input.site", "input.days"]
]
