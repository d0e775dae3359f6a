import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { registrations } from "../../src/Registrations.ts"
import { errorIn } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { notes } from "./Notes.ts"

const TestLayer = TestServer.make({}, { providers: [...registrations, { provider: notes }] })

const apiKey = "a-key-of-the-notes-service"

const stored = { notes: [{ id: "1", title: "Buy milk" }, { id: "2", title: "Call Ada" }] }

const respond: Handler = ({ headers, method }) => {
  if (headers["x-notes-key"] !== apiKey) return { status: 401, body: { problem: "Unknown key" } }
  return { body: method === "GET" ? stored : { done: method } }
}

const connect = seed({ provider: "notes", auth_type: "api_key", credentials: { api_key: apiKey }, scopes: [] })

layer(TestLayer, { excludeTestServices: true })("A provider that a team adds", (it) => {
  it.effect("gets PATCH and DELETE requests with the API key in a header", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { writer } = yield* connect
      upstream.handle(respond)
      const call = (endpoint: string, input: object) =>
        writer.call.call({ payload: { provider: "notes", endpoint, input: { ...input } } })
      const updated = yield* call("notes.update", { path: { id: "a/b" }, body: { title: "Call Ada now" } })
      assert.deepStrictEqual(updated.data, { done: "PATCH" })
      const deleted = yield* call("notes.delete", { path: { id: "2" } })
      assert.deepStrictEqual(deleted.data, { done: "DELETE" })
      assert.deepStrictEqual(
        upstream.requests.map(({ body, headers, method, url }) => [method, url, headers["x-notes-key"], body]),
        [
          ["PATCH", "/notes/v1/notes/a%2Fb", apiKey, "{\"title\":\"Call Ada now\"}"],
          ["DELETE", "/notes/v1/notes/2", apiKey, ""]
        ]
      )
    }))

  it.effect("has its errors in the answer and the log, without the API key", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* connect
      upstream.handle(() => ({ status: 409, body: { problem: `Busy with ${apiKey}` } }))
      const failed = yield* server.call(readOnly, { provider: "notes", endpoint: "notes.list" })
      const error = errorIn(failed)
      assert.deepStrictEqual([failed.status, error.code, error.message], [
        409,
        "upstream_error",
        "Notes answered 409: Busy with [redacted]."
      ])
      const logged = yield* server.request("GET", `/v1/logs/${failed.callId}`, { key: readOnly })
      assert.deepInclude(logged.json, { provider: "notes", target: "raw:notes.list", error_code: "upstream_error" })
      assert.notInclude(logged.text, apiKey)
    }))
})
