import { type Config, Console, Effect, type Stdio, Terminal } from "effect"
import { CliError, CliOutput, type Command, type HelpDoc } from "effect/cli"
import { commands } from "./Commands.ts"
import { CommandFailed } from "./ExitCode.ts"
import { fitHelp } from "./HelpWidth.ts"
import { printError } from "./Output.ts"

const maxErrors = 2

export const reportUsageErrors = <A, E, R>(command: Effect.Effect<A, E | CliError.CliError, R>) =>
  Effect.gen(function*() {
    const console = yield* Console.Console
    const formatter = yield* CliOutput.Formatter
    const width = yield* (yield* Terminal.Terminal).columns
    let help: { readonly doc: HelpDoc.HelpDoc; readonly text: string } | undefined
    let isHeld = false
    const remembering: CliOutput.Formatter = {
      ...formatter,
      formatHelpDoc: (doc) => {
        const text = formatter.formatHelpDoc(doc)
        help = { doc, text: width > 0 ? fitHelp(text, width) : text }
        return help.text
      },
      formatErrors: () => ""
    }
    const holding: Console.Console = Object.assign(Object.create(console), {
      log: (...values: ReadonlyArray<unknown>) => {
        if (help !== undefined && values[0] === help.text) isHeld = true
        else console.log(...values)
      },
      error: (...values: ReadonlyArray<unknown>) => {
        if (values[0] !== "") console.error(...values)
      }
    })
    const release = Effect.sync(() => {
      if (isHeld) console.log(help?.text)
    })

    return yield* command.pipe(
      Effect.provideService(CliOutput.Formatter, remembering),
      Effect.provideService(Console.Console, holding),
      Effect.tap(release),
      Effect.catch((
        error: E | CliError.CliError
      ): Effect.Effect<never, E | CliError.CliError | CommandFailed | Config.ConfigError, Stdio.Stdio> => {
        if (!isShowHelp(error)) return Effect.fail(error)
        if (error.errors.length === 0) return Effect.andThen(release, Effect.fail(error))
        return Effect.andThen(
          printUsageErrors(error.errors, help?.doc.usage ?? "oa <subcommand>"),
          Effect.fail(new CommandFailed({ exit: "usage" }))
        )
      })
    )
  })

const isShowHelp = (error: unknown): error is CliError.ShowHelp =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

const printUsageErrors = (errors: CliError.ShowHelp["errors"], usage: string) =>
  printError(({ bad, dim }) =>
    [
      ...errors.slice(0, maxErrors).map((error) => `${bad("Error:")} ${messageOf(error)}`),
      ...(errors.length > maxErrors ? [`… and ${errors.length - maxErrors} more`] : []),
      `${dim("Usage:")} ${usage}`,
      `${dim("Help: ")} ${(/^[^<[]+/.exec(usage)?.[0] ?? "oa").trim()} --help`
    ].join("\n")
  )

const messageOf = (error: CliError.ShowHelp["errors"][number]): string => {
  const message = error.message.replaceAll(/\n{2,}/g, "\n").replace("Expected: Schema validation failed: ", "")
  if (error._tag !== "UnknownSubcommand" || error.suggestions.length > 0) return message
  const parent = (error.parent ?? ["oa"]).join(" ")
  if (isId(error.subcommand) && pathsOf("show").includes(`${parent} show`)) {
    return `${message}. Did you mean \`${parent} show ${error.subcommand}\`?`
  }
  // Below a command, the same verb of another one is about something else.
  const elsewhere = parent === "oa" ? pathsOf(error.subcommand) : []
  return elsewhere.length === 0 ? message : `${message}. Did you mean \`${elsewhere.join("` or `")}\`?`
}

const isId = (text: string): boolean => /^[a-z]{3,4}_/.test(text)

const pathsOf = (name: string): ReadonlyArray<string> => {
  const below = (parent: Command.Command.Any, path: string): ReadonlyArray<string> =>
    parent.subcommands.flatMap(({ commands }) =>
      commands.flatMap((command) => {
        const own = `${path} ${command.name}`
        return [...(command.name === name ? [own] : []), ...below(command, own)]
      })
    )
  return commands.flatMap(({ commands }) => commands.flatMap((command) => below(command, `oa ${command.name}`)))
}
