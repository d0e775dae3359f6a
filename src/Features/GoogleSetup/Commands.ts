import { Effect } from "effect"
import { Command } from "effect/cli"
import { adminApi, adminFlags } from "../../Cli/ApiClient.ts"
import { CommandFailed } from "../../Cli/ExitCode.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { print, sanitize, type Style } from "../../Cli/Output.ts"
import type { GoogleCheck } from "./Contract.ts"
import { setupSteps } from "./Steps.ts"

const toneOf = { ok: "good", wrong: "bad", unknown: "dim", todo: "warn" } as const

const lines = ({ fix, found, id, status, url }: GoogleCheck, style: Style): ReadonlyArray<string> => [
  `${style[toneOf[status]](status.padEnd(7))}  ${style.bold(id)}${found === null ? "" : `: ${sanitize(found)}`}`,
  ...status === "unknown" ? [] : [fix, url].flatMap((text) => text === null ? [] : [`         ${sanitize(text)}`])
]

const askService = Effect.flatMap(adminApi, (api) => api.googleSetup.check())

const failIfWrong = (checks: ReadonlyArray<GoogleCheck>) =>
  checks.some(({ status }) => status === "wrong") ? Effect.fail(new CommandFailed({ exit: "refused" })) : Effect.void

const check = Command.make(
  "check",
  {},
  Effect.fnUntraced(function*() {
    const { checks } = yield* askService
    yield* print({ checks }, (style) => checks.flatMap((each) => lines(each, style)).join("\n"))
    yield* failIfWrong(checks)
  }, reportFailure)
).pipe(
  Command.withDescription("Check the project at Google; the first line is the first thing to do"),
  Command.withExamples([{ command: "oa google check --json", description: "Fails when something is wrong" }])
)

const guide = Command.make(
  "google",
  {},
  Effect.fnUntraced(function*() {
    const { checks } = yield* askService
    const { providers } = yield* Effect.promise(() => import("../../Registrations.ts"))
    const steps = setupSteps(checks, providers)
    const wrong = checks.filter(({ status }) => status === "wrong")
    yield* print({ steps, checks }, (style) =>
      [
        ...wrong.flatMap((each) => lines(each, style)),
        ...steps.flatMap(({ done, text, title }, index) => [
          `${done ? style.good("done") : style.warn("to do")}  ${style.bold(`${index + 1}. ${title}`)}`,
          ...done ? [] : text.map((line) => `         ${sanitize(line)}`)
        ]),
        steps.every(({ done }) => done) && wrong.length === 0
          ? "Everything that can be seen from here is right."
          : "Run `oa google` again to go on."
      ].join("\n"))
  }, reportFailure)
)

export const google = guide.pipe(
  Command.withDescription("Set up the project at Google, step by step; run it again to go on where you stopped"),
  Command.withExamples([{ command: "oa google" }, { command: "oa google check", description: "Only check" }]),
  Command.withSubcommands([check]),
  Command.withGlobalFlags(adminFlags)
)
