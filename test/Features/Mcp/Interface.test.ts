import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { respond } from "../../../src/Features/Mcp/McpServer.ts"
import { cutJson } from "../../../src/Features/Mcp/Tools/CutJson.ts"
import { maxRequestBytes } from "../../Http/ErrorCases.ts"
import { seededServer, sitesList } from "../../Http/Fixture.ts"
import { assertLimited } from "../../support/Answer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { callTool, newestRevision, rpc } from "./McpFixture.ts"
import { calls } from "./suites/Calls.ts"
import { protocol } from "./suites/Protocol.ts"
import { requestConnection, tools } from "./suites/Tools.ts"

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

const cut = (value: unknown, budget: number) => {
  const text = cutJson(JSON.stringify(value), budget)
  assert.isAtMost(text.length, budget)
  return JSON.parse(text)
}

describe("A long result", () => {
  it("keeps short fields whole and shares the rest between long ones", () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ index }))
    const { left, next, right } = cut({ left: rows, next: 100, right: rows }, 600)
    assert.strictEqual(next, 100)
    assert.strictEqual(left.length, right.length)
    assert.deepStrictEqual(left, rows.slice(0, left.length))
    assert.isAbove(left.length, 15)
  })

  it("splits neither an escape nor a pair of surrogates", () => {
    for (const unit of ["\\", "\"", "\u0001", "\ud83d\ude80", "\ud800", "é"]) {
      for (let budget = 20; budget < 60; budget++) {
        const { text } = cut({ text: unit.repeat(100) }, budget)
        assert.match(text, /…$/)
        assert.strictEqual(text.slice(0, -1), unit.repeat(100).slice(0, text.length - 1))
      }
    }
  })

  it("is valid JSON within its budget, whatever it is, and is not changed where it fits", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 20, max: 400 }), (value, budget) => {
        const json = JSON.stringify({ value })
        const text = cutJson(json, budget)
        assert.isAtMost(text.length, budget)
        JSON.parse(text)
        if (json.length <= budget) assert.strictEqual(text, json)
      }),
      { numRuns: 500 }
    )
  })
})

it.effect("a write of an agent that disconnects ends before the memory of its message is released", () =>
  Effect.gen(function*() {
    const order: Array<string> = []
    const note = (event: string) => Effect.sync(() => order.push(event))
    const [begun, sent] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const request = respond({
      url: "http://localhost/mcp",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-06-18"
      },
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "write", arguments: {} } },
      exactArguments: () => undefined,
      instructions: "",
      list: Effect.succeed([]),
      call: () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Deferred.await(sent)),
          Effect.andThen(note("written")),
          Effect.as({ json: "{}", isError: false }),
          Effect.uninterruptible
        )
    })
    const release = Effect.addFinalizer(() => note("released"))
    const serving = yield* Effect.forkChild(Effect.scoped(Effect.andThen(release, request)))
    yield* Deferred.await(begun)
    yield* Effect.yieldNow
    const disconnecting = yield* Effect.forkChild(Fiber.interrupt(serving), { startImmediately: true })
    yield* Effect.yieldNow
    yield* Deferred.succeed(sent, undefined)
    yield* Fiber.join(disconnecting)
    assert.deepStrictEqual(order, ["written", "released"])
  }))
