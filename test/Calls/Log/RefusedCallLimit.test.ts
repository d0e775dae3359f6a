import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { limitRefusedCalls } from "../../../src/Calls/Log/RefusedCallLimit.ts"
import type { CallEntry } from "../../../src/Domain/Calls/Call.ts"
import { CallId, ConnectionId, KeyId, MemberId } from "../../../src/Domain/Ids.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { Meter } from "../../../src/Observability/Meter.ts"
import { Metrics } from "../../../src/Observability/Metrics.ts"
import { plainCall } from "../../support/PlainCall.ts"

const refused: CallEntry = {
  id: CallId.make("call_01m7z789t9e688gezg8zqgswzs"),
  ...plainCall,
  provider: null,
  target: null,
  outcome: "error",
  http_status: 401,
  error_code: "unauthenticated",
  request: null,
  response: "{}"
}

const invalid = (key: number): CallEntry => ({
  ...refused,
  http_status: 400,
  error_code: "invalid_json",
  via: "key",
  key_id: KeyId.make(`key_${String(key).padStart(26, "0")}`),
  member_id: MemberId.make(`mem_${"0".repeat(26)}`)
})

const makeFixture = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const meter = new Meter()
  const lines: Array<string> = []
  const logged = { whole: 0, withoutBodies: 0, brief: 0 }
  const append = yield* limitRefusedCalls(({ omitsBodies = false, response }) =>
    Effect.sync(() => void logged[omitsBodies ? "brief" : response === "null" ? "withoutBodies" : "whole"]++)
  ).pipe(
    Scope.provide(scope),
    Effect.provideService(Metrics, meter),
    Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
  )
  const log = (times: number, call: CallEntry, address = "192.0.2.1") =>
    Effect.replicateEffect(append(call), times, { discard: true }).pipe(Effect.provideService(CurrentAddress, address))
  return { log, logged, lines, meter, end: Scope.close(scope, Exit.void) }
})

describe("Refused calls", () => {
  it.effect("without a valid key are logged briefly, 300 a minute from one address, and the others counted", () =>
    Effect.gen(function*() {
      const { lines, log, logged, meter } = yield* makeFixture
      yield* log(5000, refused)
      assert.deepStrictEqual(logged, { whole: 0, withoutBodies: 0, brief: 300 })
      yield* log(200, refused, "192.0.2.2")
      assert.deepStrictEqual(logged, { whole: 0, withoutBodies: 0, brief: 500 })

      yield* TestClock.adjust("1 minute")
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "4700 refused calls")
      assert.include(meter.prometheus(), "openaccounts_refused_calls_unlogged_total 4700")
      yield* log(1, refused)
      assert.deepStrictEqual(logged, { whole: 0, withoutBodies: 0, brief: 501 })
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(lines, 1)
    }))

  it.effect("count as one source for each IPv6 network and IPv4 address, and are a thousand a minute in all", () =>
    Effect.gen(function*() {
      const { log, logged } = yield* makeFixture
      for (let host = 1; host < 250; host++) yield* log(10, refused, `2001:db8::${host.toString(16)}`)
      assert.strictEqual(logged.brief, 300)
      yield* log(300, refused, "192.0.2.1")
      yield* log(300, refused, "::ffff:192.0.2.1")
      assert.strictEqual(logged.brief, 600)
      for (let host = 2; host < 250; host++) yield* log(10, refused, `192.0.2.${host}`)
      assert.deepStrictEqual(logged, { whole: 0, withoutBodies: 0, brief: 1000 })
    }))

  it.effect("of a key are all logged, beyond 300 a minute without bodies, and take nothing from other keys", () =>
    Effect.gen(function*() {
      const { lines, log, logged } = yield* makeFixture
      yield* log(5000, invalid(1))
      assert.deepStrictEqual(logged, { whole: 300, withoutBodies: 4700, brief: 0 })
      yield* log(300, invalid(2))
      assert.deepStrictEqual(logged, { whole: 600, withoutBodies: 4700, brief: 0 })
      yield* log(300, refused)
      assert.strictEqual(logged.brief, 300)
      // Calls that got a connection are no refused calls.
      yield* log(400, { ...invalid(3), connection_id: ConnectionId.make(`con_${"0".repeat(26)}`) })
      assert.deepStrictEqual(logged, { whole: 1000, withoutBodies: 4700, brief: 300 })
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(lines, 0)
    }))

  it.effect("that are not yet reported are reported when the service ends", () =>
    Effect.gen(function*() {
      const { end, lines, log } = yield* makeFixture
      yield* log(301, refused)
      yield* end
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "1 refused calls")
    }))
})
