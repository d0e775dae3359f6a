import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { urlFlag } from "../../ApiClient.ts"
import { dataDirPath, demoSettings, isDemoRunning } from "../../DemoSettings.ts"
import { CommandFailed } from "../../ExitCode.ts"
import { reportFailure } from "../../Failure.ts"
import { jsonFlag, print } from "../../Output.ts"
import { type Column, table } from "../../Table.ts"
import type { Check } from "./Check.ts"
import { ok } from "./Check.ts"
import { networkChecks } from "./NetworkChecks.ts"
import { settingsChecks } from "./SettingsChecks.ts"

const tones = { ok: "good", warning: "warn", problem: "bad", skipped: "dim" } as const

const columns: ReadonlyArray<Column<Check>> = [
  { head: "check", value: ({ check }) => check },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "detail", value: ({ detail }) => detail, width: 80 }
]

const settingsOf = Effect.zipWith(settingsChecks, networkChecks, (settings, network) => [...settings, ...network])

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
  Command.withGlobalFlags([urlFlag, jsonFlag]),
  Command.provide(NodeHttpClient.layerUndici)
)
