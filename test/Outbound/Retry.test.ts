import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result, Schedule } from "effect"
import { retries, toAttempt } from "../../src/Outbound/Retry.ts"
import { TransportError } from "../../src/Outbound/UpstreamResponse.ts"

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

const answered = (status: number, retryAfter?: string) =>
  Result.succeed({
    status,
    text: "",
    json: undefined,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }
  })

const failed = (connectFailed: boolean) =>
  Result.fail(new TransportError({ message: "…", connectFailed, wasSent: true }))

describe("a request is retried", () => {
  it.each<readonly [after: string, result: Parameters<typeof toAttempt>[0], wait: number | undefined]>([
    ["success", answered(200), undefined],
    ["400", answered(400), undefined],
    ["401", answered(401), undefined],
    ["500", answered(500), undefined],
    ["502", answered(502), 0],
    ["504", answered(504), 0],
    ["503 with Retry-After 1", answered(503, "1"), 1000],
    ["503 with Retry-After 60", answered(503, "60"), 0],
    ["429", answered(429), undefined],
    ["429 with Retry-After 2", answered(429, "2"), 2000],
    ["429 with Retry-After 3", answered(429, "3"), undefined],
    ["429 with a date in one second", answered(429, "Thu, 01 Jan 2026 12:00:01 GMT"), 1000],
    ["429 with a date in the past", answered(429, "Thu, 01 Jan 2026 11:59:00 GMT"), 0],
    ["429 with an invalid Retry-After", answered(429, "a while"), undefined],
    ["a failure to connect", failed(true), 0],
    ["a broken connection", failed(false), undefined]
  ])("after %s", (_, result, wait) => assert.strictEqual(toAttempt(result, NOW).minWaitMillis, wait))
})

describe("a request whose server errors are not retried is retried", () => {
  it.each<readonly [after: string, result: Parameters<typeof toAttempt>[0], wait: number | undefined]>([
    ["503", answered(503, "1"), undefined],
    ["a short 429", answered(429, "1"), 1000],
    ["a failure to connect", failed(true), 0]
  ])("after %s", (_, result, wait) => {
    assert.strictEqual(toAttempt(result, NOW, { retriesServerErrors: false }).minWaitMillis, wait)
  })
})

const delays = (minWaitMillis: number) =>
  Effect.gen(function*() {
    const step = yield* Schedule.toStep(retries)
    const outcome = { result: failed(true), minWaitMillis }
    const [, first] = yield* step(0, outcome)
    const [, second] = yield* step(0, outcome)
    return [first, second].map(Duration.toMillis)
  })

describe("the wait before a retry", () => {
  it.effect("doubles, with jitter", () =>
    Effect.gen(function*() {
      const [first = 0, second = 0] = yield* delays(0)
      assert.isTrue(first >= 80 && first <= 120, `${first}`)
      assert.isTrue(second >= 160 && second <= 240, `${second}`)
    }))

  it.effect("is never shorter than Retry-After", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* delays(2000), [2000, 2000])
    }))
})
