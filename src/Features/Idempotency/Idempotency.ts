import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hash } from "node:crypto"
import { IdempotencyInProgress, IdempotencyKeyReused, OutcomeUnknown } from "../../Api/Errors/WriteErrors.ts"
import { StoredResponse } from "../../Calls/CallResult.ts"
import { CallId, ConnectionId, type MemberId } from "../../Domain/Ids.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Vault } from "../../Secrets/Vault.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { DatabaseTime, later } from "../../Sql/Client/DatabaseTime.ts"
import { keepExtending, leaseDuration } from "../../Sql/Lease.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"

const lock = advisoryLock("idempotencyKeys", 7_226_918)

export interface KeyUse {
  readonly memberId: MemberId
  readonly key: string
  readonly bodyHash: Buffer
  readonly callId: CallId
}

/** A key is forgotten after this time, of the database's clock. */
const retention = Duration.hours(24)

const retryAfterSeconds = 1

export const idempotencySecrets: StoredSecrets = {
  cursor: "call_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "idempotency_keys", id: "call_id", bytes: "answer" })
}

export class Idempotency extends Context.Service<Idempotency, {
  /**
   * Claims the key for a call, which must then use `keepLease` and end with `keep`, `markUnknown` or `release`. Returns
   * the stored response of an earlier call with the same body.
   */
  readonly claim: (use: KeyUse) => Effect.Effect<Option.Option<StoredResponse>, KeyError>
  /** Extends the lease until it is interrupted. After the end of a lease, the outcome is unknown. */
  readonly keepLease: (use: KeyUse) => Effect.Effect<never>
  /** The response may be that of another call, which then counts as the first with the key. */
  readonly keep: (use: KeyUse, response: StoredResponse) => Effect.Effect<void>
  readonly markUnknown: (use: KeyUse) => Effect.Effect<void>
  readonly release: (use: KeyUse) => Effect.Effect<void>
}>()("openaccounts/Features/Idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const timeOf = yield* DatabaseTime
      const now = Effect.map(Clock.currentTimeMillis, (millis) => timeOf(sql, new Date(millis)))

      const isFree = (row: Fragment, now: Fragment) =>
        sql`${row}.kept_until <= ${now} AND coalesce(${row}.leased_until <= ${now}, true)`

      yield* sweepTable({
        lock,
        what: "idempotency keys",
        table: "idempotency_keys",
        isOld: (clock) => isFree(sql`idempotency_keys`, timeOf(sql, clock))
      })

      const insert = ({ bodyHash, callId, key, memberId }: KeyUse, now: Fragment) =>
        sql`
          INSERT INTO idempotency_keys AS used (member_id, key_hash, body_hash, call_id, leased_until, kept_until)
          VALUES (
            ${memberId}, ${hashOf(key)}, ${bodyHash}, ${callId}, ${later(sql, now, leaseDuration)},
            ${later(sql, now, retention)}
          )
          ON CONFLICT (member_id, key_hash) DO UPDATE SET
            body_hash = excluded.body_hash,
            call_id = excluded.call_id,
            leased_until = excluded.leased_until,
            kept_until = excluded.kept_until,
            http_status = NULL,
            retry_after = NULL,
            connection_id = NULL,
            answer = NULL,
            encryption_key_id = NULL
          WHERE ${isFree(sql`used`, now)}
          RETURNING call_id`

      const find = ({ bodyHash, key, memberId }: KeyUse, now: Fragment) =>
        keyUses.first(sql`
          SELECT call_id AS "callId", body_hash = ${bodyHash} AS "isSameBody",
            coalesce(leased_until > ${now}, false) AS "isLeased",
            http_status AS status, retry_after AS "retryAfter", connection_id AS "connectionId",
            encryption_key_id AS "encryptionKeyId",
            CASE WHEN body_hash = ${bodyHash} THEN answer END AS bytes
          FROM idempotency_keys WHERE member_id = ${memberId} AND key_hash = ${hashOf(key)}`)

      const decrypt = Effect.fnUntraced(
        function* decrypt(found: typeof Use.Type): Effect.fn.Return<StoredResponse, KeyError> {
          const { bytes, callId, connectionId, encryptionKeyId, status } = found
          const hasResponse = status !== null && bytes !== null && encryptionKeyId !== null
          const encrypted = yield* responseOf(found, hasResponse ? { bytes, encryptionKeyId, status } : undefined)
          const body = yield* vault.decrypt(callId, encrypted).pipe(
            Effect.catchTag("DecryptionFailed", (error) =>
              Effect.andThen(
                Effect.logError("The response to a repeated write is lost", error),
                Effect.fail(new OutcomeUnknown({ details: { call_id: callId } }))
              ))
          )
          const retryAfter = found.retryAfter ?? undefined
          return new StoredResponse({
            callId,
            status: encrypted.status,
            retryAfter,
            body: Redacted.value(body),
            connectionId
          })
        }
      )

      const tryClaim = Effect.fnUntraced(function* tryClaim(
        use: KeyUse
      ): Effect.fn.Return<Option.Option<Option.Option<StoredResponse>>, KeyError> {
        const time = yield* now
        const claimed = yield* Effect.orDie(insert(use, time))
        if (claimed.length === 1) return Option.some(Option.none())
        const found = yield* find(use, time)
        if (Option.isNone(found)) return Option.none()
        return Option.some(Option.some(yield* decrypt(found.value)))
      })

      const isOwn = ({ callId, key, memberId }: KeyUse) =>
        sql`member_id = ${memberId} AND key_hash = ${hashOf(key)} AND call_id = ${callId}`

      const release = (use: KeyUse) =>
        Effect.orDie(Effect.asVoid(sql`DELETE FROM idempotency_keys WHERE ${isOwn(use)}`))

      const extendLease = Effect.fnUntraced(function* extendLease(use: KeyUse) {
        const until = later(sql, yield* now, leaseDuration)
        yield* sql`
          UPDATE idempotency_keys SET leased_until = ${until} WHERE ${isOwn(use)} AND leased_until IS NOT NULL`
      })

      return Idempotency.of({
        claim: (use) =>
          tryClaim(use).pipe(
            Effect.repeat({ until: Option.isSome }),
            Effect.map(Option.getOrThrow),
            // The insert may have been committed despite the failure.
            Effect.tapDefect(() => Effect.ignoreCause(release(use)))
          ),
        keepLease: (use) => keepExtending(extendLease(use), `lease of ${use.callId} on its Idempotency-Key`),
        keep: Effect.fnUntraced(function* keep(use, { body, callId, connectionId, retryAfter, status }) {
          const { bytes, encryptionKeyId } = vault.encrypt(callId, Redacted.make(body))
          const until = later(sql, yield* now, retention)
          yield* sql`
            UPDATE idempotency_keys SET leased_until = NULL, kept_until = ${until}, call_id = ${callId},
              http_status = ${status}, retry_after = ${retryAfter ?? null}, connection_id = ${connectionId},
              answer = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE ${isOwn(use)}`
        }, Effect.orDie),
        markUnknown: Effect.fnUntraced(function* markUnknown(use) {
          const until = later(sql, yield* now, retention)
          yield* sql`UPDATE idempotency_keys SET leased_until = NULL, kept_until = ${until} WHERE ${isOwn(use)}`
        }, Effect.orDie),
        release
      })
    })
  )
}

type KeyError = IdempotencyInProgress | IdempotencyKeyReused | OutcomeUnknown

const responseOf = <A>(
  { callId, isLeased, isSameBody }: Pick<typeof Use.Type, "callId" | "isSameBody" | "isLeased">,
  response: A | undefined
): Effect.Effect<A, KeyError> => {
  if (!isSameBody) return Effect.fail(new IdempotencyKeyReused({ details: { call_id: callId } }))
  if (response !== undefined) return Effect.succeed(response)
  return Effect.fail(
    isLeased
      ? new IdempotencyInProgress({
        retryAfter: `${retryAfterSeconds}`,
        details: { retry_after_seconds: retryAfterSeconds }
      })
      : new OutcomeUnknown({ details: { call_id: callId } })
  )
}

const hashOf = (key: string): Buffer => hash("sha256", key, "buffer")

const Use = Schema.Struct({
  callId: CallId,
  isSameBody: Schema.Boolean,
  isLeased: Schema.Boolean,
  status: Schema.NullOr(Schema.Int),
  retryAfter: Schema.NullOr(Schema.String),
  connectionId: Schema.NullOr(ConnectionId),
  encryptionKeyId: Schema.NullOr(Schema.String),
  bytes: Schema.NullOr(Schema.Uint8Array)
})

const keyUses = rowsOf(Use)
