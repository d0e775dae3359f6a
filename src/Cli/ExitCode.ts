import { Data, Effect, Runtime } from "effect"
import { CliError } from "effect/cli"

/**
 * What the command ends with, for scripts to branch on.
 *
 * | code | meaning |
 * |---|---|
 * | 0 | done |
 * | 1 | the service answered with an error; its `code` and `call_id` are on standard error |
 * | 2 | the command was called wrongly, or a file or setting that it was given is wrong; nothing was sent |
 * | 3 | no service answers at the URL, or what answers is not this service |
 * | 4 | no credential at hand, or the service refuses it |
 * | 5 | done in part: some credentials could not be re-encrypted, or `doctor` found a problem |
 * | 130 | interrupted |
 */
export const ExitCode = {
  refused: 1,
  usage: 2,
  unreachable: 3,
  unauthenticated: 4,
  incomplete: 5
} as const
export type ExitCode = keyof typeof ExitCode

/** Ends a command whose reason has been printed already. */
export class Ended extends Data.TaggedError("Ended")<{ readonly exit: ExitCode }> {
  override readonly [Runtime.errorExitCode] = ExitCode[this.exit]
  override readonly [Runtime.errorReported] = false
}

/** Arguments that the parser refuses, after it has said why, end the command as `usage`. */
export const usageExit = <A, E, R>(command: Effect.Effect<A, E | CliError.CliError, R>) =>
  Effect.mapError(command, (error) => isMisuse(error) ? new Ended({ exit: "usage" }) : error)

const isMisuse = (error: unknown): boolean =>
  CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length > 0
