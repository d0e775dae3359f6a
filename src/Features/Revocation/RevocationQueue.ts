import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, Option, Queue, type Redacted, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { ConnectionId, RevocationId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { Actor, CurrentActor } from "../../Domain/Request/Actor.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { type DecryptionFailed, Vault } from "../../Secrets/Vault.ts"
import { bulkInsert, runBulk } from "../../Sql/BulkStatement.ts"
import { rowsOf, valuesOf } from "../../Sql/Rows.ts"
import { afterCommit } from "../../Sql/Transaction.ts"
import { AtProvider, type Revocation, RevocationError, RevokedLine, Selector } from "./Revocation.ts"

/** Longer than an attempt, so that only the leases of a dead instance run out. */
const leaseDuration = Duration.seconds(30)

export interface NewLine {
  readonly connectionId: ConnectionId
  readonly provider: string
  /** JSON text of OAuth credentials; `null` if the provider is not asked. */
  readonly credentials: Redacted.Redacted | null
  readonly announced: boolean
  readonly atProvider: AtProvider | null
  readonly error: RevocationError | null
  readonly sharedWith: ReadonlyArray<ConnectionId>
}

const ClaimedRow = Schema.Struct({
  id: Schema.String,
  connectionId: ConnectionId,
  provider: Schema.String,
  bytes: Schema.NullOr(Schema.Uint8Array),
  encryptionKeyId: Schema.NullOr(Schema.String),
  announced: Schema.Boolean,
  atProvider: Schema.NullOr(AtProvider),
  error: Schema.NullOr(RevocationError),
  attempts: Schema.Int,
  actor: Actor,
  address: Schema.NullOr(Schema.String)
})

/** A connection that this instance works on. */
export interface ClaimedLine extends Omit<typeof ClaimedRow.Type, "bytes" | "encryptionKeyId"> {
  readonly credentials: Effect.Effect<Redacted.Redacted, DecryptionFailed> | null
}

export interface Outcome extends Pick<RevokedLine, "at_provider" | "verified" | "error"> {
  /** The connections that have the token now. `undefined` keeps the stored ones. */
  readonly sharedWith?: ReadonlyArray<ConnectionId>
  /** When the credentials are deleted, in epoch milliseconds, or `null` if nothing is left. */
  readonly retryAt: number | null
}

export class RevocationQueue extends Context.Service<RevocationQueue, {
  /** Records `CurrentActor` as the maker. */
  readonly create: (revocation: {
    readonly selector: Selector
    readonly keysRevoked: number | null
    readonly lines: ReadonlyArray<NewLine>
  }) => Effect.Effect<RevocationId>
  readonly find: (id: string) => Effect.Effect<Option.Option<Revocation>>
  /** Claims up to `limit` connections that are due for 30 seconds. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedLine>>
  /** When the next connection is due, in epoch milliseconds. */
  readonly next: Effect.Effect<number | undefined>
  readonly setAnnounced: (line: ClaimedLine) => Effect.Effect<void>
  readonly save: (line: ClaimedLine, outcome: Outcome) => Effect.Effect<void>
  /** Ends a wait for `woken`, in this instance. */
  readonly wake: Effect.Effect<void>
  readonly woken: Effect.Effect<void>
}>()("openaccounts/Features/Revocation/RevocationQueue") {
  static readonly layer = Layer.effect(
    RevocationQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const signals = yield* Queue.sliding<void>(1)
      const wake = Effect.asVoid(Queue.offer(signals, undefined))
      const insertLines = runBulk(sql, bulkInsert(sql, "revocation_connections", lineColumns))

      return RevocationQueue.of({
        create: Effect.fn("RevocationQueue.create")(function*({ keysRevoked, lines, selector }) {
          const id = RevocationId.make(yield* newId("rev"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const { member_id, type } = yield* CurrentActor
          yield* sql`INSERT INTO revocations ${
            sql.insert({
              id,
              selector: PgTypes.jsonb(selector),
              keys_revoked: keysRevoked,
              actor_type: type,
              member_id,
              address: yield* CurrentAddress,
              created_at: now
            })
          }`
          const rows = yield* Effect.forEach(lines, (line) =>
            Effect.map(newId("rvc"), (lineId) => {
              const encrypted = line.credentials === null ? undefined : vault.encrypt(lineId, line.credentials)
              return {
                id: lineId,
                revocation_id: id,
                connection_id: line.connectionId,
                provider: line.provider,
                credentials: encrypted?.bytes ?? null,
                encryption_key_id: encrypted?.encryptionKeyId ?? null,
                announced: line.announced,
                at_provider: line.atProvider,
                error: line.error,
                token_shared_with: line.sharedWith.join(),
                due_at: now
              }
            }))
          if (rows.length > 0) yield* insertLines(rows)
          yield* afterCommit(wake)
          return id
        }, Effect.orDie),

        find: Effect.fn("RevocationQueue.find")(function*(id) {
          const found = yield* revocations.first(sql`
            SELECT id, selector, keys_revoked, created_at FROM revocations WHERE id = ${id}`)
          if (Option.isNone(found)) return Option.none()
          const lines = yield* storedLines.all(sql`
            SELECT connection_id AS id, at_provider, verified, error,
              string_to_array(token_shared_with, ',') AS token_shared_with, due_at IS NOT NULL AS pending
            FROM revocation_connections WHERE revocation_id = ${id} ORDER BY connection_id`)
          const count = (has: (line: typeof lines[number]) => boolean) => lines.filter(has).length
          const pending = count((line) => line.pending)
          const revocation: Revocation = {
            ...found.value,
            status: pending === 0 ? "done" : "running",
            counts: {
              connections: lines.length,
              pending,
              revoked: count(({ at_provider }) => at_provider === "revoked"),
              failed: count(({ at_provider }) => at_provider === "failed"),
              unsupported: count(({ at_provider }) => at_provider === "unsupported"),
              verified: count(({ verified }) => verified === true)
            },
            connections: lines.map(Struct.omit(["pending"]))
          }
          return Option.some(revocation)
        }),

        claim: Effect.fnUntraced(function*(limit) {
          const millis = yield* Clock.currentTimeMillis
          const now = new Date(millis)
          const rows = yield* claimed.all(sql`
            UPDATE revocation_connections AS line SET attempts = attempts + 1,
              leased_until = ${new Date(millis + Duration.toMillis(leaseDuration))}
            FROM revocations
            WHERE revocations.id = revocation_id AND line.id IN (
              SELECT id FROM revocation_connections
              WHERE due_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})
              ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
            )
            RETURNING line.id, connection_id AS "connectionId", provider, credentials AS bytes,
              encryption_key_id AS "encryptionKeyId", announced, at_provider AS "atProvider", error, attempts,
              json_build_object('type', actor_type, 'member_id', member_id) AS actor, address`)
          return rows.map(({ bytes, encryptionKeyId, ...line }) => ({
            ...line,
            credentials: bytes === null || encryptionKeyId === null
              ? null
              : vault.decrypt(line.id, { bytes, encryptionKeyId })
          }))
        }),

        next: Effect.map(
          times.all(sql`
            SELECT min(greatest(due_at, leased_until)) FROM revocation_connections WHERE due_at IS NOT NULL`),
          ([at]) => at?.getTime()
        ),

        setAnnounced: ({ id }) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE revocation_connections SET announced = true WHERE id = ${id}`)),

        save: Effect.fnUntraced(function*({ attempts, id }, { at_provider, error, retryAt, sharedWith, verified }) {
          const kept = retryAt === null ? sql`, credentials = NULL, encryption_key_id = NULL` : sql``
          yield* sql`
            UPDATE revocation_connections SET at_provider = ${at_provider}, verified = ${verified}::boolean,
              error = ${error && encodeError(error)}::jsonb, leased_until = NULL,
              token_shared_with = coalesce(${sharedWith?.join() ?? null}, token_shared_with),
              due_at = ${retryAt === null ? null : new Date(retryAt)}::timestamptz ${kept}
            WHERE id = ${id} AND attempts = ${attempts}`
        }, Effect.orDie),

        wake,
        woken: Queue.take(signals)
      })
    })
  )
}

const lineColumns = {
  id: PgTypes.OID.text,
  revocation_id: PgTypes.OID.text,
  connection_id: PgTypes.OID.text,
  provider: PgTypes.OID.text,
  credentials: PgTypes.OID.bytea,
  encryption_key_id: PgTypes.OID.text,
  announced: PgTypes.OID.bool,
  at_provider: PgTypes.OID.text,
  error: PgTypes.OID.jsonb,
  token_shared_with: PgTypes.OID.text,
  due_at: PgTypes.OID.timestamptz
}

const encodeError = Schema.encodeSync(Schema.fromJsonString(RevocationError))
const revocations = rowsOf(Schema.Struct({
  id: RevocationId,
  selector: Selector,
  keys_revoked: Schema.NullOr(Schema.Int),
  created_at: Schema.Date
}))
const storedLines = rowsOf(Schema.Struct({ ...RevokedLine.fields, pending: Schema.Boolean }))
const claimed = rowsOf(ClaimedRow)
const times = valuesOf(Schema.NullOr(Schema.Date))

export const revocationSecrets: StoredSecrets = {
  cursor: "rvc_",
  lost: "other_data",
  reEncryption: reEncryptById({
    table: "revocation_connections",
    bytes: "credentials",
    connectionId: "connection_id"
  })
}
