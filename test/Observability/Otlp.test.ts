import { assert, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Observability } from "../../src/Secrets/Redaction/Observability.ts"
import { sitesGet, sitesList } from "../Http/Fixture.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

// Parts of https://github.com/open-telemetry/opentelemetry-proto.
interface Attributed {
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
}
interface Points {
  readonly dataPoints: ReadonlyArray<Attributed & { readonly asDouble: number }>
}
interface Metric {
  readonly name: string
  readonly sum?: Points
  readonly gauge?: Points
  readonly histogram?: { readonly dataPoints: readonly [{ readonly count: number }] }
}
interface Span extends Attributed {
  readonly name: string
  readonly traceId: string
}
interface LogRecord extends Attributed {
  readonly body: { readonly stringValue: string }
}

const attributesOf = ({ attributes }: Attributed) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

const Breaking = Layer.effect(
  ProviderClient,
  Effect.map(ProviderClient, (client) => ({
    call: (request) =>
      request.endpoint.id === "sites.get"
        ? Effect.die(new Error("crossed ya29.wires-0123456789"))
        : client.call(request)
  }))
).pipe(Layer.provide(ProviderClient.layer))

const observed = (collector: string) =>
  TestServer.make({}, { services: { ProviderClient: Breaking } }).pipe(
    Layer.provide(Observability),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      LOG_FORMAT: "json"
    }))),
    Layer.provide(Layer.succeed(Console.Console, { ...globalThis.console, log: () => {} }))
  )

const calls = Effect.gen(function*() {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body: { siteEntry: [] } }))
  const { readOnly } = yield* seed()
  const good = yield* server.call(readOnly, sitesList)
  const broken = yield* server.call(readOnly, sitesGet)
  assert.deepStrictEqual([good.status, broken.status], [200, 500])
  const state = "state-of-a-sign-in"
  yield* server.request("GET", `/connect/callback?code=x&state=${state}`)
  return { good: good.callId, broken: broken.callId, secrets: [readOnly, server.adminToken, state] }
})

it.live("A collector at OTEL_EXPORTER_OTLP_ENDPOINT gets traces, metrics and logs without secrets", () =>
  Effect.gen(function*() {
    const collector = yield* LoopbackUpstream.make
    collector.handle(() => ({ body: {} }))
    const { broken, good, secrets } = yield* Effect.provide(calls, observed(collector.url))
    const received = (signal: string) =>
      collector.requests.filter(({ url }) => url === `/v1/${signal}`).map(({ body }) => JSON.parse(body))

    const metrics: ReadonlyArray<Metric> = received("metrics").at(-1).resourceMetrics[0].scopeMetrics[0].metrics
    const metric = (name: string) => metrics.findLast((metric) => metric.name === name)
    assert.deepStrictEqual(
      metric("openaccounts_calls_total")?.sum?.dataPoints.map((point) => [attributesOf(point), point.asDouble]),
      [
        [{ provider: "gsc", target: "raw:sites.list", outcome: "ok" }, 1],
        [{ provider: "gsc", target: "raw:sites.get", outcome: "error", error_code: "internal_error" }, 1]
      ]
    )
    assert.strictEqual(metric("openaccounts_call_duration_seconds")?.histogram?.dataPoints[0].count, 1)
    assert.isAbove(metric("process_resident_memory_bytes")?.gauge?.dataPoints[0]?.asDouble ?? 0, 1e6)

    const spans: ReadonlyArray<Span> = received("traces").flatMap((each) => each.resourceSpans[0].scopeSpans[0].spans)
    const served = spans.filter((span) => attributesOf(span)["http.response.header.x-call-id"] === good)
    assert.lengthOf(served, 1)
    const [request = assert.fail("no span")] = served
    assert.strictEqual(request.name, "POST /v1/call")
    assert.deepInclude(attributesOf(request), {
      "http.route": "/v1/call",
      provider: "gsc",
      target: "raw:sites.list",
      outcome: "ok"
    })
    const inTrace = spans.filter(({ traceId }) => traceId === request.traceId).map(({ name }) => name)
    assert.includeMembers(inTrace, ["ProviderClient.call", "postgres"])

    const records: ReadonlyArray<LogRecord> = received("logs")
      .flatMap(({ resourceLogs }) => resourceLogs[0].scopeLogs[0].logRecords)
    const failures = records.filter((record) => attributesOf(record)["call_id"] === broken)
    assert.deepStrictEqual(failures.map(({ body }) => body.stringValue), ["A call failed inside the service"])
    const [failure = assert.fail("no record")] = failures
    assert.match(attributesOf(failure)["exception.stacktrace"] ?? "", /^Error: crossed \[redacted\]\n/)

    const everything = collector.requests.map(({ body }) => body).join("\n")
    for (const secret of [...secrets, "ya29.", "1//refresh"]) assert.notInclude(everything, secret)
  }))
