import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Exit, Fiber, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { CurrentShare, makeCapacity, reserve, smallBytes } from "../../src/Capacity/Capacity.ts"
import { Processes } from "../../src/Capacity/Processes.ts"
import { ratePolicy } from "../../src/Capacity/RateLimit.ts"
import type { BusyJob } from "./BusyProcess.ts"

const megabyte = 1_000_000

const opened = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const { open } = makeCapacity({ calls: 2, largest: 10 * megabyte })
  return { open, end: Scope.close(scope, Exit.void), scope, share: open("member", scope) }
})

const started = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("The bytes of a call", () => {
  it.effect("are held until it ends, and a further call of the member is refused after ten seconds", () =>
    Effect.gen(function*() {
      const { end, open, share } = yield* opened
      yield* share.reserve("body", 15 * megabyte)
      const other = open("member", yield* Scope.make())
      yield* other.reserve("body", smallBytes)
      const refused = yield* started(other.reserve("body", 15 * megabyte))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(refused.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* Effect.flip(Fiber.join(refused))).details, {
        limited_by: "member_share",
        retry_after_seconds: 5
      })
      yield* end
      yield* other.reserve("body", 15 * megabyte)
    }))

  it.effect("have a budget for each stage, so that two long responses never wait for each other", () =>
    Effect.gen(function*() {
      const { share } = yield* opened
      for (const kind of ["message", "request", "arriving", "download", "body", "response"] as const) {
        yield* share.reserve(kind, 10 * megabyte)
      }
    }))

  it.effect("can be held for a shorter time", () =>
    Effect.gen(function*() {
      const { share } = yield* opened
      for (let response = 0; response < 3; response++) {
        yield* Effect.scopedWith((scope) =>
          Effect.provideService(reserve("arriving", 8 * megabyte, scope), CurrentShare, share)
        )
      }
    }))

  it.effect("do not refuse a write, which waits for ten seconds and continues", () =>
    Effect.gen(function*() {
      const { share } = yield* opened
      yield* share.reserve("body", 20 * megabyte)
      const write = yield* started(share.neverRefusing.within(yield* Scope.make()).reserve("body", megabyte))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(write.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(write)
    }))
})

it.effect("A member's further call waits for its turn while others start", () =>
  Effect.gen(function*() {
    const { end, open, share } = yield* opened
    yield* share.takeTurn
    const next = yield* started(open("member", yield* Scope.make()).takeTurn)
    yield* open("other", yield* Scope.make()).takeTurn
    assert.isUndefined(next.pollUnsafe())
    yield* end
    yield* Fiber.join(next)
  }))

const parse = (value?: string) =>
  ratePolicy.parse(ConfigProvider.fromUnknown(value === undefined ? {} : { RATE_LIMIT: value }))

describe("RATE_LIMIT", () => {
  it.effect.each([
    { value: "600", limit: 600, seconds: 60 },
    { value: "600/minute", limit: 600, seconds: 60 },
    { value: "10/second", limit: 10, seconds: 1 },
    { value: "5000/hour", limit: 5000, seconds: 3600 }
  ])("$value", ({ limit, seconds, value }) =>
    Effect.gen(function*() {
      const policy = Option.getOrThrow(yield* parse(value))
      assert.deepStrictEqual([policy.limit, Duration.toSeconds(policy.window)], [limit, seconds])
    }))

  it.effect("is off when it is not set", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* parse()))
    }))

  it.effect.each(["0", "-1", "1.5", "ten", "10/day", "10 / minute", "10/", "99999999999"])(
    "is not %s",
    (value) =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(parse(value))
        assert.isTrue(Exit.isFailure(exit))
        assert.include(String(exit), "RATE_LIMIT")
      })
  )
})

const processes = new Processes<BusyJob, string | number>({
  module: new URL("BusyProcess.ts", import.meta.url),
  size: 1,
  maxHeap: 64,
  refusal: "Too much."
})

const run = (job: BusyJob, withinMillis: number) => processes.run("member", Effect.succeed(job), { withinMillis })

describe("A job of a process", () => {
  it.live("has its time in CPU time: while the machine does something else, it takes none", () =>
    Effect.gen(function*() {
      yield* run({ waitMillis: 0 }, 60_000)
      assert.strictEqual(yield* run({ waitMillis: 1500 }, 1000), "waited")
      assert.strictEqual((yield* Effect.flip(run({}, 1000)))._tag, "JobTooLong")
      assert.strictEqual(yield* run({ waitMillis: 0 }, 60_000), "waited")
    }))

  it.live("ends alone when one step takes far more memory than it may", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(run({ characters: 50_000_000 }, 60_000)))._tag, "JobTooLarge")
      assert.strictEqual(yield* run({ waitMillis: 0 }, 60_000), "waited")
    }))

  it.live("fails with what its module throws", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(run({ characters: -1 }, 60_000))
      assert.include(String(exit), "Invalid count value: -1")
    }))
})
