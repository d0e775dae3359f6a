import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Check } from "../../../Settings.ts"
import { adminFlags } from "../../ApiClient.ts"
import { dataDirPath, demoSettings, isDemoRunning } from "../../DemoSettings.ts"
import { CommandFailed } from "../../ExitCode.ts"
import { reportFailure } from "../../Failure.ts"
import { print } from "../../Output.ts"
import { type Column, table } from "../../Table.ts"
import { ok } from "./Check.ts"
import { askService, withProviderModeOf } from "./Running.ts"

const tones = { ok: "good", warning: "warn", problem: "bad", skipped: "dim" } as const

const columns: ReadonlyArray<Column<Check>> = [
  { head: "check", value: ({ check }) => check },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "detail", value: ({ detail }) => detail, width: 80 }
]

const settingsOf = Effect.gen(function*() {
  const { settingsChecks } = yield* Effect.promise(() => import("./SettingsChecks.ts"))
  const { networkChecks } = yield* Effect.promise(() => import("./NetworkChecks.ts"))
  const running = yield* askService
  const checks = Effect.all([settingsChecks, networkChecks(running)])
  return (yield* withProviderModeOf(running)(checks)).flat()
})

const allChecks = Effect.gen(function*() {
  if (!(yield* isDemoRunning)) return yield* settingsOf
  const folder = yield* dataDirPath
  const demo = { check: "demo", ...ok(`a demo runs on this machine, with its data in ${folder}; these are its checks`) }
  return [demo, ...yield* Effect.provide(settingsOf, demoSettings)]
})

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fnUntraced(function*() {
    const checks = yield* allChecks
    yield* print({ checks }, (style) => table(columns, checks, style))
    if (checks.some(({ status }) => status === "problem")) return yield* new CommandFailed({ exit: "incomplete" })
  }, reportFailure)
).pipe(
  Command.withDescription(
    "Check an installation; run it on the server's machine with the server's environment"
  ),
  Command.withExamples([
    { command: "oa doctor" },
    { command: "oa doctor --json | jq '.checks[] | select(.status == \"problem\")'" }
  ]),
  Command.withGlobalFlags(adminFlags)
)
