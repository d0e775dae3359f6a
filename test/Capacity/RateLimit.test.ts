import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Exit, Option } from "effect"
import { ratePolicy } from "../../src/Capacity/RateLimit.ts"

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
