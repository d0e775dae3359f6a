import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { configMessage } from "../../src/Cli/Failure.ts"
import { MetricsLayer } from "../../src/Observability/Metrics.ts"
import { sitesList } from "../Http/Fixture.ts"
import { assertError } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { difference, parse } from "./Exposition.ts"

const token = "a-token-of-at-least-32-characters"

const scrape = Effect.gen(function*() {
  const server = yield* TestServer
  const answer = yield* server.request("GET", "/metrics", { key: token })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer
})

const read = Effect.map(scrape, ({ text }) => parse(text))

const changesBy = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    const before = yield* read
    yield* effect
    const changes = Object.entries(difference(before, yield* read))
    return Object.fromEntries(
      changes.filter(([series]) => /^openaccounts_(?!database|\w+_(?:bucket|sum))/.test(series))
    )
  })

const series = (name: string, labels: Readonly<Record<string, string>>): string =>
  `openaccounts_${name}{${Object.entries(labels).map(([label, value]) => `${label}="${value}"`).join(",")}}`

const sites = { provider: "gsc", target: "raw:sites.list" }

const listing: Handler = ({ url }) =>
  url.startsWith("/googleToken")
    ? { body: { access_token: "ya29.refreshed-0123456789", expires_in: 3600, token_type: "Bearer" } }
    : { body: { siteEntry: [] } }

const google = { identity: "google", auth_type: "oauth" }
const upstreamDuration = series("upstream_duration_seconds_count", { provider: "gsc" })
const failed = (error_code: string) => ({ outcome: "error", error_code })

/** What one call adds. */
const counted = (outcome: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) =>
  Object.fromEntries(
    [series("calls_total", { ...sites, ...outcome }), series("call_duration_seconds_count", sites), ...more]
      .map((name) => [name, 1])
  )

const measured = TestServer.make({ METRICS_TOKEN: token }).pipe(
  Layer.provide(MetricsLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ METRICS_TOKEN: token })))
)

layer(measured, { excludeTestServices: true })("GET /metrics", (it) => {
  it.effect("answers the text format of Prometheus to the holder of METRICS_TOKEN", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const answer = yield* scrape
      assert.strictEqual(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      assert.match(answer.callId, /^call_/)
      const { types, values } = parse(answer.text)
      assert.strictEqual(types.get("openaccounts_calls_in_flight"), "gauge")
      assert.isAbove(values.get("process_resident_memory_bytes") ?? 0, 1e6)
      assert.isAbove(values.get("process_cpu_seconds_total") ?? 0, 0)
      const { values: later } = yield* eventually(read, ({ values }) => values.get("openaccounts_database_up") === 1)
      assert.isAbove(later.get("openaccounts_database_round_trip_seconds") ?? 0, 0)
      for (const key of [undefined, "", server.adminToken, `${token}.`, token.slice(1)]) {
        assertError(yield* server.request("GET", "/metrics", { key }), 401, "unauthenticated")
      }
    }))

  it.effect.each<
    readonly [string, Handler, Readonly<Record<string, string>>, object, Readonly<Record<string, number>>]
  >([
    ["a call", listing, freshGrant("good"), {}, counted({ outcome: "ok" }, upstreamDuration)],
    ["an invalid input", listing, freshGrant("good"), { input: { nonsense: 1 } }, counted(failed("invalid_input"))],
    [
      "a refreshed token",
      listing,
      expiredGrant("good"),
      {},
      counted({ outcome: "ok" }, upstreamDuration, series("token_refreshes_total", { ...google, outcome: "ok" }))
    ],
    [
      "a refused token",
      () => ({ status: 400, body: { error: "invalid_grant" } }),
      expiredGrant("dead"),
      {},
      counted(
        failed("credentials_expired"),
        series("token_refreshes_total", { ...google, ...failed("credentials_expired") })
      )
    ]
  ])(
    "counts %s, with its duration and that of the provider",
    ([, handler, credentials, more, expected]) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        ;(yield* LoopbackUpstream).handle(handler)
        const { readOnly } = yield* seed({ credentials })
        assert.deepStrictEqual(yield* changesBy(server.call(readOnly, { ...sitesList, ...more })), expected)
        const { values } = yield* read
        assert.strictEqual(values.get("openaccounts_calls_in_flight"), 0)
        assert.strictEqual(values.get("openaccounts_call_log_queue_length"), 0)
      })
  )

  it.effect("counts cache hits and misses", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(listing)
      const { reader } = yield* seed()
      const call = reader.call.call({ payload: { ...sitesList, max_age: 60 } })
      assert.deepInclude(yield* changesBy(call), { [series("cache_misses_total", { provider: "gsc" })]: 1 })
      const hit = series("cache_hits_total", { provider: "gsc" })
      assert.deepStrictEqual(yield* changesBy(call), counted({ outcome: "ok" }, hit))
    }))

  it.effect("has no secrets, no ids and no names that callers invent", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(listing)
      const { connection, name, readOnly } = yield* seed()
      const bodies = [
        sitesList,
        { provider: "made-up", endpoint: "sites.list" },
        { provider: "gsc", endpoint: "made-up" },
        { provider: "gsc", tool: "made-up\"} 1\n" },
        { ...sitesList, connection_id: "made-up" }
      ]
      for (const body of bodies) yield* server.call(readOnly, body)
      for (const key of ["oa_made-up", undefined]) yield* server.call(key, sitesList)
      const { text } = yield* scrape
      const { values } = parse(text)
      const ids = [readOnly, token, server.adminToken, connection.id, name]
      for (const hidden of [...ids, "made-up", "ya29", "oa_", "con_", "call_0"]) assert.notInclude(text, hidden)
      const unknown = (provider: string, error_code: string) =>
        values.get(series("calls_total", { provider, target: "unknown", outcome: "error", error_code }))
      assert.strictEqual(unknown("unknown", "provider_not_found"), 1)
      assert.strictEqual(unknown("gsc", "endpoint_not_found"), 1)
      assert.strictEqual(unknown("gsc", "tool_not_found"), 1)
      assert.strictEqual(unknown("unknown", "unauthenticated"), 2)
    }))
})

describe("A short METRICS_TOKEN", () => {
  it.effect("stops the server at its start and is not printed", () =>
    Effect.gen(function*() {
      const short = token.slice(0, 31)
      const start = Layer.launch(MetricsLayer.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ METRICS_TOKEN: short })))
      ))
      const problem = configMessage(yield* Effect.flip(start))
      assert.strictEqual(problem, "METRICS_TOKEN: Expected at least 32 characters")
    }))
})
