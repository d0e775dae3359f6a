import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, ConfigProvider, Console, Effect, Layer } from "effect"
import { format } from "node:util"
import { CallLog, LogUnavailable } from "../../src/Calls/Log/CallLog.ts"
import { configMessage } from "../../src/Cli/Failure.ts"
import { LogFormat } from "../../src/Observability/LogFormat.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Observability } from "../../src/Secrets/Redaction/Observability.ts"
import { RedactingLoggers } from "../../src/Secrets/Redaction/RedactingLogger.ts"
import { sitesGet, sitesList } from "../Http/Fixture.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const consoleInto = (lines: Array<string>) =>
  Layer.succeed(Console.Console, {
    ...globalThis.console,
    log: (...parts: ReadonlyArray<unknown>) => void lines.push(format(...parts))
  })

const logInto = (lines: Array<string>, settings: Readonly<Record<string, string>>) =>
  RedactingLoggers.pipe(
    Layer.provideMerge(LogFormat),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    Layer.provideMerge(consoleInto(lines))
  )

const output: Array<string> = []

const failing = {
  ProviderClient: Layer.succeed(ProviderClient, { call: () => Effect.die(new Error("crossed wires")) }),
  CallLog: Layer.effect(
    CallLog,
    Effect.map(
      CallLog,
      (log) => ({ ...log, append: () => Effect.fail(new LogUnavailable({ cause: new Error("disk full") })) })
    )
  ).pipe(Layer.provide(CallLog.layer))
}

const TestLayer = TestServer.make({}, { services: failing }).pipe(
  Layer.provide(logInto(output, { LOG_FORMAT: "json" }))
)

layer(TestLayer, { excludeTestServices: true })("The service log", (it) => {
  it.effect("has one JSON object per line, with the call_id of the request", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { connection, readOnly } = yield* seed()
      output.length = 0
      const answers = yield* Effect.all([
        server.call(readOnly, sitesList),
        server.call(readOnly, { ...sitesList, max_age: 60 }),
        server.request("POST", `/admin/v1/connections/${connection.id}/test`, { key: server.adminToken })
      ], { concurrency: "unbounded" })
      const lines = output.map((line) => JSON.parse(line))
      const messages = answers.map(({ callId }) =>
        lines.filter(({ call_id }) => call_id === callId).map(({ message }) => message)
      )
      assert.deepStrictEqual(messages, [
        ["A call failed inside the service", "A call could not be logged"],
        ["A call failed inside the service", "A call could not be logged"],
        ["A request failed inside the service"]
      ])
      assert.strictEqual(lines.length, 5)
      for (const { cause, level, timestamp } of lines) {
        assert.strictEqual(level, "ERROR")
        assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.match(cause, /Error: (crossed wires|disk full)/)
      }
    }))
})

const linesOf = (effect: Effect.Effect<void>, settings: Readonly<Record<string, string>> = {}) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    return Effect.as(Effect.provide(effect, logInto(lines, { LOG_FORMAT: "json", ...settings })), lines)
  })

const secret = "ya29.a0AfH6SMBx-0123456789"

describe("A line of the service log", () => {
  it.effect.each<readonly [string, Effect.Effect<void>]>([
    ["a message", Effect.logError(`The token is ${secret}`)],
    ["a field of a message", Effect.logError("It failed", { access_token: "s3cret-0123456789", note: secret })],
    ["a defect", Effect.logError("It failed", Cause.die({ authorization: `Bearer ${secret}` }))],
    ["the cause of a failure", Effect.logError("It failed", new Error("It broke", { cause: new Error(secret) }))]
  ])("has no secret of %s", ([, log]) =>
    Effect.gen(function*() {
      for (const LOG_FORMAT of ["json", "pretty"]) {
        const text = (yield* linesOf(log, { LOG_FORMAT })).join("\n")
        assert.include(text, "[redacted]")
        assert.notInclude(text, "0123456789")
      }
    }))

  it.effect("has the error that is logged with a message as its cause, and no other fields", () =>
    Effect.gen(function*() {
      const lines = yield* linesOf(
        Effect.andThen(Effect.logWarning("A response could not be cached", new Error("disk full")), Effect.log("Done"))
      )
      const [failed, done] = lines.map((line) => JSON.parse(line))
      assert.deepInclude(failed, { level: "WARN", message: "A response could not be cached" })
      assert.match(failed.cause, /^Error: disk full\n/)
      assert.hasAllKeys(done, ["timestamp", "level", "message"])
    }))

  it.effect("has at least the level LOG_LEVEL", () =>
    Effect.gen(function*() {
      const log = Effect.all([Effect.logDebug("a"), Effect.log("b"), Effect.logWarning("c"), Effect.logFatal("d")])
      const messages = (LOG_LEVEL: string) =>
        Effect.map(linesOf(Effect.asVoid(log), { LOG_LEVEL }), (lines) => lines.map((line) => JSON.parse(line).message))
      assert.deepStrictEqual(yield* messages("debug"), ["a", "b", "c", "d"])
      assert.deepStrictEqual(yield* messages("info"), ["b", "c", "d"])
      assert.deepStrictEqual(yield* messages("error"), ["d"])
      assert.deepStrictEqual(yield* messages("none"), [])
    }))

  it.effect.each(["LOG_LEVEL", "LOG_FORMAT"])(
    "is not written at all with an invalid %s, which stops the server at its start",
    (name) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(linesOf(Effect.void, { [name]: "loud" }))
        assert.include(configMessage(error), name)
      })
  )
})

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
