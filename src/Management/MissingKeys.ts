import { Context, Duration, Effect, Layer } from "effect"
import type { MissingKey, ReEncryption, UnreadableData } from "../Domain/ReEncryption.ts"
import { EncryptedData } from "../Secrets/EncryptedData.ts"
import type { StoredSecrets } from "../Secrets/StoredSecrets.ts"
import { Vault } from "../Secrets/Vault.ts"

const interval = Duration.hours(1)

/** Short, to notice soon that the keys are back or that the last connection was reconnected. */
const intervalWhileMissing = Duration.minutes(1)

/**
 * The encryption keys that stored data needs and the service does not have. Checked at the start, then hourly, and every
 * minute while a key is missing. Data that soon expires does not count, nor do cached responses.
 */
export class MissingKeys extends Context.Service<MissingKeys, {
  /** Result of the last check. */
  readonly current: Effect.Effect<ReadonlyArray<MissingKey>>
}>()("openaccounts/Management/MissingKeys") {
  static readonly layer = Layer.effect(
    MissingKeys,
    Effect.gen(function*() {
      const vault = yield* Vault
      const data = yield* EncryptedData
      const unreadable = unreadableWith(vault)
      const unreadableOf = (lost: StoredSecrets["lost"]) =>
        Effect.map(
          Effect.forEach(data.filter((each) => each.lost === lost), unreadable),
          (found) => found.flat()
        )
      const find = Effect.map(
        Effect.all([unreadableOf("connections"), unreadableOf("other_data")]),
        ([connections, others]) => missingKeys(connections, others)
      )

      let current: ReadonlyArray<MissingKey> = []
      const check = Effect.gen(function*() {
        const found = yield* find
        if (JSON.stringify(found) !== JSON.stringify(current)) yield* logChange(found, vault.source)
        current = found
      }).pipe(
        Effect.catchCause((cause) => Effect.logWarning("The encryption keys could not be checked", cause))
      )

      yield* check
      yield* Effect.suspend(() => Effect.sleep(current.length === 0 ? interval : intervalWhileMissing)).pipe(
        Effect.andThen(check),
        Effect.forever,
        Effect.forkScoped
      )
      return MissingKeys.of({ current: Effect.sync(() => current) })
    })
  )
}

const unreadableWith = ({ keyIds }: Vault["Service"]) => ({ remaining, unreadable }: ReEncryption) =>
  unreadable ??
    Effect.map(
      remaining,
      (counts) =>
        [...counts].flatMap(([key_id, count]): ReadonlyArray<UnreadableData> =>
          keyIds.has(key_id) ? [] : [{ key_id, reason: "not_configured", count }]
        )
    )

const countOf = (data: ReadonlyArray<UnreadableData>, keyId: string) =>
  data.reduce((sum, { count, key_id }) => key_id === keyId ? sum + count : sum, 0)

const missingKeys = (
  connections: ReadonlyArray<UnreadableData>,
  others: ReadonlyArray<UnreadableData>
): ReadonlyArray<MissingKey> => {
  const all = [...connections, ...others]
  return [...new Map(all.map(({ key_id, reason }) => [key_id, reason]))]
    .toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([key_id, reason]) => ({
      key_id,
      reason,
      connections: countOf(connections, key_id),
      other_data: countOf(others, key_id)
    }))
}

/** One line for each key, for the log and `oa doctor`. */
export const describeMissingKey = ({ connections, key_id, other_data, reason }: MissingKey): string =>
  `${
    reason === "not_configured"
      ? `The encryption key "${key_id}" is missing`
      : `The encryption key "${key_id}" has other bytes than the key that encrypted the data`
  }: ${connections} ${connections === 1 ? "connection needs" : "connections need"} it` +
  (other_data === 0 ? "" : `, and ${other_data} stored responses, results, webhooks, events and keys of the log`)

const logChange = (missing: ReadonlyArray<MissingKey>, source: string) =>
  missing.length === 0
    ? Effect.logInfo("Every encryption key that stored data needs is there again")
    : Effect.forEach(missing, (key) =>
      Effect.logError(
        `${describeMissingKey(key)}. The keys come from ${source}. Put the key back there and restart, or reconnect ` +
          "the connections. Until then, calls on them fail"
      ), { discard: true })
