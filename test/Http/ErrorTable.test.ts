import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { redactingLogger } from "../../src/Secrets/Redaction/RedactingLogger.ts"
import { overMcp } from "../Features/Mcp/McpFixture.ts"
import { assertError, errorIn } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { errorCases, googleError, maxRequestBytes, replyWith, tokenEndpoint, unknownConnection } from "./ErrorCases.ts"
import {
  assertNotLogged,
  clearRange,
  firstLoggedCall,
  loggedCall,
  manage,
  memberWith,
  seededServer,
  sitesGet,
  sitesList
} from "./Fixture.ts"
import { requestHead, sendAndDisconnect, sendRaw } from "./RawRequest.ts"

const TestLayer = TestServer.make({ MAX_REQUEST_BYTES: `${maxRequestBytes}` })

layer(TestLayer, { excludeTestServices: true })("A call fails with", (it) => {
  it.effect.each(errorCases)(
    "$code when $when",
    ({ code, details, log, provoke, status }) =>
      Effect.gen(function*() {
        const seeded = yield* seed()
        const answer = yield* provoke(seeded)
        assertError(answer, status, code, details)
        const call = yield* loggedCall(seeded.readOnly, answer.callId)
        assert.deepInclude(call, {
          outcome: "error",
          http_status: status,
          error_code: code,
          cost_usd: 0,
          cached: false,
          connection_id: log === "connection" ? seeded.connection.id : null,
          client_id: log === "connection" ? seeded.client.id : null
        })
        for (const field of [call.provider, call.target]) assert.strictEqual(field === null, log === "nothing")
        assert.deepStrictEqual(call.response, answer.json)
      })
  )

  it.effect.each(
    [
      ["missing", () => undefined],
      ["of another scheme", (key: string) => `Basic ${key}`],
      ["without a scheme", (key: string) => key],
      ["followed by more text", (key: string) => `Bearer ${key} x`],
      ["one character short", (key: string) => `Bearer ${key.slice(0, -1)}`],
      ["made up", () => `Bearer oa_${"a".repeat(38)}`],
      ["the operator's token", (_: string, admin: string) => `Bearer ${admin}`]
    ] as const
  )("unauthenticated when the key is %s", ([, written]) =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const unlimited = yield* memberWith(null)
      const authorization = written(readOnly, server.adminToken)
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = yield* server.request("POST", "/v1/call", { headers, body: sitesList })
      assertError(answer, 401, "unauthenticated")
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      const call = yield* loggedCall(unlimited.readWrite, answer.callId)
      assert.deepInclude(call, { outcome: "error", http_status: 401, error_code: "unauthenticated", key_id: null })
      yield* assertNotLogged(readOnly, answer.callId)
      for (const path of ["/v1/providers", "/v1/providers/gsc", "/v1/connections", "/v1/logs", "/v1/logs/x"]) {
        assertError(yield* server.request("GET", path, { headers }), 401, "unauthenticated")
      }
    }))

  it.effect("invalid_json, not unauthenticated, when the scheme of the key is written in any case", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const headers = { authorization: `bEARER  ${readOnly}` }
      assert.strictEqual((yield* server.request("GET", "/v1/providers", { headers })).status, 200)
      assertError(yield* server.request("POST", "/v1/call", { headers, rawBody: "" }), 400, "invalid_json")
    }))

  it.effect("upstream_error with the provider's status and Retry-After", () =>
    Effect.gen(function*() {
      const { readOnly, server, upstream } = yield* seededServer()
      for (const status of [400, 402, 403, 404, 409, 418, 429, 451, 500, 501, 599]) {
        const body = googleError(status, "SOME", "dailyLimitExceeded")
        upstream.handle(replyWith(status, body, { "retry-after": "30" }))
        const answer = yield* server.call(readOnly, sitesList)
        assertError(answer, status, "upstream_error", body)
        assert.strictEqual(answer.headers.get("retry-after"), "30")
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).http_status, status)
      }
    }))

  const long = "x".repeat(maxRequestBytes)
  const unknown = { provider: "x", endpoint: "x" }
  const precedence: ReadonlyArray<readonly [first: string, next: string, body: unknown]> = [
    ["payload_too_large", "invalid_json", `${long}x`],
    ["invalid_input", "provider_not_found", { ...unknown, y: 1 }],
    ["invalid_input", "read_only", { ...clearRange, max_age: -1 }],
    ["provider_not_found", "endpoint_not_found", { ...unknown, input: { y: 1 } }],
    ["endpoint_not_found", "invalid_input", { ...unknown, provider: "gsc", input: { y: 1 } }],
    ["tool_not_found", "connection_not_found", { provider: "gsc", tool: "x", connection_id: "x" }],
    ["read_only", "invalid_input", { ...clearRange, input: { path: {} } }],
    ["read_only", "connection_not_found", { ...clearRange, connection_id: "x" }],
    ["invalid_input", "connection_not_found", { ...sitesGet, input: {}, connection_id: unknownConnection }]
  ]
  it.effect.each(precedence)("%s rather than %s", ([first, , body]) =>
    Effect.gen(function*() {
      const { readOnly, request, upstream } = yield* seededServer(replyWith(200, {}))
      const sent = typeof body === "string" ? { rawBody: body } : { body }
      assert.strictEqual(errorIn(yield* request("POST", "/v1/call", { key: readOnly, ...sent })).code, first)
      assert.strictEqual(upstream.requests.length, 0)
      for (const rawBody of ["", long]) {
        assert.strictEqual(errorIn(yield* request("POST", "/v1/call", { rawBody })).code, "unauthenticated")
      }
    }))

  it.effect("payload_too_large beyond MAX_REQUEST_BYTES, with a length or in chunks", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer(() => ({ body: {} }))
      const longest = JSON.stringify(sitesList).padEnd(maxRequestBytes)
      const tooLong = `${longest} `
      const post = (rawBody: string) => server.request("POST", "/v1/call", { key: readOnly, rawBody })
      const chunked = (text: string) => {
        const pieces = text.match(/.{1,7000}/gs) ?? []
        return sendRaw([
          requestHead("POST", "/v1/call", { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }),
          ...pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
          "0\r\n\r\n"
        ].join(""))
      }
      assert.strictEqual((yield* post(longest)).status, 200)
      assert.strictEqual((yield* chunked(longest)).status, 200)
      assertError(yield* post(tooLong), 413, "payload_too_large")
      const tooLarge = yield* chunked(tooLong)
      assert.strictEqual(tooLarge.status, 413)
      assert.include(tooLarge.text, tooLarge.headers.get("x-call-id") ?? "no header")
    }))

  it.effect("connection_inactive rather than a cached answer", () =>
    Effect.gen(function*() {
      const token = replyWith(200, { access_token: "ya29.short-0123456789", expires_in: 1 })
      const { connection, reader, upstream } = yield* seededServer(
        tokenEndpoint(token, replyWith(200, { siteEntry: [] })),
        { credentials: expiredGrant("cached") }
      )
      const body = { ...sitesList, connection_id: connection.id, max_age: 600 }
      yield* reader.call.call({ payload: body })
      upstream.handle(replyWith(400, { error: "invalid_grant" }))
      yield* assertFails(reader.call.call({ payload: { ...body, max_age: 0 } }), "credentials_expired")
      yield* assertFails(reader.call.call({ payload: body }), "connection_inactive")
    }))
})

const logInto = (lines: Array<string>) =>
  Logger.layer([redactingLogger(Logger.map(Logger.formatLogFmt, (line) => void lines.push(line)))])

const failureLog: Array<string> = []

const DyingProvider = Layer.succeed(ProviderClient, {
  call: ({ access }) => Effect.flatMap(access.secret, (credential) => Effect.die({ crossed: "wires", credential }))
})

layer(
  TestServer.make({}, { services: { ProviderClient: DyingProvider } }).pipe(Layer.provide(logInto(failureLog))),
  { excludeTestServices: true }
)(
  "When the service fails",
  (it) => {
    it.effect("the caller gets internal_error without the cause, which is in the service log", () =>
      Effect.gen(function*() {
        const { admin, connect, connection, readOnly, readWrite, server } = yield* seededServer()
        yield* connect({ provider: "gsheets" })
        const tested = yield* manage("POST", `/connections/${connection.id}/test`)
        assertError(tested, 500, "internal_error")
        assert.notInclude(tested.text, "wires")
        const { entries: [test] } = yield* admin.audit.list({ query: { subject: connection.id } })
        assert.deepInclude(test, { action: "connection.tested", details: { ok: false } })
        for (const body of [sitesList, { ...sitesList, max_age: 60 }, clearRange]) {
          failureLog.length = 0
          const answer = yield* server.call(readWrite, body)
          assertError(answer, 500, "internal_error")
          assert.notInclude(answer.text, "wires")
          const call = yield* loggedCall(readOnly, answer.callId)
          assert.strictEqual(call.error_code, "internal_error")
          assert.strictEqual(call.provider, body.provider)
          assert.isNotNull(call.connection_id)
          assert.deepStrictEqual(call.response, answer.json)
          const line = failureLog.find((line) => line.includes(answer.callId)) ?? ""
          assert.include(line, "wires")
          assert.notInclude(line, "ya29.")
          const mcp = yield* (yield* overMcp).call(readWrite, body)
          assert.strictEqual(mcp.text, answer.text.replace(answer.callId, mcp.callId))
        }
      }))

    it.effect("a client that disconnects leaves no line in the service log", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        failureLog.length = 0
        const headers = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
        yield* sendAndDisconnect(`${requestHead("POST", "/v1/call", headers)}{`)
        assert.strictEqual((yield* firstLoggedCall(readOnly)).error_code, "invalid_http")
        assert.deepStrictEqual(failureLog, [])
      }))
  }
)
