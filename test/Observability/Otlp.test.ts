import { assert, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { Observability } from "../../src/Observability/Observability.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { sitesGet, sitesList } from "../Http/World.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Answer, seed, TestServer } from "../support/TestServer.ts"

type Json = Answer["json"]

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

const attributesOf = ({ attributes }: { readonly attributes: ReadonlyArray<Attribute> }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

/** Breaks at `sites.get`. */
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

/** One call that succeeds and one that fails inside the service. */
const calls = Effect.gen(function*() {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body: { siteEntry: [] } }))
  const { readOnly } = yield* seed()
  const good = yield* server.call(readOnly, sitesList)
  const broken = yield* server.call(readOnly, sitesGet)
  assert.deepStrictEqual([good.status, broken.status], [200, 500])
  return { good: good.json.call_id, broken: broken.json.call_id, secrets: [readOnly, server.adminToken] }
})

it.live("With OTEL_EXPORTER_OTLP_ENDPOINT, a collector gets traces, metrics and logs, and no secret", () =>
  Effect.gen(function*() {
    const collector = yield* LoopbackUpstream.make
    collector.handle(() => ({ body: {} }))
    const { broken, good, secrets } = yield* Effect.provide(calls, observed(collector.url))
    const received = (signal: string) =>
      collector.requests.filter(({ url }) => url === `/v1/${signal}`).map(({ body }) => JSON.parse(body))

    const metrics = new Map<string, Json>(
      received("metrics").at(-1).resourceMetrics[0].scopeMetrics[0].metrics.map((metric: Json) => [metric.name, metric])
    )
    const counted = metrics.get("openaccounts_calls_total").sum.dataPoints
    assert.deepStrictEqual(counted.map((point: Json) => [attributesOf(point), point.asDouble]), [
      [{ provider: "gsc", target: "raw:sites.list", outcome: "ok" }, 1],
      [{ provider: "gsc", target: "raw:sites.get", outcome: "error", error_code: "internal_error" }, 1]
    ])
    const [{ bucketCounts, count, explicitBounds }] =
      metrics.get("openaccounts_call_duration_seconds").histogram.dataPoints
    assert.strictEqual(count, 1)
    assert.strictEqual(bucketCounts.reduce((sum: number, bucket: number) => sum + bucket), 1)
    assert.strictEqual(explicitBounds.length, bucketCounts.length - 1)
    assert.isTrue(explicitBounds.every(Number.isFinite))
    assert.isAbove(metrics.get("process_resident_memory_bytes").gauge.dataPoints[0].asDouble, 1e6)

    const spans = received("traces").flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans)
    const served = spans.filter((span: Json) => attributesOf(span)["http.response.header.x-call-id"] === good)
    assert.lengthOf(served, 1)
    assert.strictEqual(attributesOf(served[0])["http.route"], "/v1/call")
    const inTrace = spans.filter(({ traceId }: Json) => traceId === served[0].traceId).map(({ name }: Json) => name)
    assert.includeMembers(inTrace, ["ProviderClient.call", "postgres"])

    const records = received("logs").flatMap(({ resourceLogs }) => resourceLogs[0].scopeLogs[0].logRecords)
    const told = records.filter((record: Json) => attributesOf(record)["call_id"] === broken)
    assert.deepStrictEqual(told.map(({ body }: Json) => body.stringValue), ["A call failed inside the service"])
    assert.match(attributesOf(told[0])["exception.stacktrace"] ?? "", /^Error: crossed \[redacted\]\n/)

    const everything = collector.requests.map(({ body }) => body).join("\n")
    for (const secret of [...secrets, "ya29.", "1//refresh"]) assert.notInclude(everything, secret)
  }))
