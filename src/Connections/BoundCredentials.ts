import { type Effect, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { AuthType } from "../Domain/Connection.ts"
import { ClientId, ConnectionId } from "../Domain/Ids.ts"
import type { EncryptedTable } from "../Secrets/ReEncryptRows.ts"
import { type DecryptionFailed, Encrypted, type Vault } from "../Secrets/Vault.ts"
import { rowsOf } from "../Sql/Rows.ts"

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

export const OwnedCredentials = Schema.Struct({ ...Encrypted.fields, ...CredentialsOwner.fields })

const ownedCredentials = rowsOf(OwnedCredentials)

export const encryptedConnections = (
  sql: SqlClient.SqlClient,
  vault: Vault["Service"]
): EncryptedTable<typeof OwnedCredentials.Type> => ({
  table: "connections",
  id: sql`id`,
  bytes: "credentials",
  columns: sql`, provider, client_id AS "clientId", auth_type AS "authType"`,
  rows: ownedCredentials.all,
  decrypt: (row) => decryptCredentials(vault, row, row),
  encrypt: (row, text) => encryptCredentials(vault, row, text),
  connectionId: ({ id }) => id
})
