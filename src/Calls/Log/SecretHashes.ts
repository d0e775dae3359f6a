import { Context, Effect, Layer } from "effect"
import { createHmac, type KeyObject } from "node:crypto"
import { minSecretCharacters, plainSecret } from "../../Secrets/Redaction/RemovedSecrets.ts"
import { makeSearchKeys } from "./Storage/SearchKeys.ts"

const hashBytes = 16

const hashWith = (key: KeyObject, secret: string): string =>
  createHmac("sha256", key).update(secret).digest().subarray(0, hashBytes).toString("base64url")

/** Keyed hashes of the secrets that redaction removed from a call. With them, a search by a secret finds the call. */
export class SecretHashes extends Context.Service<SecretHashes, {
  /** Separated by spaces. `null` for no secret. */
  readonly ofRemoved: (secrets: ReadonlyArray<string>) => string | null
  /** One hash for each key with which calls may have been stored. None for a secret that is too short. */
  readonly ofSearched: (text: string) => Effect.Effect<ReadonlyArray<string>>
}>()("openaccounts/Calls/Log/SecretHashes") {
  static readonly layer = Layer.effect(
    SecretHashes,
    Effect.map(makeSearchKeys, ({ own, readable }) =>
      SecretHashes.of({
        ofRemoved: (secrets) => secrets.length === 0 ? null : secrets.map((secret) => hashWith(own, secret)).join(" "),
        ofSearched: (text) => {
          const secret = plainSecret(text)
          return secret.length < minSecretCharacters
            ? Effect.succeed([])
            : Effect.map(readable, (keys) => keys.map((key) => hashWith(key, secret)))
        }
      }))
  )
}
