import { Data, Effect, Runtime } from "effect"
import { CliError } from "effect/cli"

/** The README of this folder explains the codes. */
export const ExitCode = {
  refused: 1,
  usage: 2,
  unreachable: 3,
  unauthenticated: 4,
  incomplete: 5
} as const
export type ExitCode = keyof typeof ExitCode

/** Sets the exit code. The reason has been printed already. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly exit: ExitCode }> {
  override readonly [Runtime.errorExitCode] = ExitCode[this.exit]
  override readonly [Runtime.errorReported] = false
}

export const exitOnUsageError = <A, E, R>(command: Effect.Effect<A, E | CliError.CliError, R>) =>
  Effect.mapError(command, (error) => isUsageError(error) ? new CommandFailed({ exit: "usage" }) : error)

const isUsageError = (error: unknown): boolean =>
  CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length > 0
