import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result, Schedule } from "effect"
import { outcomeOf, retries } from "../../../src/Providers/Upstream/Retry.ts"
import { TransportError } from "../../../src/Providers/Upstream/UpstreamResponse.ts"

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

const answered = (status: number, retryAfter?: string) =>
  Result.succeed({
    status,
    text: "",
    json: undefined,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }
  })

const unanswered = (connectFailed: boolean) => Result.fail(new TransportError({ message: "…", connectFailed }))

describe("what is worth another try", () => {
  const table: ReadonlyArray<
    readonly [what: string, outcome: Parameters<typeof outcomeOf>[0], wait: number | undefined]
  > = [
    ["an answer", answered(200), undefined],
    ["a caller's mistake", answered(400), undefined],
    ["a refusal", answered(401), undefined],
    ["a failure of the upstream's own", answered(500), undefined],
    ["a bad gateway", answered(502), 0],
    ["an outage", answered(503), 0],
    ["a gateway's timeout", answered(504), 0],
    ["an outage of a second", answered(503, "1"), 1000],
    ["an outage of a minute", answered(503, "60"), 0],
    ["throttling without a time", answered(429), undefined],
    ["throttling for no time", answered(429, "0"), 0],
    ["throttling for two seconds", answered(429, "2"), 2000],
    ["throttling for three seconds", answered(429, "3"), undefined],
    ["throttling until a moment from now", answered(429, "Thu, 01 Jan 2026 12:00:01 GMT"), 1000],
    ["throttling until a moment ago", answered(429, "Thu, 01 Jan 2026 11:59:00 GMT"), 0],
    ["throttling until a while from now", answered(429, "Thu, 01 Jan 2026 12:01:00 GMT"), undefined],
    ["throttling for who knows how long", answered(429, "a while"), undefined],
    ["a connection that was never made", unanswered(true), 0],
    ["a connection that broke", unanswered(false), undefined]
  ]
  for (const [what, result, wait] of table) {
    it(`${what}: ${wait === undefined ? "no" : `yes, after ${wait} ms or more`}`, () => {
      assert.strictEqual(outcomeOf(result, NOW).wait, wait)
    })
  }
})

const delays = (wait: number) =>
  Effect.gen(function*() {
    const step = yield* Schedule.toStep(retries)
    const outcome = { result: unanswered(true), wait }
    const [, first] = yield* step(0, outcome)
    const [, second] = yield* step(0, outcome)
    return [first, second].map(Duration.toMillis)
  })

describe("the wait between tries", () => {
  it.effect("doubles, with jitter", () =>
    Effect.gen(function*() {
      const [first = 0, second = 0] = yield* delays(0)
      assert.isTrue(first >= 80 && first <= 120, `${first}`)
      assert.isTrue(second >= 160 && second <= 240, `${second}`)
    }))

  it.effect("is never shorter than the upstream asked for", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* delays(2000), [2000, 2000])
    }))
})
