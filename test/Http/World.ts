import { assert } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as net from "node:net"
import type { Handler } from "../support/LoopbackUpstream.ts"
import { type Answer, TestServer } from "../support/TestServer.ts"

export const sitesList = { provider: "gsc", endpoint: "sites.list" }
export const site = "sc-domain:example.com"
export const sitesGet = { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: site } } }
export const clearRange = {
  provider: "gsheets",
  endpoint: "values.clear",
  input: { path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "A1:B2" } }
}

/** The error body of the specification, and the header that names the same call. */
export const assertError = (answer: Answer, status: number, code: string, details?: unknown): void => {
  assert.deepStrictEqual({ status: answer.status, code: answer.json?.error?.code }, { status, code }, answer.text)
  const { call_id, error } = answer.json
  assert.match(call_id, /^call_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.strictEqual(answer.headers.get("x-call-id"), call_id)
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
  assert.deepStrictEqual(Object.keys(answer.json), ["call_id", "error"])
  assert.deepStrictEqual(Object.keys(error), ["code", "message", ...details === undefined ? [] : ["details"]])
  assert.match(error.message, /\.$/)
  if (details !== undefined) assert.deepStrictEqual(error.details, details)
}

/** Where the issues of an `invalid_input` are; each says something. */
export const issuePaths = (answer: Answer): ReadonlyArray<string> => {
  assertError(answer, 400, "invalid_input", answer.json?.error?.details)
  return answer.json.error.details.map((issue: { readonly path: ReadonlyArray<unknown>; readonly message: string }) => {
    assert.deepStrictEqual(Object.keys(issue), ["path", "message"])
    assert.notStrictEqual(issue.message, "")
    return issue.path.join(".")
  })
}

/** What an answer says, apart from the ids of this request. */
export const withoutIds = (answer: Answer) => ({
  status: answer.status,
  body: answer.text.replaceAll(answer.json.call_id, "call_<id>"),
  headers: [...answer.headers].filter(([name]) => name !== "date" && name !== "x-call-id")
})

export const logged = Effect.fnUntraced(function*(key: string, callId: string) {
  const server = yield* TestServer
  return yield* server.request("GET", `/v1/logs/${callId}`, { key })
})

/** A logged call that must be there. */
export const loggedCall = Effect.fnUntraced(function*(key: string, callId: string) {
  const answer = yield* logged(key, callId)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
})

/** A request to the management API as the operator, whatever comes of it. */
export const ask = Effect.fnUntraced(function*(method: string, path: string, body?: unknown) {
  const server = yield* TestServer
  return yield* server.request(method, `/admin/v1${path}`, { key: server.adminToken, body })
})

/** A member with a key of each kind. */
export const memberWith = Effect.fnUntraced(function*(client_ids: ReadonlyArray<string> | null) {
  const server = yield* TestServer
  const member = yield* server.admin("POST", "/members", { email: "member@example.com", client_ids })
  const keyOf = (access: string) => server.admin("POST", "/keys", { member_id: member.id, name: access, access })
  const readWrite = yield* keyOf("read_write")
  const readOnly = yield* keyOf("read_only")
  return { member, key: readWrite.key as string, keyId: readWrite.id as string, readOnly: readOnly.key as string }
})

/** Answers with `reply`, but not before it is let go; `arrived` is done when the request is there. */
export const held = Effect.fnUntraced(function*(handler: Handler) {
  const arrived = yield* Deferred.make<void>()
  const letGo = yield* Deferred.make<void>()
  const holding: Handler = (request) => (response) => {
    Deferred.doneUnsafe(arrived, Effect.void)
    void Effect.runPromise(Deferred.await(letGo)).then(() => {
      const reply = handler(request)
      if (typeof reply === "function") return reply(response)
      response.writeHead(reply.status ?? 200, { "content-type": "application/json" })
      response.end(JSON.stringify(reply.body))
    })
  }
  return { holding, arrived: Deferred.await(arrived), letGo: Deferred.succeed(letGo, undefined) }
})

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A request as it goes over the wire, for those that a client library would not send. */
export const overTheWire = Effect.fnUntraced(function*(request: string | Uint8Array) {
  const server = yield* TestServer
  const text = yield* Effect.callback<string>((resume) => {
    const { hostname, port } = new URL(server.url)
    const socket = net.connect(Number(port), hostname)
    let received = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => void (received += chunk))
    socket.on("close", () => resume(Effect.succeed(received)))
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.write(request)
    return Effect.sync(() => socket.destroy())
  })
  const [head = "", ...body] = text.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  }))
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.join("\r\n\r\n") } satisfies RawAnswer
})

/** A request line and headers, after which the server closes the connection. */
export const requestLine = (method: string, target: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ host: "localhost", connection: "close", ...headers }).map(([name, value]) =>
      `${name}: ${value}`
    ),
    "",
    ""
  ].join("\r\n")
