import { type Effect, type Redacted, Schema } from "effect"
import { AuthType } from "../Domain/Connection.ts"
import { ClientId, ConnectionId } from "../Domain/Ids.ts"
import type { Encrypted, Vault } from "./Vault.ts"

export const CredentialsOwner = Schema.Struct({
  id: ConnectionId,
  provider: Schema.String,
  clientId: Schema.NullOr(ClientId),
  authType: AuthType
})
export type CredentialsOwner = typeof CredentialsOwner.Type

const additionalData = ({ authType, clientId, id, provider }: CredentialsOwner): string =>
  JSON.stringify(["connection", id, provider, clientId, authType])

/** Marks ciphertext that is bound to all fields of the owner. Earlier versions bound it to the id alone. */
export const boundPrefix = Buffer.from("oa-bound")

export const encryptCredentials = (
  vault: Vault["Service"],
  owner: CredentialsOwner,
  credentials: Redacted.Redacted
): Encrypted => {
  const { bytes, encryptionKeyId } = vault.encrypt(owner.id, credentials, additionalData(owner))
  return { bytes: Buffer.concat([boundPrefix, bytes]), encryptionKeyId }
}

export const decryptCredentials = (
  vault: Vault["Service"],
  owner: CredentialsOwner,
  { bytes, encryptionKeyId }: Encrypted
): Effect.Effect<Redacted.Redacted> =>
  boundPrefix.equals(bytes.subarray(0, boundPrefix.length))
    ? vault.decrypt(owner.id, { bytes: bytes.subarray(boundPrefix.length), encryptionKeyId }, additionalData(owner))
    : vault.decrypt(owner.id, { bytes, encryptionKeyId })
