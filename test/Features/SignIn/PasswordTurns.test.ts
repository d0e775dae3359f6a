import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { MemberId } from "../../../src/Domain/Ids.ts"
import { PasswordTurns } from "../../../src/Features/SignIn/Passwords/PasswordTurns.ts"

const ada = MemberId.make(`mem_${"0".repeat(26)}`)
const hashing = Effect.as(Effect.sleep("50 millis"), "hashed")

const waits = Effect.fnUntraced(function*(strangers: ReadonlyArray<string>) {
  const turns = yield* PasswordTurns
  yield* Effect.forEach(strangers, (address) => Effect.forkChild(turns.ofStranger(address)(hashing)))
  yield* Effect.yieldNow
  return turns
})

/** The milliseconds that an attempt takes, in steps of 50. */
const timeOf = Effect.fnUntraced(function*<A, E>(attempt: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(Effect.timed(attempt))
  yield* Effect.yieldNow
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("50 millis")
  const [elapsed] = yield* Fiber.join(fiber)
  return Duration.toMillis(elapsed)
})

const addresses = Array.from({ length: 120 }, (_, at) => `198.51.100.${at}`)

describe("Turns at passwords", () => {
  it.effect("are kept for members at known addresses while 120 other addresses send guesses", () =>
    Effect.gen(function*() {
      const turns = yield* waits([...addresses, ...addresses, ...addresses])
      assert.isAtMost(yield* timeOf(turns.ofMember(ada)(hashing)), 100)
    }).pipe(Effect.provide(PasswordTurns.layer)))

  it.effect("are fair between addresses, and an IPv6 /48 has those of one address", () =>
    Effect.gen(function*() {
      const network = Array.from({ length: 10 }, (_, at) => `2001:db8:1:${at}::1`)
      const turns = yield* waits(network)
      assert.isAtMost(yield* timeOf(turns.ofStranger("192.0.2.1")(hashing)), 150)
    }).pipe(Effect.provide(PasswordTurns.layer)))

  it.effect("end with 429 after ten seconds, or at once for an address with ten waiting", () =>
    Effect.gen(function*() {
      const turns = yield* PasswordTurns
      const attempt = turns.ofStranger("192.0.2.1")(Effect.never)
      yield* Effect.forEach(Array.from({ length: 2 }), () => Effect.forkChild(attempt))
      const waiting = yield* Effect.forEach(Array.from({ length: 9 }), () => Effect.forkChild(attempt))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(attempt))._tag, "RateLimited")
      yield* TestClock.adjust("10 seconds")
      for (const exit of yield* Effect.forEach(waiting, (fiber) => Fiber.await(fiber))) {
        assert.isTrue(Exit.isFailure(exit))
      }
    }).pipe(Effect.provide(PasswordTurns.layer)))
})
