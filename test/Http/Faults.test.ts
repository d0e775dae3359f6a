import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { redactingLogger } from "../../src/Secrets/Redaction/RedactingLogger.ts"
import { overMcp } from "../Features/Mcp/McpFixture.ts"
import { assertError } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { clearRange, firstLoggedCall, loggedCall, manage, seededServer, sitesList } from "./Fixture.ts"
import { requestHead, sendAndDisconnect } from "./RawRequest.ts"

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
