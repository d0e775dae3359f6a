import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { providers } from "../../src/Registrations.ts"
import { TestServer } from "../support/TestServer.ts"
import { mistakes } from "./AgentMistakes.ts"
import { connectAll, SandboxServer } from "./SandboxServer.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const decodeError = Schema.decodeUnknownSync(ErrorBody)

const decodeIssues = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ message: Schema.String })))

layer(SandboxServer, { excludeTestServices: true })(
  "An agent",
  (it) => {
    it.effect("gets the tools of each provider in 16,000 characters", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const key = yield* connectAll
        for (const { id } of providers) {
          const { text } = yield* request("GET", `/v1/providers/${id}?kind=tools`, { key })
          assert.isAtMost(text.length, 16_000, id)
        }
      }))

    it.effect.each(mistakes)("recovers from %s at the second attempt, with what the error says", (
      [name, code, wrong, facts, right]
    ) =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const key = yield* connectAll
        const { error } = decodeError((yield* call(key, wrong)).json)
        assert.strictEqual(error.code, code, error.message)
        const said = `${error.message} ${JSON.stringify(error.details)}`
        for (const fact of facts) assert.include(said, fact)
        if (name === "an unknown column") {
          const [issue] = decodeIssues(error.details)
          assert.notInclude(error.message, issue?.message ?? "", "says it once")
        }
        const second = yield* call(key, right)
        assert.strictEqual(second.status, 200, second.text)
      }))

    it.effect("is told of no provider where none is involved", () =>
      Effect.gen(function*() {
        const { adminToken, request } = yield* TestServer
        const { json } = yield* request("POST", "/admin/v1/clients", { key: adminToken, body: {} })
        assert.notInclude(decodeError(json).error.message, "provider")
      }))
  }
)
