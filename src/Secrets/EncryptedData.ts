import { Context, Effect, Layer } from "effect"
import type { ReEncryption } from "../Domain/ReEncryption.ts"
import type { StoredSecrets } from "./StoredSecrets.ts"

interface OwnedData extends Omit<StoredSecrets, "reEncryption">, ReEncryption {}

/** Everything that the `Vault` encrypts, in the order in which a rotation re-encrypts it. */
export class EncryptedData extends Context.Service<EncryptedData, ReadonlyArray<OwnedData>>()(
  "openaccounts/Secrets/EncryptedData"
) {
  static readonly layer = <R>(secrets: ReadonlyArray<StoredSecrets<R>>) =>
    Layer.effect(
      EncryptedData,
      Effect.forEach(
        secrets,
        ({ reEncryption, ...owner }) => Effect.map(reEncryption, (data) => ({ ...owner, ...data }))
      )
    )
}
