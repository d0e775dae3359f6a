import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxRequestBytes } from "../../Http/ErrorCases.ts"
import { seededServer, sitesList } from "../../Http/Fixture.ts"
import { assertLimited } from "../../support/Answer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { callTool, newestRevision, rpc } from "./McpFixture.ts"
import { calls } from "./suites/Calls.ts"
import { protocol } from "./suites/Protocol.ts"
import { requestConnection } from "./suites/RequestConnection.ts"
import { tools } from "./suites/Tools.ts"

const World = TestServer.make({ MAX_REQUEST_BYTES: `${maxRequestBytes}` })

layer(World, { excludeTestServices: true })("POST /mcp", (it) => {
  protocol(it)
  tools(it)
  requestConnection(it)
  calls(it)
})

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })

const remaining = (answer: { readonly headers: Headers }) => answer.headers.get("ratelimit-remaining")

layer(TestServer.make({ RATE_LIMIT: "3/hour" }), { excludeTestServices: true })("RATE_LIMIT", (it) => {
  it.effect("counts each request of an agent once, whatever it asks", () =>
    Effect.gen(function*() {
      const { readOnly, readWrite } = yield* seededServer(() => ({ body: {} }))
      assert.strictEqual(remaining(yield* rpc(readOnly, "tools/list")), "2")
      assert.strictEqual(remaining((yield* callTool(readOnly, "call_read_endpoint", sitesList)).answer), "1")
      assert.strictEqual(remaining((yield* callTool(readOnly, "list_connections")).answer), "0")
      const refused = yield* rpc(readOnly, "tools/list")
      assertLimited(refused, "key")
      const { meta, value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
      assert.strictEqual(value["error"].code, "rate_limited")
      assert.isString(meta["openaccounts/retry-after"])

      const { headers, params } = newestRevision
      const mismatched = yield* rpc(readWrite, "tools/call", { ...params, name: "call_read_endpoint" }, headers)
      assert.strictEqual(mismatched.status, 400)
      assert.strictEqual(remaining(mismatched), "2")
    }))

  it.effect("counts each message of a batch, and messages that are refused", () =>
    Effect.gen(function*() {
      const { readOnly, readWrite, server } = yield* seededServer(() => ({ body: {} }))
      const send = (key: string, body: unknown) =>
        server.request("POST", "/mcp", { key, headers: { "mcp-protocol-version": "2025-03-26" }, body })
      const call = message("tools/call", { name: "call_read_endpoint", arguments: sitesList })
      assert.strictEqual(remaining(yield* send(readOnly, [call, { ...message("tools/list"), id: 2 }])), "1")
      assertLimited(yield* send(readOnly, [message("ping"), message("ping")]), "key")
      assert.strictEqual(remaining(yield* send(readWrite, [])), "2")
      assert.strictEqual(remaining(yield* send(readWrite, { id: "x".repeat(2000) })), "1")
    }))
})
