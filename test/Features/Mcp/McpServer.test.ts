import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { respond } from "../../../src/Features/Mcp/McpServer.ts"

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
