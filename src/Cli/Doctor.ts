import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { urlFlag } from "./ApiClient.ts"
import type { Check } from "./Doctor/Check.ts"
import { networkChecks } from "./Doctor/Network.ts"
import { settingsChecks } from "./Doctor/Settings.ts"
import { Ended } from "./ExitCode.ts"
import { reported } from "./Failure.ts"
import { asJson, print } from "./Output.ts"
import { type Column, table } from "./Table.ts"

const tones = { ok: "good", warning: "warn", problem: "bad", skipped: "dim" } as const

const columns: ReadonlyArray<Column<Check>> = [
  { head: "check", value: ({ check }) => check },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "detail", value: ({ detail }) => detail, width: 80 }
]

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fnUntraced(function*() {
    const checks = [...yield* settingsChecks, ...yield* networkChecks]
    yield* print({ checks }, (style) => table(columns, checks, style))
    if (checks.some(({ status }) => status === "problem")) return yield* new Ended({ exit: "incomplete" })
  }, reported)
).pipe(
  Command.withDescription(
    "Look for what is wrong with an installation: run it where the server runs, with the server's environment"
  ),
  Command.withExamples([
    { command: "oa doctor" },
    { command: "oa doctor --json | jq '.checks[] | select(.status == \"problem\")'" }
  ]),
  Command.withGlobalFlags([urlFlag, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
