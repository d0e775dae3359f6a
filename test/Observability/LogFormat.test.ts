import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, ConfigProvider, Console, Effect, Layer } from "effect"
import { format } from "node:util"
import { CallLog, LogUnavailable } from "../../src/Calls/Log/CallLog.ts"
import { configMessage } from "../../src/Cli/Failure.ts"
import { LogFormat } from "../../src/Observability/LogFormat.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { RedactingLoggers } from "../../src/Secrets/Redaction/RedactingLogger.ts"
import { sitesList } from "../Http/Fixture.ts"
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
