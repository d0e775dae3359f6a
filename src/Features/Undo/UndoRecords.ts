import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { endUndo } from "../../Calls/Log/Storage/CallRows.ts"
import { holderOf, type Principal } from "../../Domain/Access/Principal.ts"
import { UnkeptReason } from "../../Domain/Calls/UndoReason.ts"
import { CallId, ConnectionId, MemberId } from "../../Domain/Ids.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { rowsOf, valuesOf } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"

const lock = advisoryLock("undoRecords", 7_226_940)

/** How long a write can be undone. */
export const undoRetention = Duration.hours(72)

/** The most bytes of all records of one member, as stored. */
export const UndoRoom = Context.Reference("openaccounts/Features/Undo/UndoRoom", { defaultValue: () => 268_435_456 })

/** Providers check what they kept. A check of each value of a large write would hold the event loop. */
const UndoData = Schema.declare((value): value is ReadonlyArray<Schema.Json> => Array.isArray(value))

const UndoContent = Schema.Struct({
  provider: Schema.String,
  target: Schema.String,
  resource: Schema.NullOr(Schema.String),
  connectionId: ConnectionId,
  kept: UndoData
})
export type UndoContent = typeof UndoContent.Type

export interface UndoRecord extends UndoContent {
  readonly callId: CallId
  readonly memberId: MemberId
  /** The key or grant that made the call. `null` for a session. */
  readonly holderId: string | null
  readonly undoneBy: CallId | null
  /** Why the call cannot be undone. `null` if it can. */
  readonly unkept: UnkeptReason | null
}

export const undoSecrets: StoredSecrets = {
  cursor: "und_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "undo_records", bytes: "content" })
}

/** The data that undoes a call, encrypted. */
export class UndoRecords extends Context.Service<UndoRecords, {
  /**
   * Returns until when the call can be undone, or `null` if it cannot be. Deletes the member's oldest records to make
   * room.
   */
  readonly keep: (
    callId: CallId,
    principal: Principal,
    content: Omit<UndoContent, "kept"> & { readonly kept: UndoContent["kept"] | UnkeptReason }
  ) => Effect.Effect<Date | null>
  readonly find: (callId: string) => Effect.Effect<Option.Option<UndoRecord>>
  /** Until when the call can be undone, if it still can be. */
  readonly until: (callId: CallId) => Effect.Effect<Option.Option<Date>>
  /** False if another call has undone the call, or is about to. */
  readonly claim: (callId: CallId, by: CallId) => Effect.Effect<boolean>
  /** Ends the claim after an undo that has written nothing. */
  readonly release: (callId: CallId, by: CallId) => Effect.Effect<void>
}>()("openaccounts/Features/Undo/UndoRecords") {
  static readonly layer = Layer.effect(
    UndoRecords,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const maxBytes = yield* UndoRoom

      yield* sweepTable({
        lock,
        what: "records for undo",
        table: "undo_records",
        isOld: (now) => sql`expires_at <= ${now}`
      })

      return UndoRecords.of({
        keep: Effect.fnUntraced(function* keep(callId, principal, { kept, ...content }) {
          const id = recordId(callId)
          const unkept = typeof kept === "string" ? kept : null
          const until = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(undoRetention))
          const stored = encode({ ...content, kept: typeof kept === "string" ? [] : kept })
          const { bytes, encryptionKeyId } = vault.encrypt(id, Redacted.make(stored))
          yield* sql`
            INSERT INTO undo_records (id, member_id, holder_id, expires_at, unkept, content, encryption_key_id)
            VALUES (${id}, ${principal.memberId}, ${holderOf(principal)}, ${until}, ${unkept}, ${bytes},
              ${encryptionKeyId})`
          if (unkept !== null) return null
          const gone = yield* dropped.all(sql`
            DELETE FROM undo_records WHERE id IN (
              SELECT id FROM (
                SELECT id, sum(octet_length(content)) OVER (ORDER BY id DESC) AS total FROM undo_records
                WHERE member_id = ${principal.memberId}
              ) AS newest WHERE total > ${maxBytes}
            ) RETURNING id`)
          yield* endUndo(sql, gone.map(callIdOf))
          return gone.includes(id) ? null : until
        }, Effect.orDie),

        find: Effect.fnUntraced(function* find(callId) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const found = yield* records.first(sql`
            SELECT id, member_id AS "memberId", holder_id AS "holderId", undone_by AS "undoneBy", unkept,
              content AS bytes, encryption_key_id AS "encryptionKeyId"
            FROM undo_records WHERE id = ${recordId(callId)} AND expires_at > ${now}`)
          if (Option.isNone(found)) return Option.none()
          const { holderId, id, memberId, undoneBy, unkept } = found.value
          const content = yield* decode(Redacted.value(yield* vault.decrypt(id, found.value)))
          return Option.some({ ...content, callId: CallId.make(callId), holderId, memberId, undoneBy, unkept })
        }, Effect.orDie),

        until: Effect.fnUntraced(function* until(callId) {
          const now = new Date(yield* Clock.currentTimeMillis)
          return yield* times.first(sql`
            SELECT expires_at FROM undo_records
            WHERE id = ${recordId(callId)} AND expires_at > ${now} AND undone_by IS NULL AND unkept IS NULL`)
        }, Effect.orDie),

        claim: (callId, by) =>
          Effect.orDie(Effect.map(
            sql`
              UPDATE undo_records SET undone_by = ${by} WHERE id = ${recordId(callId)} AND undone_by IS NULL
              RETURNING id`,
            ({ length }) => length === 1
          )),

        release: (callId, by) =>
          Effect.orDie(Effect.asVoid(
            sql`UPDATE undo_records SET undone_by = NULL WHERE id = ${recordId(callId)} AND undone_by = ${by}`
          ))
      })
    })
  )
}

/** Its prefix differs from that of the call, because a rotation of keys takes tables in the order of their ids. */
const recordId = (callId: string): string => callId.replace(/^call_/, "und_")

const callIdOf = (recordId: string): CallId => CallId.make(recordId.replace(/^und_/, "call_"))

const json = Schema.fromJsonString(UndoContent)
const encode = Schema.encodeSync(json)
const decode = Schema.decodeEffect(json)

const records = rowsOf(Schema.Struct({
  ...Encrypted.fields,
  id: Schema.String,
  memberId: MemberId,
  holderId: Schema.NullOr(Schema.String),
  undoneBy: Schema.NullOr(CallId),
  unkept: Schema.NullOr(UnkeptReason)
}))

const dropped = valuesOf(Schema.String)

const times = valuesOf(Schema.Date)
