import { type Effect, type Redacted, Schema } from "effect"
import { AuthType } from "../Domain/Connection.ts"
import { ClientId, ConnectionId } from "../Domain/Ids.ts"
import type { DecryptionFailed, Encrypted, Vault } from "../Secrets/Vault.ts"

export const CredentialsOwner = Schema.Struct({
  id: ConnectionId,
  provider: Schema.String,
  clientId: Schema.NullOr(ClientId),
  authType: AuthType
})
export type CredentialsOwner = typeof CredentialsOwner.Type

const additionalData = ({ authType, clientId, id, provider }: CredentialsOwner): string =>
  JSON.stringify(["connection", id, provider, clientId, authType])

export const encryptCredentials = (
  vault: Vault["Service"],
  owner: CredentialsOwner,
  credentials: Redacted.Redacted
): Encrypted => vault.encrypt(owner.id, credentials, additionalData(owner))

export const decryptCredentials = (
  vault: Vault["Service"],
  owner: CredentialsOwner,
  encrypted: Encrypted
): Effect.Effect<Redacted.Redacted, DecryptionFailed> => vault.decrypt(owner.id, encrypted, additionalData(owner))
