import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as net from "node:net"
import { CallLog, LogUnavailable } from "../../src/Calls/Log/CallLog.ts"
import { JsonText } from "../../src/Domain/JsonText.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { redactingLogger } from "../../src/Redaction/RedactingLogger.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { assertError, clearRange, logged, loggedCall, requestLine, sitesGet, sitesList } from "./World.ts"

/** What the operator reads, instead of the console. */
const operatorLog = (lines: Array<string>) =>
  Logger.layer([redactingLogger(Logger.map(Logger.formatLogFmt, (line) => void lines.push(line)))])

const whenItFails: Array<string> = []

const DyingProvider = Layer.succeed(ProviderClient, {
  call: ({ access }) => Effect.flatMap(access.secret, (credential) => Effect.die({ crossed: "wires", credential }))
})

layer(
  TestServer.make({}, { services: { ProviderClient: DyingProvider } }).pipe(Layer.provide(operatorLog(whenItFails))),
  { excludeTestServices: true }
)(
  "When the service itself fails",
  (it) => {
    it.effect("the caller gets internal_error and nothing of the cause, which the operator's log has", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { connection, name, readOnly, readWrite } = yield* seed()
        yield* server.admin("POST", "/connections", {
          provider: "gsheets",
          auth_type: "oauth",
          credentials: { refresh_token: `1//refresh-${name}`, access_token: `ya29.access-${name}` },
          client_id: connection.client_id,
          label: name
        })
        for (const body of [sitesList, { ...sitesList, max_age: 60 }, clearRange]) {
          whenItFails.length = 0
          const answer = yield* server.call(readWrite, body)
          assertError(answer, 500, "internal_error")
          assert.notInclude(answer.text, "wires")
          const call = yield* loggedCall(readOnly, answer.json.call_id)
          assert.strictEqual(call.error_code, "internal_error")
          assert.strictEqual(call.provider, body.provider)
          assert.isNotNull(call.connection_id)
          assert.deepStrictEqual(call.response, answer.json)
          const line = whenItFails.find((line) => line.includes(answer.json.call_id)) ?? ""
          assert.include(line, "wires")
          assert.notInclude(line, "ya29.")
        }
      }))

    it.effect("a caller that goes away is nothing to tell the operator", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        whenItFails.length = 0
        const { hostname, port } = new URL(server.url)
        const socket = net.connect(Number(port), hostname)
        const headers = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
        yield* Effect.callback<void>((resume) => {
          socket.write(`${requestLine("POST", "/v1/call", headers)}{`, () => {
            socket.on("close", () => resume(Effect.void)).destroy()
          })
        })
        const { json } = yield* server.request("GET", "/v1/logs", { key: readOnly }).pipe(
          Effect.repeat({ until: ({ json }) => json.calls.length > 0 })
        )
        assert.strictEqual(json.calls[0].error_code, "invalid_http")
        assert.deepStrictEqual(whenItFails, [])
      }))

    it.effect("the connection test fails in the same way", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { connection } = yield* seed()
        const path = `/admin/v1/connections/${connection.id}/test`
        assertError(yield* server.request("POST", path, { key: server.adminToken }), 500, "internal_error")
      }))
  }
)

const withoutLog: Array<string> = []

const LogOutOfOrder = Layer.effect(
  CallLog,
  Effect.map(CallLog, (callLog) => ({
    ...callLog,
    append: () => Effect.fail(new LogUnavailable({ cause: new Error("disk full") }))
  }))
).pipe(Layer.provide(CallLog.layer))

const FakeProvider = Layer.succeed(ProviderClient, {
  call: () => Effect.succeed(JsonText.stringify({ clearedRange: "A1:B2" }))
})

layer(
  TestServer.make({}, { services: { CallLog: LogOutOfOrder, ProviderClient: FakeProvider } }).pipe(
    Layer.provide(operatorLog(withoutLog))
  ),
  { excludeTestServices: true }
)(
  "When the log cannot be written",
  (it) => {
    it.effect("a read fails: nobody gets an answer that is not logged", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        for (const body of [sitesList, sitesGet, { ...sitesList, nonsense: 1 }]) {
          const answer = yield* server.call(readOnly, body)
          assertError(answer, 500, "internal_error")
          assert.strictEqual((yield* logged(readOnly, answer.json.call_id)).status, 404)
        }
      }))

    it.effect("a write is answered all the same, and the operator is told", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readWrite } = yield* seed({ provider: "gsheets" })
        withoutLog.length = 0
        const answer = yield* server.call(readWrite, clearRange)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepStrictEqual(answer.json.data, { clearedRange: "A1:B2" })
        const line = withoutLog.find((line) => line.includes(answer.json.call_id)) ?? ""
        assert.include(line, "level=ERROR")
        assert.include(line, "disk full")
      }))
  }
)
