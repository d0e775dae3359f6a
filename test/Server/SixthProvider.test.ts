import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { header } from "../../src/Providers/RequestAuthentication.ts"
import { entriesIn } from "../../src/Providers/Resources.ts"
import { registrations } from "../../src/Registrations.ts"
import { errorIn } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }

const path = Schema.Struct({ id: Schema.String.annotate({ description: "The id of the note." }) })
  .annotate({ description: "URL placeholders." })

const note = { origin, path: "/v1/notes/{id}", writes: true, scopes: [] } as const

const list = endpoint({
  id: "notes.list",
  description: "Lists the notes.",
  method: "GET",
  origin,
  path: "/v1/notes",
  writes: false,
  scopes: [],
  input: Schema.Struct({}),
  resources: entriesIn("notes", "id")
})

const update = endpoint({
  ...note,
  id: "notes.update",
  description: "Changes the title of a note. Writes data.",
  method: "PATCH",
  input: Schema.Struct({
    path,
    body: Schema.Struct({ title: Schema.String.annotate({ description: "The new title." }) })
      .annotate({ description: "The JSON body." })
  }),
  resources: { names: ({ path }) => path.id }
})

const remove = endpoint({
  ...note,
  id: "notes.delete",
  description: "Deletes a note. Writes data.",
  method: "DELETE",
  input: Schema.Struct({ path }),
  resources: { names: ({ path }) => path.id }
})

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ problem: Schema.String }))

const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [list, update, remove],
  tools: [],
  resourceName: (text) => /^\w+$/.test(text) ? text : undefined,
  cheapestRead: list,
  classify: ({ status }) => status < 300 ? "ok" : status === 401 ? "rejected" : "error",
  errorMessage: (body) => Option.getOrUndefined(decodeError(body))?.problem
}

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
