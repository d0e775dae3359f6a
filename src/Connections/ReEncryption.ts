import { Clock, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ConnectionId } from "../Domain/Ids.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch, Unopened } from "../Domain/ReEncryption.ts"
import { rowsOf, selectPage } from "../Sql/Rows.ts"
import { stateLifetime } from "./ConnectFlow.ts"
import { Sealed, Unsealable, Vault } from "./Vault.ts"

/** Brings what is stored under an older encryption key under the first one, while everything else goes on. */
export class ReEncryption extends Context.Service<ReEncryption, {
  /**
   * Re-encrypts one page of connections, newest first; the first page takes the sign-ins that have begun along. What
   * does not open is reported and left as it is.
   */
  readonly rotate: (page: PageRequest) => Effect.Effect<RotatedBatch>
}>()("openaccounts/Connections/Rotation") {
  static readonly layer = Layer.effect(
    ReEncryption,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const isOld = sql`encryption_key_id <> ${vault.keyId}`

      /** 1, or 0 when the row has changed since it was read: then `write` changes nothing. */
      const reseal = (
        sealed: Sealed,
        { connectionId, id }: { readonly id: string; readonly connectionId: ConnectionId | null },
        write: (sealed: Sealed) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
      ) =>
        vault.open(id, sealed).pipe(
          Effect.catchDefect((defect) => defect instanceof Unsealable ? Effect.fail(defect) : Effect.die(defect)),
          Effect.flatMap((text) => Effect.orDie(write(vault.seal(id, text)))),
          Effect.map((written) => written.length),
          Effect.mapError(({ message }): Unopened => ({
            connection_id: connectionId,
            encryption_key_id: sealed.encryptionKeyId,
            reason: message
          })),
          Effect.result
        )

      const connection = ({ id, version, ...old }: typeof ConnectionRow.Type) =>
        reseal(old, { id, connectionId: id }, ({ bytes, encryptionKeyId }) =>
          // The version stays: the row says the same as before, and a refresh that is under way must find it.
          sql`UPDATE connections SET credentials = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE id = ${id} AND version = ${version} AND encryption_key_id = ${old.encryptionKeyId} RETURNING id`)

      const signIn = ({ provider, stateHash, ...old }: typeof SignInRow.Type) =>
        reseal(
          old,
          { id: provider, connectionId: null },
          ({ bytes, encryptionKeyId }) =>
            sql`UPDATE authorizations SET code_verifier = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE state_hash = ${stateHash} AND encryption_key_id = ${old.encryptionKeyId} RETURNING provider`
        )

      const oldSignIns = Effect.gen(function*() {
        const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(stateLifetime))
        yield* sql`DELETE FROM authorizations WHERE created_at < ${since}`
        return yield* signIns.all(sql`
          SELECT state_hash AS "stateHash", provider, code_verifier AS bytes, encryption_key_id AS "encryptionKeyId"
          FROM authorizations WHERE ${isOld} LIMIT ${mostSignIns}`)
      }).pipe(Effect.orDie)

      const oldConnections = ({ cursor, limit }: PageRequest) =>
        selectPage(
          limit,
          (count) =>
            connections.all(
              sql`SELECT id, version, credentials AS bytes, encryption_key_id AS "encryptionKeyId" FROM connections
            WHERE ${isOld} AND credentials IS NOT NULL AND ${cursor === undefined ? sql`true` : sql`id < ${cursor}`}
            ORDER BY id DESC LIMIT ${count}`
            )
        )

      const remaining = Effect.map(
        counts.first(sql`
          SELECT ((SELECT count(*) FROM connections WHERE ${isOld} AND credentials IS NOT NULL) +
            (SELECT count(*) FROM authorizations WHERE ${isOld}))::int AS count`),
        Option.match({ onNone: () => 0, onSome: ({ count }) => count })
      )

      return ReEncryption.of({
        rotate: Effect.fn("Rotation.rotate")(function*(batch) {
          const { cursor, items } = yield* oldConnections(batch)
          const results = [
            ...(batch.cursor === undefined ? yield* Effect.forEach(yield* oldSignIns, signIn, { concurrency }) : []),
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

/** Statements that the database is given at a time. */
const concurrency = 8

/** More than anybody begins in the ten minutes that a sign-in lives. */
const mostSignIns = 1000

const ConnectionRow = Schema.Struct({ ...Sealed.fields, id: ConnectionId, version: Schema.Int })
const SignInRow = Schema.Struct({ ...Sealed.fields, stateHash: Schema.Uint8Array, provider: Schema.String })

const connections = rowsOf(ConnectionRow)
const signIns = rowsOf(SignInRow)
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))
