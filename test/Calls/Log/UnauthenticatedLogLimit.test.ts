import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { limitUnauthenticatedCalls } from "../../../src/Calls/Log/UnauthenticatedLogLimit.ts"
import type { CallEntry } from "../../../src/Domain/Call.ts"
import { CallId } from "../../../src/Domain/Ids.ts"

const failed = (error_code: string): CallEntry => ({
  id: CallId.make("call_01m7z789t9e688gezg8zqgswzs"),
  provider: null,
  target: null,
  outcome: "error",
  http_status: 401,
  error_code,
  latency_ms: 1,
  cost_usd: 0,
  cached: false,
  connection_id: null,
  client_id: null,
  key_id: null,
  member_id: null,
  request: null,
  response: "{}",
  data: null
})

const makeFixture = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const lines: Array<string> = []
  const logged: Array<string | null> = []
  const append = yield* limitUnauthenticatedCalls({
    append: ({ error_code }) => Effect.sync(() => void logged.push(error_code)),
    list: () => Effect.die("not asked for"),
    find: () => Effect.die("not asked for")
  }).pipe(
    Scope.provide(scope),
    Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
  )
  const refuse = (times: number) => Effect.replicateEffect(append(failed("unauthenticated")), times, { discard: true })
  return { append, refuse, logged, lines, end: Scope.close(scope, Exit.void) }
})

describe("Calls without a valid key", () => {
  it.effect("are logged up to a thousand a minute, and the others counted in one line of the service log", () =>
    Effect.gen(function*() {
      const { append, lines, logged, refuse } = yield* makeFixture
      yield* refuse(5000)
      assert.lengthOf(logged, 1000)
      yield* append(failed("invalid_json"))
      assert.strictEqual(logged.at(-1), "invalid_json")

      yield* TestClock.adjust("1 minute")
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "4000 calls without a valid API key")
      yield* refuse(1000)
      assert.lengthOf(logged, 2001)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(lines, 1)
    }))

  it.effect("that are not yet counted are counted when the service ends", () =>
    Effect.gen(function*() {
      const { end, lines, refuse } = yield* makeFixture
      yield* refuse(1001)
      yield* end
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "1 calls")
    }))
})
