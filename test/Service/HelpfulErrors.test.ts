import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import { sandboxServer } from "./SandboxServer.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const decodeError = Schema.decodeUnknownSync(ErrorBody)
const decodeIssues = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ path: Schema.Array(Schema.Union([Schema.String, Schema.Int])), message: Schema.String }))
)

const connected = Effect.gen(function*() {
  const { connections: [first, ...others] } = yield* Sandbox
  const { connect, readWrite } = yield* seed(first)
  for (const connection of others) yield* connect(connection)
  return readWrite
})

const failureOf = Effect.fnUntraced(function*(body: unknown) {
  const { call } = yield* TestServer
  return decodeError((yield* call(yield* connected, body)).json).error
})

layer(sandboxServer().pipe(Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
  "An error says what to do",
  (it) => {
    it.effect("with all columns of a spreadsheet, and not twice", () =>
      Effect.gen(function*() {
        const { details, message } = yield* failureOf({
          provider: "gsheets",
          tool: "sheets_append_rows",
          input: { spreadsheet: "sandbox-leads", rows: [{ Fax: "1" }] }
        })
        const [issue] = decodeIssues(details)
        assert.include(issue?.message, "\"Email_2\"")
        assert.notInclude(message, issue?.message ?? "")
      }))

    it.effect("without naming a provider where none is involved", () =>
      Effect.gen(function*() {
        const { adminToken, request } = yield* TestServer
        const { json } = yield* request("POST", "/admin/v1/clients", { key: adminToken, body: {} })
        assert.notInclude(decodeError(json).error.message, "provider")
      }))
  }
)
