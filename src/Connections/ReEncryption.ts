import { Clock, Context, Duration, Effect, Layer, Option, type Redacted, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionId } from "../Domain/Ids.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch, UndecryptedCredentials } from "../Domain/ReEncryption.ts"
import { rowsOf, selectPage } from "../Sql/Rows.ts"
import { CredentialsOwner, decryptCredentials, encryptCredentials } from "./BoundCredentials.ts"
import { stateLifetime } from "./ConnectFlow.ts"
import { pendingData, pendingLifetime } from "./PendingConnections.ts"
import { type DecryptionFailed, Encrypted, Vault } from "./Vault.ts"

export class ReEncryption extends Context.Service<ReEncryption, {
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
  readonly remaining: Effect.Effect<number>
}>()("openaccounts/Connections/ReEncryption") {
  static readonly layer = Layer.effect(
    ReEncryption,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const isOutdated = sql`encryption_key_id <> ${vault.keyId}`

      const isOutdatedConnection = sql`credentials IS NOT NULL AND ${isOutdated}`

      const connection = ({ bytes, encryptionKeyId, version, ...owner }: typeof ConnectionRow.Type) => {
        const old = { bytes, encryptionKeyId }
        return reEncrypt(
          old,
          {
            connectionId: owner.id,
            decrypted: decryptCredentials(vault, owner, old),
            encrypt: (text) => encryptCredentials(vault, owner, text)
          },
          // Keeps the version, so that a refresh in progress can save its tokens.
          (encrypted) =>
            sql`UPDATE connections SET credentials = ${encrypted.bytes}, encryption_key_id = ${encrypted.encryptionKeyId}
            WHERE id = ${owner.id} AND version = ${version} AND encryption_key_id = ${encryptionKeyId} RETURNING id`
        )
      }

      const signIn = ({ provider, stateHash, ...old }: typeof SignInRow.Type) =>
        reEncrypt(
          old,
          {
            connectionId: null,
            decrypted: vault.decrypt(provider, old),
            encrypt: (text) => vault.encrypt(provider, text)
          },
          ({ bytes, encryptionKeyId }) =>
            sql`UPDATE authorizations SET code_verifier = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE state_hash = ${stateHash} AND encryption_key_id = ${old.encryptionKeyId} RETURNING provider`
        )

      const pending = ({ id, linkId, provider, ...old }: typeof PendingRow.Type) => {
        const data = pendingData({ id, linkId, provider })
        return reEncrypt(
          old,
          {
            connectionId: null,
            decrypted: vault.decrypt(id, old, data),
            encrypt: (text) => vault.encrypt(id, text, data)
          },
          ({ bytes, encryptionKeyId }) =>
            sql`UPDATE pending_connections SET credentials = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE id = ${id} AND encryption_key_id = ${old.encryptionKeyId} RETURNING id`
        )
      }

      const outdatedPendings = Effect.gen(function*() {
        const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(pendingLifetime))
        yield* sql`DELETE FROM pending_connections WHERE created_at < ${since}`
        return yield* pendings.all(sql`
          SELECT id, link_id AS "linkId", provider, credentials AS bytes, encryption_key_id AS "encryptionKeyId"
          FROM pending_connections WHERE ${isOutdated} LIMIT ${maxSignIns}`)
      }).pipe(Effect.orDie)

      const outdatedSignIns = Effect.gen(function*() {
        const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(stateLifetime))
        yield* sql`DELETE FROM authorizations WHERE created_at < ${since}`
        return yield* signIns.all(sql`
          SELECT state_hash AS "stateHash", provider, code_verifier AS bytes, encryption_key_id AS "encryptionKeyId"
          FROM authorizations WHERE ${isOutdated} LIMIT ${maxSignIns}`)
      }).pipe(Effect.orDie)

      const outdatedConnections = ({ cursor, limit }: PageRequest) =>
        selectPage(
          limit,
          (count) =>
            connections.all(
              sql`SELECT id, provider, client_id AS "clientId", auth_type AS "authType", version, credentials AS bytes,
              encryption_key_id AS "encryptionKeyId" FROM connections
            WHERE ${isOutdatedConnection} AND ${cursor === undefined ? sql`true` : sql`id < ${cursor}`}
            ORDER BY id DESC LIMIT ${count}`
            )
        )

      const remaining = Effect.map(
        counts.first(sql`
          SELECT ((SELECT count(*) FROM connections WHERE ${isOutdatedConnection}) +
            (SELECT count(*) FROM authorizations WHERE ${isOutdated}) +
            (SELECT count(*) FROM pending_connections WHERE ${isOutdated}))::int AS count`),
        Option.match({ onNone: () => 0, onSome: ({ count }) => count })
      )

      return ReEncryption.of({
        remaining,
        rotate: Effect.fn("ReEncryption.rotate")(function*(batch) {
          const { cursor, items } = yield* outdatedConnections(batch)
          const results = [
            ...(batch.cursor === undefined
              ? [
                ...yield* Effect.forEach(yield* outdatedSignIns, signIn, { concurrency }),
                ...yield* Effect.forEach(yield* outdatedPendings, pending, { concurrency })
              ]
              : []),
            ...(yield* Effect.forEach(items, connection, { concurrency }))
          ]
          return {
            key_id: vault.keyId,
            rotated: results.filter(Result.isSuccess).reduce((sum, { success }) => sum + success, 0),
            remaining: yield* remaining,
            failed: results.filter(Result.isFailure).map(({ failure }) => failure),
            cursor
          }
        })
      })
    })
  )
}

/** Fails with the reason if the ciphertext cannot be decrypted. `write` returns the rows that it has written. */
export const reEncrypt = (
  encrypted: Encrypted,
  { connectionId, decrypted, encrypt }: {
    readonly connectionId: ConnectionId | null
    readonly decrypted: Effect.Effect<Redacted.Redacted, DecryptionFailed>
    readonly encrypt: (text: Redacted.Redacted) => Encrypted
  },
  write: (encrypted: Encrypted) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
) =>
  decrypted.pipe(
    Effect.flatMap((text) => Effect.orDie(write(encrypt(text)))),
    Effect.map((written) => written.length),
    Effect.mapError(({ message }): UndecryptedCredentials => ({
      connection_id: connectionId,
      encryption_key_id: encrypted.encryptionKeyId,
      reason: message
    })),
    Effect.result
  )

const concurrency = 8

/** Far more than are pending at once: a sign-in expires after ten minutes. */
const maxSignIns = 1000

const ConnectionRow = Schema.Struct({ ...Encrypted.fields, ...CredentialsOwner.fields, version: Schema.Int })
const SignInRow = Schema.Struct({ ...Encrypted.fields, stateHash: Schema.Uint8Array, provider: Schema.String })

const PendingRow = Schema.Struct({
  ...Encrypted.fields,
  id: Schema.String,
  linkId: Schema.String,
  provider: Schema.String
})

const connections = rowsOf(ConnectionRow)
const signIns = rowsOf(SignInRow)
const pendings = rowsOf(PendingRow)
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))
