import { Config, Effect, Option, Redacted, Stdio } from "effect"
import { Prompt } from "effect/cli"
import { usageError } from "../../Failure.ts"

const ask = (message: string) =>
  Effect.mapError(Prompt.run(Prompt.Hidden({ message })), () => usageError("No passphrase was given"))

/** A new passphrase is asked for twice. */
export const passphrase = Effect.fnUntraced(function*(isNew: boolean) {
  const configured = yield* Config.option(Config.Redacted("OA_PASSPHRASE"))
  const given = Option.isSome(configured) ? configured.value : yield* Effect.gen(function*() {
    const stdio = yield* Stdio.Stdio
    if (!(yield* stdio.stdinIsTerminal) || !(yield* stdio.stdoutIsTerminal)) {
      return yield* usageError("Set OA_PASSPHRASE, or run this on a terminal, which asks for the passphrase")
    }
    const first = yield* ask("Passphrase of the backup")
    if (isNew && Redacted.value(first) !== Redacted.value(yield* ask("The same passphrase again"))) {
      return yield* usageError("The two passphrases differ")
    }
    return first
  })
  return Redacted.value(given) === "" ? yield* usageError("The passphrase is empty") : given
})
