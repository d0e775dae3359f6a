import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { apiDocument } from "../support/ApiDocument.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { connectAll, ownSandbox, SandboxServer } from "./SandboxServer.ts"

const decodeValue = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

const examples = Effect.map(
  apiDocument,
  ({ operations }) =>
    operations.flatMap(({ examples, method, name, path }) =>
      Object.entries(examples).map(([example, { value }]) => ({
        method,
        path,
        name: `${name} ${example}`,
        value: decodeValue(value)
      }))
    )
)

layer(SandboxServer, { excludeTestServices: true })(
  "The examples of the OpenAPI document",
  (it) => {
    it.effect("of POST /v1/call are answered by the sandbox, for each provider", () =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const key = yield* connectAll
        const calls = (yield* examples).filter(({ path }) => path === "/v1/call")
        assert.deepStrictEqual(
          [...new Set(calls.map(({ value }) => value["provider"]))],
          ["gsc", "ga4", "sitesearch", "gsheets", "gdocs"]
        )
        for (const { name, value } of calls) {
          const { status, text } = yield* call(key, value)
          assert.strictEqual(status, 200, `${name}: ${text}`)
        }
      }))
  }
)

// Its revocation ends the tokens of the sandbox.
layer(ownSandbox(), { excludeTestServices: true })("The examples of the OpenAPI document", (it) => {
  it.effect("of the management API are accepted, with the ids of resources that exist", () =>
    Effect.gen(function*() {
      const { admin, adminToken, request } = yield* TestServer
      const member = yield* admin.members.create({ payload: { email: "examples@example.com", client_ids: null } })
      const client = yield* admin.clients.create({ payload: { name: "Examples" } })
      const { connections: [searchConsole] } = yield* Sandbox
      const { connection } = yield* seed(searchConsole)
      for (const { method, name, path, value } of (yield* examples).filter(({ path }) => !path.includes("{"))) {
        if (!path.startsWith("/admin/")) continue
        const body = {
          ...value,
          ..."connection_id" in value ? { connection_id: connection.id } : {},
          ..."member_id" in value ? { member_id: member.id } : {},
          ...typeof value["client_id"] === "string" ? { client_id: client.id } : {},
          ..."client_ids" in value ? { client_ids: [client.id] } : {}
        }
        const { status, text } = yield* request(method, path, { key: adminToken, body })
        assert.include([200, 201, 202], status, `${name}: ${text}`)
      }
    }))

  it.effect("of signing in are well-formed, although their secrets do not exist", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      for (const { method, name, path, value } of (yield* examples).filter(({ path }) => path.startsWith("/auth/"))) {
        const { status, text } = yield* request(method, path, { body: value })
        assert.include([200, 401], status, `${name}: ${text}`)
      }
    }))
})
