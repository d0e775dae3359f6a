import { Config, Effect, Option, Redacted, Stdio } from "effect"
import { Prompt } from "effect/cli"
import { randomBytes } from "node:crypto"
import { usageError } from "../../../Cli/Failure.ts"
import { printNote } from "../../../Cli/Output.ts"

/** The shortest passphrase in characters. A copied file can be tried without a limit. */
const minLength = 16

const generate = Effect.sync(() => randomBytes(24).toString("base64url"))

const ask = (message: string) =>
  Effect.mapError(Prompt.run(Prompt.Hidden({ message })), () => usageError("No passphrase was given"))

const requireTerminal = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stdinIsTerminal) || !(yield* stdio.stdoutIsTerminal)) {
    return yield* usageError("Set OA_PASSPHRASE, or run this on a terminal, which asks for the passphrase")
  }
})

const configured = Config.option(Config.Redacted("OA_PASSPHRASE"))

const requireLong = Effect.fnUntraced(function*(passphrase: Redacted.Redacted) {
  if (Array.from(Redacted.value(passphrase)).length >= minLength) return passphrase
  return yield* usageError(
    `A passphrase has at least ${minLength} characters. Take a new one, such as ${yield* generate}`
  )
})

/** Reads the passphrase of an existing file. */
export const passphrase = Effect.gen(function*() {
  const fromSettings = yield* configured
  if (Option.isSome(fromSettings)) return fromSettings.value
  yield* requireTerminal
  return yield* ask("Passphrase of the backup")
})

/** Asks for the passphrase of a new file twice, or generates one. */
export const newPassphrase = Effect.gen(function*() {
  const fromSettings = yield* configured
  if (Option.isSome(fromSettings)) return yield* requireLong(fromSettings.value)
  yield* requireTerminal
  const first = yield* ask(`Passphrase of at least ${minLength} characters. Leave it empty for a generated one`)
  if (Redacted.value(first) === "") {
    const made = yield* generate
    yield* printNote(`The passphrase is ${made}. It is shown this once. Keep it apart from the file`)
    return Redacted.make(made)
  }
  yield* requireLong(first)
  return Redacted.value(first) === Redacted.value(yield* ask("The same passphrase again"))
    ? first
    : yield* usageError("The two passphrases differ")
})
