import { Clock, Config, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Audit, ifMade } from "../../Audit/Audit.ts"
import type { Principal, SessionPrincipal } from "../../Domain/Access/Principal.ts"
import type { ApprovalStatus } from "../../Domain/Calls/Approval.ts"
import type { Change } from "../../Domain/Calls/Change.ts"
import { ApprovalId, CallId, type MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import type { ReEncryption } from "../../Domain/ReEncryption.ts"
import { DurationText } from "../../Domain/Validation/DurationText.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import { Vault } from "../../Secrets/Vault.ts"
import { keepExtending, leaseDuration } from "../../Sql/Lease.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"
import { holderOf } from "../Undo/UndoRecords.ts"
import {
  type Answer,
  ApprovalRow,
  Content,
  type SentApproval,
  type StoredApproval,
  summaryOf
} from "./StoredApproval.ts"
import { hashCall } from "./StoredCall.ts"

/** What asks: a key or a grant, and what it wants to write. */
export interface Question extends Pick<Content, "provider" | "target" | "connectionId" | "call"> {
  readonly principal: Principal
}

/** How long an equal call gets the answer of an approval after its decision, and how long the write may be sent. */
export const answerable = Duration.hours(1)

/** Decided approvals are listed for so long. */
const retention = Duration.days(7)

const timeToLive = Config.schema(DurationText, "APPROVAL_TTL").pipe(Config.withDefault(Duration.hours(1)))

/** Writes that wait for a person, encrypted. */
export class Approvals extends Context.Service<Approvals, {
  /** The latest approval of an equal call, if it still counts. */
  readonly latest: (question: Question) => Effect.Effect<Option.Option<StoredApproval>>
  /** None if an equal call has just made one. */
  readonly create: (
    question: Question,
    changes: ReadonlyArray<Change>
  ) => Effect.Effect<Option.Option<StoredApproval>>
  /** False if another call has got the answer. */
  readonly takeAnswer: (id: ApprovalId) => Effect.Effect<boolean>
  readonly find: (principal: Principal, id: string) => Effect.Effect<Option.Option<StoredApproval>>
  readonly list: (
    session: SessionPrincipal,
    status: ApprovalStatus | undefined,
    page: PageRequest
  ) => Effect.Effect<Page<StoredApproval>>
  readonly deny: (id: ApprovalId, by: MemberId) => Effect.Effect<Option.Option<StoredApproval>>
  /**
   * Approves a pending approval, whose write the caller must send: with `keepSending`, and `finish` at the end. None if
   * it is no longer pending.
   */
  readonly approve: (id: ApprovalId, by: MemberId) => Effect.Effect<Option.Option<SentApproval>>
  /** Takes over this or any approved write from an instance that has died. */
  readonly takeOver: (id?: ApprovalId) => Effect.Effect<Option.Option<SentApproval>>
  /** Extends the lease until it is interrupted. */
  readonly keepSending: (approval: SentApproval) => Effect.Effect<never>
  /** Does nothing if another instance has taken over. */
  readonly finish: (approval: SentApproval, sentAs: CallId, answer: Answer) => Effect.Effect<void>
  readonly reEncryption: ReEncryption
}>()("openaccounts/Calls/Approvals/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const audit = yield* Audit
      const ttl = yield* timeToLive

      yield* sweepTable({
        lock: "approvals",
        what: "approvals",
        table: "approvals",
        isOld: (now) => sql`created_at <= ${new Date(now.getTime() - Duration.toMillis(retention))}`
      })

      const columns = (now: Date) =>
        sql`id, member_id AS "memberId", holder_id AS "holderId",
          CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END AS status,
          decided_by AS "decidedBy", created_at AS "createdAt", expires_at AS "expiresAt", decided_at AS "decidedAt",
          answered_at AS "answeredAt", call_id AS "callId", content AS bytes, encryption_key_id AS "encryptionKeyId"`

      const open = Effect.fnUntraced(function*(row: typeof ApprovalRow.Type): Effect.fn.Return<StoredApproval> {
        const { bytes: _, encryptionKeyId: __, ...fields } = row
        const text = yield* Effect.orDie(vault.decrypt(row.id, row))
        return { ...fields, ...yield* Effect.orDie(decode(Redacted.value(text))) }
      })

      const seal = (id: ApprovalId, content: Content) => vault.encrypt(id, Redacted.make(encode(content)))

      const first = (which: (now: Date) => Fragment) =>
        Effect.gen(function*() {
          const now = new Date(yield* Clock.currentTimeMillis)
          const found = yield* rows.first(sql`SELECT ${columns(now)} FROM approvals WHERE ${which(now)}`)
          return Option.isNone(found) ? Option.none() : Option.some(yield* open(found.value))
        })

      const decide = Effect.fnUntraced(function*(
        id: ApprovalId,
        by: MemberId,
        status: "approved" | "denied",
        more: (now: Date) => Fragment
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* audit.change(
          Effect.gen(function*() {
            const decided = yield* rows.first(sql`
              UPDATE approvals SET status = ${status}, decided_by = ${by}, decided_at = ${now} ${more(now)}
              WHERE id = ${id} AND status = 'pending' AND expires_at > ${now} RETURNING ${columns(now)}`)
            return Option.isNone(decided) ? Option.none() : Option.some(yield* open(decided.value))
          }),
          ifMade((approval) => ({
            action: "approval.decided",
            subject: id,
            details: { status },
            event: { type: "approval.decided", data: { approval: summaryOf(approval) } }
          }))
        )
      })

      return Approvals.of({
        latest: Effect.fnUntraced(function*({ call, principal }) {
          const found = yield* first(() =>
            sql`holder_id = ${holderOf(principal)} AND call_hash = ${hashCall(call)} ORDER BY id DESC LIMIT 1`
          )
          const now = yield* Clock.currentTimeMillis
          return Option.filter(
            found,
            ({ answeredAt, decidedAt, status }) =>
              status === "pending" || status === "approved" ||
              decidedAt !== null && answeredAt === null && now - decidedAt.getTime() < Duration.toMillis(answerable)
          )
        }),

        create: Effect.fnUntraced(function*({ principal, ...question }, changes) {
          const id = ApprovalId.make(yield* newId("apr"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const expiresAt = new Date(now.getTime() + Duration.toMillis(ttl))
          const content = { ...question, changes, answer: null }
          const { bytes, encryptionKeyId } = seal(id, content)
          const holder = holderOf(principal)
          const callHash = hashCall(question.call)
          const created = yield* audit.change(
            Effect.andThen(
              Effect.orDie(sql`
                UPDATE approvals SET status = 'expired'
                WHERE holder_id = ${holder} AND call_hash = ${callHash} AND status = 'pending' AND expires_at <= ${now}`),
              rows.first(sql`
                INSERT INTO approvals (id, member_id, holder_id, call_hash, status, created_at, expires_at, content,
                  encryption_key_id)
                VALUES (${id}, ${principal.memberId}, ${holder}, ${callHash}, 'pending', ${now}, ${expiresAt}, ${bytes},
                  ${encryptionKeyId})
                ON CONFLICT (holder_id, call_hash) WHERE status = 'pending' DO NOTHING RETURNING ${columns(now)}`)
            ),
            ifMade((row) => ({
              action: "approval.requested",
              subject: row.id,
              details: { provider: content.provider, target: content.target, connection_id: content.connectionId },
              event: { type: "approval.requested", data: { approval: summaryOf({ ...row, ...content }) } }
            }))
          )
          return Option.map(created, (row) => ({ ...row, ...content }))
        }),

        takeAnswer: Effect.fnUntraced(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const taken = yield* sql`
            UPDATE approvals SET answered_at = ${now} WHERE id = ${id} AND answered_at IS NULL RETURNING id`
          return taken.length === 1
        }, Effect.orDie),

        find: (principal, id) =>
          first(() => {
            if (principal.via !== "session") return sql`id = ${id} AND holder_id = ${holderOf(principal)}`
            return principal.role === "admin" ? sql`id = ${id}` : sql`id = ${id} AND member_id = ${principal.memberId}`
          }),

        list: Effect.fnUntraced(function*({ memberId, role }, status, page) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const visible = role === "admin" ? sql`true` : sql`member_id = ${memberId}`
          const wanted = status === undefined
            ? sql`true`
            : status === "pending"
            ? sql`status = 'pending' AND expires_at > ${now}`
            : status === "expired"
            ? sql`(status = 'expired' OR status = 'pending' AND expires_at <= ${now})`
            : sql`status = ${status}`
          const { cursor, items } = yield* selectNewest(
            sql,
            page,
            (after, end) =>
              rows.all(sql`SELECT ${columns(now)} FROM approvals WHERE ${after} AND ${visible} AND ${wanted} ${end}`)
          )
          return { cursor, items: yield* Effect.forEach(items, open) }
        }),

        deny: (id, by) => decide(id, by, "denied", () => sql``),

        approve: Effect.fnUntraced(function*(id, by) {
          const callId = CallId.make(yield* newId("call"))
          const approved = yield* decide(
            id,
            by,
            "approved",
            (now) => sql`, call_id = ${callId}, sending_until = ${afterLease(now)}`
          )
          return Option.map(approved, (approval) => ({ ...approval, callId }))
        }),

        takeOver: Effect.fnUntraced(function*(id) {
          const callId = CallId.make(yield* newId("call"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const taken = yield* rows.first(sql`
            UPDATE approvals SET call_id = ${callId}, sending_until = ${afterLease(now)}
            WHERE id = (
              SELECT id FROM approvals
              WHERE status = 'approved' AND sending_until <= ${now} AND ${
            id === undefined ? sql`true` : sql`id = ${id}`
          }
              ORDER BY sending_until LIMIT 1 FOR UPDATE SKIP LOCKED
            ) RETURNING ${columns(now)}`)
          return Option.isNone(taken) ? Option.none() : Option.some({ ...yield* open(taken.value), callId })
        }),

        keepSending: ({ callId, id }) =>
          keepExtending(
            Effect.flatMap(
              Clock.currentTimeMillis,
              (now) =>
                sql`
                  UPDATE approvals SET sending_until = ${afterLease(new Date(now))}
                  WHERE id = ${id} AND call_id = ${callId} AND status = 'approved'`
            ),
            `lease on ${id}`
          ),

        finish: Effect.fnUntraced(function*(approval, sentAs, answer) {
          const { call, callId, changes, connectionId, id, provider, target } = approval
          const { bytes, encryptionKeyId } = seal(id, { call, changes, connectionId, provider, target, answer })
          yield* sql`
            UPDATE approvals SET status = 'done', call_id = ${sentAs}, sending_until = NULL, content = ${bytes},
              encryption_key_id = ${encryptionKeyId}
            WHERE id = ${id} AND call_id = ${callId} AND status = 'approved'`
        }, Effect.orDie),

        reEncryption: yield* reEncryptById({ table: "approvals", bytes: "content" })
      })
    })
  )
}

const afterLease = (now: Date): Date => new Date(now.getTime() + Duration.toMillis(leaseDuration))

const json = Schema.fromJsonString(Content)
const encode = Schema.encodeSync(json)
const decode = Schema.decodeEffect(json)
const rows = rowsOf(ApprovalRow)
