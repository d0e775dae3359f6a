import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect, Runtime, Sink, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { commands } from "../../src/Cli/Commands.ts"
import { usageExit } from "../../src/Cli/ExitCode.ts"
import { TestServer } from "../support/TestServer.ts"

const oa = Command.make("oa").pipe(Command.withSubcommands(commands))

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string
  /** Whether standard output is a terminal. */
  readonly terminal?: boolean
  /** Instead of none at all. */
  readonly settings?: Readonly<Record<string, string>>
  /** Told what is on the screens so far, whenever something is printed. */
  readonly onOutput?: (screens: { readonly stdout: string; readonly stderr: string }) => void
}

/** `oa` with these arguments and nothing but these settings, in this process. */
export const oaWith = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: CliOptions = {}) {
  const screens = { stdout: "", stderr: "" }
  const screen = (name: keyof typeof screens) => () =>
    Sink.forEach((text: string | Uint8Array) =>
      Effect.sync(() => {
        screens[name] += String(text)
        options.onOutput?.(screens)
      })
    )
  const stdio = Stdio.layerTest({
    stdin: Stream.encodeText(Stream.make(options.stdin ?? "")),
    stdoutIsTerminal: Effect.succeed(options.terminal ?? false),
    stdout: screen("stdout"),
    stderr: screen("stderr")
  })
  const { errors, exit, logs } = yield* Effect.gen(function*() {
    const exit = yield* Effect.exit(usageExit(Command.runWith(oa, { version: "0.0.0" })(args)))
    return { exit, logs: yield* TestConsole.logLines, errors: yield* TestConsole.errorLines }
  }).pipe(
    Effect.provide([
      stdio,
      TestConsole.layer,
      ConfigProvider.layer(ConfigProvider.fromUnknown(options.settings ?? {}))
    ]),
    Effect.provide(NodeServices.layer)
  )
  let exitCode = 0
  Runtime.defaultTeardown(exit, (code) => exitCode = code)
  return {
    exitCode,
    stdout: screens.stdout + logs.join("\n"),
    stderr: screens.stderr + errors.join("\n")
  } satisfies Ran
})

/** Beside the server under test, as its operator and with a key. */
export const oaBeside = Effect.fnUntraced(
  function*(args: ReadonlyArray<string>, { key, settings, ...options }: CliOptions & { readonly key?: string } = {}) {
    const { adminToken, url } = yield* TestServer
    return yield* oaWith(args, {
      ...options,
      settings: { OA_URL: url, ADMIN_TOKEN: adminToken, ...(key === undefined ? {} : { OA_KEY: key }), ...settings }
    })
  }
)
