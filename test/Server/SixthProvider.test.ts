import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { CallResponse } from "../../src/Api/CallApi.ts"
import { ProviderDetail } from "../../src/Api/ProvidersApi.ts"
import { registrations } from "../../src/Server.ts"
import { readApiDocument } from "../Security/ApiDocument.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { notes } from "./Notes/Provider.ts"

const TestLayer = TestServer.make({}, { providers: [...registrations, { provider: notes }] })

const apiKey = "a-key-of-the-notes-service"

const stored = { notes: [{ id: "1", title: "Buy milk" }, { id: "2", title: "Call Ada" }] }

const respond: Handler = ({ headers, method }) => {
  if (headers["x-notes-key"] !== apiKey) return { status: 401, body: { problem: "Unknown key" } }
  return { body: method === "GET" ? stored : { done: method } }
}

const connect = seed({ provider: "notes", auth_type: "api_key", credentials: { api_key: apiKey }, scopes: [] })

const decodeResponse = Schema.decodeUnknownSync(CallResponse)

layer(TestLayer, { excludeTestServices: true })("A provider that a team adds", (it) => {
  it.effect("is in the catalog with its endpoints and tools", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* connect
      const { json } = yield* server.request("GET", "/v1/providers/notes", { key: readOnly })
      const detail = Schema.decodeUnknownSync(ProviderDetail)(json)
      assert.deepStrictEqual([detail.name, detail.auth_methods], ["Notes", ["api_key"]])
      assert.deepStrictEqual(detail.endpoints.map(({ id, method, url, writes }) => [id, method, url, writes]), [
        ["notes.list", "GET", "https://api.notes.example/v1/notes", false],
        ["notes.update", "PATCH", "https://api.notes.example/v1/notes/{id}", true],
        ["notes.delete", "DELETE", "https://api.notes.example/v1/notes/{id}", true]
      ])
      assert.deepStrictEqual(detail.tools.map(({ name }) => name), ["notes_titles"])
    }))

  it.effect("has its endpoints called with PATCH and DELETE, the API key in a header", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readWrite } = yield* connect
      upstream.handle(respond)
      const update = { path: { id: "a/b" }, body: { title: "Call Ada now" } }
      const updated = yield* server.call(readWrite, { provider: "notes", endpoint: "notes.update", input: update })
      assert.deepStrictEqual(decodeResponse(updated.json).data, { done: "PATCH" })
      const input = { path: { id: "2" } }
      const deleted = yield* server.call(readWrite, { provider: "notes", endpoint: "notes.delete", input })
      assert.deepStrictEqual(decodeResponse(deleted.json).data, { done: "DELETE" })
      assert.deepStrictEqual(
        upstream.requests.map(({ body, headers, method, url }) => [method, url, headers["x-notes-key"], body]),
        [
          ["PATCH", "/notes/v1/notes/a%2Fb", apiKey, "{\"title\":\"Call Ada now\"}"],
          ["DELETE", "/notes/v1/notes/2", apiKey, ""]
        ]
      )
    }))

  it.effect("has its tool called, and its input validated", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* connect
      upstream.handle(respond)
      const found = yield* server.call(readOnly, { provider: "notes", tool: "notes_titles", input: { word: "Ada" } })
      assert.deepStrictEqual(decodeResponse(found.json).data, { titles: ["Call Ada"] })
      const refused = yield* server.call(readOnly, { provider: "notes", tool: "notes_titles", input: {} })
      assert.deepStrictEqual([refused.status, refused.json.error.details], [
        400,
        [{ path: ["input", "word"], message: "Required" }]
      ])
    }))

  it.effect("has its calls in the log, and its errors in the words of the provider, without the API key", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* connect
      upstream.handle(() => ({ status: 409, body: { problem: `Busy with ${apiKey}` } }))
      const failed = yield* server.call(readOnly, { provider: "notes", endpoint: "notes.list" })
      const { call_id, error } = failed.json
      assert.deepStrictEqual([failed.status, error.code, error.message], [
        409,
        "upstream_error",
        "Notes answered 409: Busy with [redacted]."
      ])
      const logged = yield* server.request("GET", `/v1/logs/${call_id}`, { key: readOnly })
      assert.deepInclude(logged.json, { provider: "notes", target: "raw:notes.list", error_code: "upstream_error" })
      assert.notInclude(logged.text, apiKey)
    }))

  it.effect("has its connections tested with its cheapest read", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection } = yield* connect
      upstream.handle(respond)
      assert.deepInclude(yield* server.admin("POST", `/connections/${connection.id}/test`), { ok: true })
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/notes/v1/notes"])
    }))

  it.effect("answers as the OpenAPI document says", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* connect
      const { operations } = readApiDocument((yield* server.request("GET", "/openapi.json")).json)
      const documented = operations.find(({ path }) => path === "/v1/call")
      for (const handler of [respond, (() => ({ status: 418, body: {} })) satisfies Handler]) {
        upstream.handle(handler)
        const { headers, status, text } = yield* server.call(readOnly, { provider: "notes", endpoint: "notes.list" })
        assert.isUndefined(documented?.complaint(status, headers.get("content-type") ?? "", text))
      }
    }))
})
