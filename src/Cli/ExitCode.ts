import { Data, Runtime } from "effect"

export const ExitCode = {
  refused: 1,
  usage: 2,
  unreachable: 3,
  unauthenticated: 4,
  incomplete: 5
} as const
export type ExitCode = keyof typeof ExitCode

export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly exit: ExitCode }> {
  override readonly [Runtime.errorExitCode] = ExitCode[this.exit]
  override readonly [Runtime.errorReported] = false
}
