import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ReEncryption } from "../Domain/ReEncryption.ts"
import { FeatureSecrets, type StoredSecrets } from "./StoredSecrets.ts"
import type { Vault } from "./Vault.ts"

interface OwnedData extends Omit<StoredSecrets, "reEncryption">, ReEncryption {}

/** Everything that the `Vault` encrypts, in the order in which a rotation re-encrypts it. */
export class EncryptedData extends Context.Service<EncryptedData, ReadonlyArray<OwnedData>>()(
  "openaccounts/Secrets/EncryptedData"
) {
  /** Collects the encrypted data of the core and of features. */
  static readonly layer = <R>(core: ReadonlyArray<StoredSecrets<R | SqlClient | Vault>>) =>
    Layer.effect(
      EncryptedData,
      Effect.flatMap(FeatureSecrets, (features) =>
        Effect.forEach([...core, ...features], ({ reEncryption, ...owner }) =>
          Effect.map(reEncryption, (data) => ({ ...owner, ...data }))))
    )
}
