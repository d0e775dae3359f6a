import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { RotatedBatch, Unopened } from "../Domain/ReEncryption.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { Ended } from "./ExitCode.ts"
import { reported } from "./Failure.ts"
import { asJson, print, progress, type Style } from "./Output.ts"
import { type Column, table } from "./Table.ts"

type Rotated = Omit<RotatedBatch, "cursor">

const columns: ReadonlyArray<Column<Unopened>> = [
  { head: "connection", value: ({ connection_id }) => connection_id ?? "(a sign-in under way)" },
  { head: "key", value: ({ encryption_key_id }) => encryption_key_id },
  { head: "reason", value: ({ reason }) => reason, width: 100 }
]

/** A forgotten key is told from a few rows; a thousand would push it off the screen. */
const mostShown = 20

const summary = ({ failed, key_id, remaining, rotated }: Rotated) => (style: Style) => {
  const sealedElsewhere = remaining - failed.length
  return [
    style.good(`${rotated} re-encrypted under key "${key_id}".`),
    ...(failed.length === 0 ? [] : [
      `\n${table(columns, failed.slice(0, mostShown), style)}\n`,
      ...(failed.length > mostShown ? [`… and ${failed.length - mostShown} more; --json lists them all.`] : []),
      style.bad(`${failed.length} could not be opened.`) +
      " Put their keys back into ENCRYPTION_KEYS, or reconnect these connections; then run this again."
    ]),
    ...(sealedElsewhere <= 0 ? [] : [
      style.warn(`${sealedElsewhere} were sealed under another key meanwhile.`) +
      ` Give every instance ENCRYPTION_KEYS with "${key_id}" first; then run this again.`
    ]),
    ...(remaining === 0 ? ["No other key is in use any more: it may leave ENCRYPTION_KEYS."] : [])
  ].join("\n")
}

/** Connections re-encrypted at a time. */
const limit = 200

const rotateEncryption = Command.make(
  "rotate-encryption",
  {},
  Effect.fnUntraced(function*() {
    const api = yield* asOperator

    const pass = Effect.fnUntraced(function*(before: number) {
      let { cursor, ...result } = yield* api.encryption.rotate({ query: { limit } })
      result = { ...result, rotated: before + result.rotated }
      while (cursor !== null) {
        yield* progress(`Re-encrypted ${result.rotated} of ${result.rotated + result.remaining} …`)
        const { cursor: next, ...batch } = yield* api.encryption.rotate({ query: { limit, cursor } })
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
    // What others stored meanwhile, as long as that does any good.
    for (let before = 0; result.remaining > result.failed.length && result.rotated > before;) {
      before = result.rotated
      result = yield* pass(before)
    }
    yield* progress("")
    yield* print(result, summary(result))
    if (result.remaining > 0) return yield* new Ended({ exit: "incomplete" })
  }, reported)
).pipe(
  Command.withDescription("Re-encrypt the stored credentials with the first key of ENCRYPTION_KEYS, while calls go on"),
  Command.withExamples([
    {
      command: "echo \"k2:$(openssl rand -base64 32)\"",
      description: "1. Make a key; put it behind the old one: k1:…,k2:…"
    },
    { command: "ENCRYPTION_KEYS=k2:…,k1:… oa serve", description: "2. Then, on every instance, before the old one" },
    { command: "oa keys rotate-encryption", description: "3. May be interrupted and repeated" },
    { command: "ENCRYPTION_KEYS=k2:… oa serve", description: "4. The old key may go" }
  ])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Encryption keys: what stored credentials are sealed with"),
  Command.withSubcommands([rotateEncryption]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
