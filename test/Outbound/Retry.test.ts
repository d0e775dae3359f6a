import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result, Schedule } from "effect"
import { retries, toAttempt } from "../../src/Outbound/Retry.ts"
import { toTransportError, TransportError } from "../../src/Outbound/TransportError.ts"

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
  type Result = Parameters<typeof toAttempt>[0]
  const limited = { retriesServerErrors: false }
  it.each<[after: string, result: Result, wait: number | undefined, options?: typeof limited]>([
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
    ["a broken connection", failed(false), undefined],
    ["503, unless server errors are limited", answered(503, "1"), undefined, limited],
    ["a short 429, also then", answered(429, "1"), 1000, limited],
    ["a failure to connect, also then", failed(true), 0, limited]
  ])("after %s", (_, result, wait, options) => {
    assert.strictEqual(toAttempt(result, NOW, options).minWaitMillis, wait)
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
  it.effect("doubles, with jitter, and is never shorter than Retry-After", () =>
    Effect.gen(function*() {
      const [first = 0, second = 0] = yield* delays(0)
      assert.isTrue(first >= 80 && first <= 120, `${first}`)
      assert.isTrue(second >= 160 && second <= 240, `${second}`)
      assert.deepStrictEqual(yield* delays(2000), [2000, 2000])
    }))
})

describe("a transport error", () => {
  it.each<readonly [code: string, says: string, connectFailed: boolean]>([
    ["ENOTFOUND", "does not resolve", true],
    ["ECONNREFUSED", "could not be connected to", true],
    ["UND_ERR_CONNECT_TIMEOUT", "in time", true],
    ["CERT_HAS_EXPIRED", "TLS failed", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "TLS failed", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS failed", false],
    ["ECONNRESET", "closed the connection", false],
    ["HPE_INVALID_CONSTANT", "valid HTTP", false],
    ["EWHATEVER", "could not be reached", false]
  ])("%s: %s", (code, says, connectFailed) => {
    const error = toTransportError(Object.assign(new Error("with a token in it"), { code }), "example.com")
    for (const part of [says, "example.com", `(${code})`]) assert.include(error.message, part)
    assert.notInclude(error.message, "token")
    assert.strictEqual(error.connectFailed, connectFailed)
  })
})
