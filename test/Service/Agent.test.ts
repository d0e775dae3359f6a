import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import { mistakes } from "./AgentMistakes.ts"
import { tasks } from "./AgentTasks.ts"
import { nameOf } from "./EveryOperation.ts"
import { at, connectAll, sandboxServer } from "./SandboxServer.ts"

const maxCatalogCharacters = 16_000

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const decodeError = Schema.decodeUnknownSync(ErrorBody)
const decodeIds = Schema.decodeUnknownSync(Schema.Struct({ connection_ids: Schema.NonEmptyArray(Schema.String) }))

const catalogText = Effect.fnUntraced(function*(key: string, provider: string) {
  const { request } = yield* TestServer
  return (yield* request("GET", `/v1/providers/${provider}?kind=tools`, { key })).text
})

layer(sandboxServer().pipe(Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
  "An agent",
  (it) => {
    it.effect("does its tasks at the first attempt, with the tools of each provider in 16,000 characters", () =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const key = yield* connectAll
        for (const { call: body, goal, has } of tasks) {
          const catalog = yield* catalogText(key, body.provider)
          assert.isAtMost(catalog.length, maxCatalogCharacters)
          assert.include(catalog, nameOf(body), goal)
          const { json, status, text } = yield* call(key, body)
          assert.strictEqual(status, 200, `${goal}: ${text}`)
          assert.notStrictEqual(at(json, `data.${has}`), undefined, goal)
        }
      }))

    it.effect("recovers from a wrong input at the second attempt, with what the error says", () =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const key = yield* connectAll
        for (const [name, { code, facts, right, wrong }] of Object.entries(mistakes)) {
          const { error } = decodeError((yield* call(key, wrong)).json)
          assert.strictEqual(error.code, code, `${name}: ${error.message}`)
          const said = `${error.message} ${JSON.stringify(error.details)}`
          for (const fact of facts) assert.include(said, fact, name)
          const second = yield* call(key, right)
          assert.strictEqual(second.status, 200, `${name}: ${second.text}`)
        }
      }))

    it.effect("learns that its key only reads, and between which connections to choose", () =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const { connections: [connection] } = yield* Sandbox
        const { connect, readOnly, readWrite } = yield* seed(connection)
        const append = { provider: "gsheets", tool: "sheets_append_rows", input: { spreadsheet: "x", rows: [["a"]] } }
        assert.strictEqual(decodeError((yield* call(readOnly, append)).json).error.code, "read_only")

        yield* connect(connection)
        const body = { provider: "gsc", endpoint: "sites.list" }
        const { error } = decodeError((yield* call(readWrite, body)).json)
        assert.strictEqual(error.code, "connection_ambiguous")
        const [connection_id] = decodeIds(error.details).connection_ids
        const { status } = yield* call(readWrite, { ...body, connection_id })
        assert.strictEqual(status, 200)
      }))
  }
)
