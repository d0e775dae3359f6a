import { Config, Effect, Option, Stdio } from "effect"
import { Command } from "effect/cli"
import { spawn } from "node:child_process"
import { adminUrl, urlFlag } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { jsonFlag, print } from "../Output.ts"

const programs: Readonly<Record<string, readonly [program: string, ...args: ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"]
}

const isSet = (name: string) => Effect.map(Config.option(Config.NonEmptyString(name)), Option.isSome)

/** False in a script, over SSH and in a container, where no program could show a page. */
const canOpen = Effect.gen(function*() {
  const { stdoutIsTerminal } = yield* Stdio.Stdio
  if (!(yield* stdoutIsTerminal) || (yield* isSet("SSH_CONNECTION"))) return false
  return process.platform in programs || (yield* isSet("DISPLAY")) || (yield* isSet("WAYLAND_DISPLAY"))
})

const openInBrowser = (url: string) =>
  Effect.callback<boolean>((resume) => {
    const [program, ...args] = programs[process.platform] ?? ["xdg-open"]
    const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => {
      child.unref()
      resume(Effect.succeed(true))
    })
  })

export const open = Command.make(
  "open",
  {},
  Effect.fnUntraced(function*() {
    const url = `${yield* adminUrl}/dashboard`
    const opened = (yield* canOpen) && (yield* openInBrowser(url))
    yield* print({ url, opened }, () => url)
  }, reportFailure)
).pipe(
  Command.withDescription(
    "Open the dashboard in a browser and print its link; a link to sign in for the first time is in the server's output"
  ),
  Command.withGlobalFlags([urlFlag, jsonFlag])
)
