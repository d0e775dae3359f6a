import { Clock, DateTime, Effect, Option, type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { AuthType } from "../../Domain/Connection.ts"
import type { ClientId, ConnectionId } from "../../Domain/Ids.ts"
import type { Vault } from "../../Secrets/Vault.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { CredentialsOwner, decryptCredentials, encryptCredentials, OwnedCredentials } from "../BoundCredentials.ts"
import { parseStoredCredentials, refreshTokenHash } from "../Credentials.ts"

const owners = rowsOf(CredentialsOwner)
const ownedCredentials = rowsOf(OwnedCredentials)
const storedCredentials = rowsOf(
  Schema.Struct({ ...OwnedCredentials.fields, version: Schema.Int, signedInAs: Schema.NullOr(Schema.String) })
)

/** The columns of a connection that hold its credentials, and what they are encrypted for. */
export const makeCredentialColumns = (sql: SqlClient.SqlClient, vault: Vault["Service"]) => {
  const ownerColumns = sql`id, provider, client_id AS "clientId", auth_type AS "authType"`
  const ownedColumns = sql`${ownerColumns}, credentials AS bytes, encryption_key_id AS "encryptionKeyId"`

  /** The columns about the refresh token that are stored without encryption. */
  const tokenColumns = Effect.fnUntraced(function* tokenColumns(authType: AuthType, text: Redacted.Redacted) {
    const token_used_at = new Date(yield* Clock.currentTimeMillis)
    const credentials = authType === "oauth" ? yield* parseStoredCredentials(authType, text) : undefined
    if (credentials?.type !== "oauth") return { token_hash: null, refresh_expires_at: null, token_used_at }
    const { refresh_expires_at, refresh_token } = credentials.oauth
    return {
      token_hash: refreshTokenHash(refresh_token),
      refresh_expires_at: refresh_expires_at === undefined ? null : DateTime.toDateUtc(refresh_expires_at),
      token_used_at
    }
  })

  /** Locks the rows in a transaction. */
  const lockHeld = (which: Fragment) =>
    ownedCredentials.all(sql`
      SELECT ${ownedColumns} FROM connections WHERE ${which} AND credentials IS NOT NULL ORDER BY id FOR UPDATE`)

  return {
    tokenColumns,
    lockHeld,

    find: Effect.fnUntraced(function* find(id: ConnectionId) {
      const found = yield* storedCredentials.first(sql`
        SELECT ${ownedColumns}, version, signed_in_as AS "signedInAs" FROM connections WHERE id = ${id} AND credentials IS NOT NULL`)
      if (Option.isNone(found)) return Option.none()
      const { signedInAs, version, ...owned } = found.value
      const text = yield* decryptCredentials(vault, owned, owned)
      return Option.some({ version, signedInAs, credentials: yield* parseStoredCredentials(owned.authType, text) })
    }),

    /** Locks the row in a transaction: credentials are encrypted for the client that the connection has. */
    lockOwner: (id: ConnectionId) =>
      owners.first(sql`SELECT ${ownerColumns} FROM connections WHERE id = ${id} FOR UPDATE`),

    /** Assigns the columns, in an update of the row that `lockOwner` has locked. */
    replace: Effect.fnUntraced(function* replace(owner: CredentialsOwner, credentials: Redacted.Redacted) {
      const { bytes, encryptionKeyId } = encryptCredentials(vault, owner, credentials)
      const { refresh_expires_at, token_hash, token_used_at } = yield* tokenColumns(owner.authType, credentials)
      return sql`credentials = ${bytes}, encryption_key_id = ${encryptionKeyId}, version = version + 1,
        token_hash = ${token_hash}, refresh_expires_at = ${refresh_expires_at}, token_used_at = ${token_used_at},
        refreshing_until = NULL`
    }),

    /** Encrypts the credentials for another client: further assignments of an update in the same transaction. */
    moveTo: Effect.fnUntraced(function* moveTo(id: ConnectionId, clientId: ClientId | null) {
      const [held] = yield* lockHeld(sql`id = ${id}`)
      if (held === undefined) return sql``
      const text = yield* decryptCredentials(vault, held, held)
      const { bytes, encryptionKeyId } = encryptCredentials(vault, { ...held, clientId }, text)
      return sql`, credentials = ${bytes}, encryption_key_id = ${encryptionKeyId}`
    })
  }
}
