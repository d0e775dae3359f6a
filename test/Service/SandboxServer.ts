import { assert } from "@effect/vitest"
import { Effect, Layer, Predicate } from "effect"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { sandboxOrigins } from "../../src/Server.ts"
import { setTime } from "../Sandbox/SandboxFixture.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import type { Call } from "./EveryOperation.ts"

/** The whole service on the sandbox, as `PROVIDER_MODE=sandbox` has it, in the data folder at hand. */
export const sandboxServer = (values: Readonly<Record<string, string>> = {}) =>
  TestServer.on({ origins: sandboxOrigins() }, values)

/** The same with the clock standing still. */
export const sandboxServerAt = (instant: string) =>
  sandboxServer().pipe(Layer.provideMerge(Layer.effectDiscard(setTime(instant))))

/** A member's read-write key, and for its client every connection that the sandbox offers. */
export const connectAll = Effect.gen(function*() {
  const { connections: [first, ...others] } = yield* Sandbox
  const { connect, readWrite } = yield* seed(first)
  for (const connection of others) yield* connect(connection)
  return readWrite
})

/** The `data` of an answer that has to be 200. */
export const callWith = (key: string) =>
  Effect.fnUntraced(function*(call: Call) {
    const { json, status, text } = yield* (yield* TestServer).call(key, call)
    assert.strictEqual(status, 200, `${JSON.stringify(call)}: ${text}`)
    return json.data
  })

/** What is at a path such as `rows.0.query`; `undefined` where there is nothing. */
export const at = (data: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(
    (value, segment) => Predicate.isObjectOrArray(value) ? Reflect.get(value, segment) : undefined,
    data
  )
