import { Effect } from "effect"
import { Command } from "effect/cli"
import { adminApi, adminFlags } from "../../Cli/ApiClient.ts"
import { CommandFailed } from "../../Cli/ExitCode.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { print, printProgress, type Style } from "../../Cli/Output.ts"
import { type Column, table } from "../../Cli/Table.ts"
import type { UndecryptedCredentials } from "../../Domain/ReEncryption.ts"
import type { RotatedBatch } from "./Contract.ts"

type Rotated = Omit<RotatedBatch, "cursor">

const columns: ReadonlyArray<Column<UndecryptedCredentials>> = [
  { head: "connection", value: ({ connection_id }) => connection_id ?? "(none)" },
  { head: "key", value: ({ encryption_key_id }) => encryption_key_id },
  { head: "reason", value: ({ reason }) => reason, width: 100 }
]

const maxFailuresShown = 20

const summary = ({ failed, key_id, remaining, rotated }: Rotated) => (style: Style) => {
  const underOtherKeys = remaining - failed.length
  return [
    style.good(`${rotated} re-encrypted under key "${key_id}".`),
    ...(failed.length === 0 ? [] : [
      `\n${table(columns, failed.slice(0, maxFailuresShown), style)}\n`,
      ...(failed.length > maxFailuresShown
        ? [`… and ${failed.length - maxFailuresShown} more; --json lists them all.`]
        : []),
      style.bad(`${failed.length} could not be opened.`) +
      " Put their keys back into ENCRYPTION_KEYS, or reconnect these connections; then run this again."
    ]),
    ...(underOtherKeys <= 0 ? [] : [
      style.warn(`${underOtherKeys} were encrypted with another key meanwhile.`) +
      ` Give every instance ENCRYPTION_KEYS with "${key_id}" first; then run this again.`
    ]),
    ...(remaining === 0 ? ["No other key is in use: you can remove the others from ENCRYPTION_KEYS."] : [])
  ].join("\n")
}

const batchSize = 200

const rotateEncryption = Command.make(
  "rotate-encryption",
  {},
  Effect.fnUntraced(function*() {
    const api = yield* adminApi

    const pass = Effect.fnUntraced(function*(rotatedBefore: number) {
      let { cursor, ...result } = yield* api.encryption.rotate({ query: { limit: batchSize } })
      result = { ...result, rotated: rotatedBefore + result.rotated }
      while (cursor !== null) {
        yield* printProgress(`Re-encrypted ${result.rotated} of ${result.rotated + result.remaining} …`)
        const { cursor: next, ...batch } = yield* api.encryption.rotate({ query: { limit: batchSize, cursor } })
        cursor = next
        result = {
          ...batch,
          rotated: result.rotated + batch.rotated,
          failed: [...result.failed, ...batch.failed]
        }
      }
      return result
    })

    let result: Rotated = yield* pass(0)
    // Repeats until a pass re-encrypts nothing: other instances may store credentials at the same time.
    for (let rotatedBefore = 0; result.remaining > result.failed.length && result.rotated > rotatedBefore;) {
      rotatedBefore = result.rotated
      result = yield* pass(rotatedBefore)
    }
    yield* printProgress("")
    yield* print(result, summary(result))
    if (result.remaining > 0) return yield* new CommandFailed({ exit: "incomplete" })
  }, reportFailure)
).pipe(
  Command.withDescription("Re-encrypt the stored credentials with the first key of ENCRYPTION_KEYS, while calls go on"),
  Command.withExamples([
    {
      command: "echo \"k2:$(openssl rand -base64 32)\"",
      description: "1. Create a key and append it on every instance: ENCRYPTION_KEYS=k1:…,k2:…"
    },
    { command: "ENCRYPTION_KEYS=k2:…,k1:… oa serve", description: "2. On every instance, move it to the front" },
    { command: "oa keys rotate-encryption", description: "3. Can be interrupted and repeated" },
    { command: "ENCRYPTION_KEYS=k2:… oa serve", description: "4. Remove the old key" }
  ])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Encryption keys: they protect stored credentials"),
  Command.withSubcommands([rotateEncryption]),
  Command.withGlobalFlags(adminFlags)
)
