import { NodeServices } from "@effect/platform-node"
import {
  type Cause,
  ConfigProvider,
  Effect,
  Layer,
  Option,
  Queue,
  Runtime,
  Sink,
  Stdio,
  Stream,
  Terminal
} from "effect"
import { Command } from "effect/cli"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { TestConsole } from "effect/testing"
import { commands } from "../../src/Cli/Commands.ts"
import { reportUsageErrors } from "../../src/Cli/UsageErrors.ts"
import { SettingsSource } from "../../src/SettingsSource.ts"
import { TestServer } from "../support/TestServer.ts"

const oa = Command.make("oa").pipe(Command.withSubcommands(commands))

export interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string
  /** `stderr`: standard output is a file. */
  readonly terminal?: boolean | "stderr"
  /** The API key, for a command on the server of the tests. */
  readonly key?: string
  /** What a person presses on the terminal, such as `space` or `a`. */
  readonly keys?: ReadonlyArray<string>
  /** The width of the terminal. */
  readonly columns?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly onOutput?: (output: { readonly stdout: string; readonly stderr: string }) => void
}

const pressed = Effect.fnUntraced(function*(keys: ReadonlyArray<string>) {
  const presses = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
  yield* Queue.offerAll(
    presses,
    keys.map((name) => ({
      input: Option.some(name === "space" ? " " : name.length === 1 ? name : ""),
      key: { name, ctrl: false, meta: false, shift: false }
    }))
  )
  return presses
})

export const runOa = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: CliOptions = {}) {
  const output = { stdout: "", stderr: "" }
  const capture = (name: keyof typeof output) => () =>
    Sink.forEach((text: string | Uint8Array) =>
      Effect.sync(() => {
        output[name] += String(text)
        options.onOutput?.(output)
      })
    )
  const stdio = Stdio.layerTest({
    stdin: Stream.encodeText(Stream.make(options.stdin ?? "")),
    stdinIsTerminal: Effect.succeed(options.keys !== undefined),
    stdoutIsTerminal: Effect.succeed(options.terminal === true),
    stderrIsTerminal: Effect.succeed(options.terminal !== undefined && options.terminal !== false),
    stdout: capture("stdout"),
    stderr: capture("stderr")
  })
  const { errors, exit, logs } = yield* Effect.gen(function*() {
    const exit = yield* Effect.exit(reportUsageErrors(Command.runWith(oa, { version: "0.0.0" })(args)))
    return { exit, logs: yield* TestConsole.logLines, errors: yield* TestConsole.errorLines }
  }).pipe(
    Effect.updateService(
      Terminal.Terminal,
      (terminal) =>
        Object.assign(Object.create(terminal), {
          columns: Effect.succeed(options.columns ?? 0),
          ...options.keys === undefined ? {} : { readInput: pressed(options.keys), display: () => Effect.void }
        })
    ),
    Effect.provide([
      stdio,
      Layer.fresh(TestConsole.layer),
      Layer.provide(SettingsSource, ConfigProvider.layer(ConfigProvider.fromUnknown(options.settings ?? {})))
    ]),
    Effect.provide([NodeServices.layer, FetchHttpClient.layer])
  )
  let exitCode = 0
  Runtime.defaultTeardown(exit, (code) => exitCode = code)
  return {
    exitCode,
    stdout: output.stdout + logs.join("\n"),
    stderr: output.stderr + errors.join("\n")
  } satisfies RunResult
})

export const runOaOnServer = Effect.fnUntraced(
  function*(args: ReadonlyArray<string>, { key, settings, ...options }: CliOptions = {}) {
    const { adminToken, url } = yield* TestServer
    return yield* runOa(args, {
      ...options,
      settings: { OA_URL: url, ADMIN_TOKEN: adminToken, ...(key === undefined ? {} : { OA_KEY: key }), ...settings }
    })
  }
)
