import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { RateLimited } from "../../Api/Errors.ts"
import { Audit, ifMade } from "../../Audit/Audit.ts"
import { holderOf, type Principal, type SessionPrincipal } from "../../Domain/Access/Principal.ts"
import type { Change } from "../../Domain/Calls/Change.ts"
import { ApprovalId, CallId, type MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { CurrentActor, memberActor } from "../../Domain/Request/Actor.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { keepExtending, leaseDuration } from "../../Sql/Lease.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"
import { inTransaction } from "../../Sql/Transaction.ts"
import { makeApprovalContents } from "./ApprovalContents.ts"
import type { ApprovalStatus } from "./Declared.ts"
import { approvalTimeToLive } from "./Settings.ts"
import {
  approvalColumns,
  type ApprovalContent,
  ApprovalRow,
  type Asked,
  askedBy,
  errorCodeOf,
  hasStatus,
  type Question,
  type SentApproval,
  type Shown,
  type StoredApproval,
  summaryOf,
  type WriteResult
} from "./StoredApproval.ts"
import { hashCall } from "./StoredCall.ts"

const lock = advisoryLock("approvals", 7_226_941)

/** How long an equal call gets the result of an approval after its decision, and how long the write may be sent. */
export const resultLifetime = Duration.hours(1)

/** How long decided approvals are listed. */
const retention = Duration.days(7)

/** Writes that wait for a person, encrypted. */
export class Approvals extends Context.Service<Approvals, {
  /** The latest approval of an equal call, if it still counts. */
  readonly latest: (question: Question) => Effect.Effect<Option.Option<ApprovalRow>>
  /** None if an equal call has just made one. */
  readonly create: (question: Question, shown: Shown) => Effect.Effect<Option.Option<ApprovalRow>, RateLimited>
  /** False if another call has taken the result. */
  readonly takeResult: (id: ApprovalId) => Effect.Effect<boolean>
  readonly find: (principal: Principal, id: string) => Effect.Effect<Option.Option<ApprovalRow>>
  readonly open: (row: ApprovalRow) => Effect.Effect<StoredApproval>
  /** Newest first, without those that cannot be decrypted. */
  readonly list: (
    session: SessionPrincipal,
    status: ApprovalStatus | undefined,
    page: PageRequest
  ) => Effect.Effect<Page<StoredApproval>>
  /** `None` if the content was deleted to make room. So do `result` and `content`. */
  readonly asked: (approval: StoredApproval) => Effect.Effect<Option.Option<Asked>>
  readonly result: (approval: StoredApproval) => Effect.Effect<Option.Option<WriteResult>>
  readonly content: (approval: StoredApproval) => Effect.Effect<Option.Option<ApprovalContent>>
  /** Shows other changes while it is pending. False if it no longer is. */
  readonly restate: (approval: StoredApproval, changes: ReadonlyArray<Change>) => Effect.Effect<boolean>
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
  readonly finish: (approval: SentApproval, sentAs: CallId, result: WriteResult) => Effect.Effect<void>
}>()("openaccounts/Features/Approvals/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const ttl = yield* approvalTimeToLive
      const contents = yield* makeApprovalContents
      const transaction = inTransaction(sql)

      yield* sweepTable({
        lock,
        what: "approvals",
        table: "approvals",
        isOld: (now) => sql`created_at <= ${new Date(now.getTime() - Duration.toMillis(retention))}`
      })

      const columns = (now: Date) => approvalColumns(sql, now)

      const open = (row: ApprovalRow) => Effect.orDie(contents.open(row))

      const openIfMade = (found: Option.Option<ApprovalRow>) =>
        Option.isNone(found) ? Effect.succeedNone : Effect.asSome(open(found.value))

      const first = (which: (now: Date) => Fragment) =>
        Effect.gen(function*() {
          const now = new Date(yield* Clock.currentTimeMillis)
          return yield* rows.first(sql`SELECT ${columns(now)} FROM approvals WHERE ${which(now)}`)
        })

      const decide = Effect.fnUntraced(function* decide(
        id: ApprovalId,
        by: MemberId,
        status: "approved" | "denied",
        assignments: (now: Date) => Fragment
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* audit.change(
          Effect.flatMap(
            rows.first(sql`
              UPDATE approvals SET status = ${status}, decided_by = ${by}, decided_at = ${now} ${assignments(now)}
              WHERE id = ${id} AND status = 'pending' AND expires_at > ${now} RETURNING ${columns(now)}`),
            openIfMade
          ),
          ifMade((approval) => ({
            action: "approval.decided",
            subject: id,
            details: {
              status,
              provider: approval.provider,
              target: approval.target,
              connection_id: approval.connectionId,
              asked_by: askedBy(approval)
            },
            event: { type: "approval.decided", data: { approval: summaryOf(approval) } }
          }))
        ).pipe(Effect.provideService(CurrentActor, memberActor(by)))
      })

      return Approvals.of({
        latest: Effect.fnUntraced(function* latest({ call, principal }) {
          const found = yield* first(() =>
            sql`holder_id = ${holderOf(principal)} AND call_hash = ${hashCall(call)} ORDER BY id DESC LIMIT 1`
          )
          const now = yield* Clock.currentTimeMillis
          return Option.filter(
            found,
            ({ takenAt, decidedAt, status }) =>
              status === "pending" || status === "approved" ||
              decidedAt !== null && takenAt === null && now - decidedAt.getTime() < Duration.toMillis(resultLifetime)
          )
        }),

        create: Effect.fnUntraced(function* create({ call, principal, ...question }, { changes, subject, ...shown }) {
          const id = ApprovalId.make(yield* newId("apr"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const expiresAt = new Date(now.getTime() + Duration.toMillis(ttl))
          const { memberId } = principal
          const holder = holderOf(principal)
          const callHash = hashCall(call)
          const { head, part, sealedHead } = yield* contents.sealChanges(id, { ...question, ...shown }, changes)
          const sealed = [yield* contents.sealPart("asked", { call, subject }), part]
          const decidedAfter = new Date(now.getTime() - Duration.toMillis(resultLifetime))
          return yield* audit.change(
            Effect.gen(function*() {
              yield* Effect.orDie(sql`
                UPDATE approvals SET status = 'expired'
                WHERE holder_id = ${holder} AND call_hash = ${callHash} AND status = 'pending' AND expires_at <= ${now}`)
              const created = yield* rows.first(sql`
                INSERT INTO approvals (id, member_id, holder_id, call_hash, status, created_at, expires_at, content,
                  encryption_key_id)
                VALUES (${id}, ${memberId}, ${holder}, ${callHash}, 'pending', ${now}, ${expiresAt},
                  ${sealedHead.bytes}, ${sealedHead.encryptionKeyId})
                ON CONFLICT (holder_id, call_hash) WHERE status = 'pending' DO NOTHING RETURNING ${columns(now)}`)
              if (Option.isNone(created)) return created
              yield* contents.makeRoom({ memberId, holder, now, decidedAfter }, sealed)
              yield* Effect.forEach(sealed, (part) => contents.put(id, part), { discard: true })
              return created
            }),
            ifMade((row) => ({
              action: "approval.requested",
              subject: row.id,
              details: {
                provider: head.provider,
                target: head.target,
                connection_id: head.connectionId,
                asked_by: askedBy(row)
              },
              event: { type: "approval.requested", data: { approval: summaryOf({ ...row, ...head }) } }
            }))
          )
        }),

        takeResult: Effect.fnUntraced(function* takeResult(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const taken = yield* sql`
            UPDATE approvals SET answered_at = ${now} WHERE id = ${id} AND answered_at IS NULL RETURNING id`
          return taken.length === 1
        }, Effect.orDie),

        find: (principal, id) =>
          first(() => {
            if (principal.via !== "session") return sql`id = ${id} AND holder_id = ${holderOf(principal)}`
            return principal.role === "admin"
              ? sql`id = ${id}`
              : sql`id = ${id} AND member_id = ${principal.memberId}`
          }),

        open,

        list: Effect.fnUntraced(function* list({ memberId, role }, status, page) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const visible = role === "admin" ? sql`true` : sql`member_id = ${memberId}`
          const wanted = status === undefined ? sql`true` : hasStatus(sql, status, now)
          const { cursor, items } = yield* selectNewest(
            sql,
            page,
            (after, end) =>
              rows.all(sql`SELECT ${columns(now)} FROM approvals WHERE ${after} AND ${visible} AND ${wanted} ${end}`)
          )
          const opened = yield* Effect.forEach(items, (row) =>
            contents.open(row).pipe(
              Effect.tapError((error) => Effect.logError(`The approval ${row.id} cannot be read`, error)),
              Effect.option
            ))
          return { cursor, items: opened.flatMap(Option.toArray) }
        }),

        asked: contents.asked,
        result: contents.result,
        content: contents.content,

        restate: Effect.fnUntraced(function* restate(approval, changes) {
          const { id } = approval
          const { part, sealedHead: { bytes, encryptionKeyId } } = yield* contents.sealChanges(id, approval, changes)
          const now = new Date(yield* Clock.currentTimeMillis)
          return yield* transaction(Effect.gen(function*() {
            const restated = yield* Effect.orDie(sql`
              UPDATE approvals SET content = ${bytes}, encryption_key_id = ${encryptionKeyId}
              WHERE id = ${id} AND status = 'pending' AND expires_at > ${now} RETURNING id`)
            if (restated.length === 1) yield* contents.put(id, part)
            return restated.length === 1
          }))
        }),

        deny: (id, by) => decide(id, by, "denied", () => sql``),

        approve: Effect.fnUntraced(function* approve(id, by) {
          const callId = CallId.make(yield* newId("call"))
          const approved = yield* decide(
            id,
            by,
            "approved",
            (now) => sql`, call_id = ${callId}, sending_until = ${afterLease(now)}`
          )
          return Option.map(approved, (approval) => ({ ...approval, callId }))
        }),

        takeOver: Effect.fnUntraced(function* takeOver(id) {
          const which = id === undefined ? sql`true` : sql`id = ${id}`
          const callId = CallId.make(yield* newId("call"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const taken = yield* rows.first(sql`
            UPDATE approvals SET call_id = ${callId}, sending_until = ${afterLease(now)}
            WHERE id = (
              SELECT id FROM approvals
              WHERE status = 'approved' AND sending_until <= ${now} AND ${which}
              ORDER BY sending_until LIMIT 1 FOR UPDATE SKIP LOCKED
            ) RETURNING ${columns(now)}`)
          return Option.map(yield* openIfMade(taken), (approval) => ({ ...approval, callId }))
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

        finish: Effect.fnUntraced(function* finish({ callId, id }, sentAs, result) {
          const part = yield* contents.sealPart("answer", result)
          const code = errorCodeOf(result)
          yield* transaction(Effect.gen(function*() {
            const finished = yield* Effect.orDie(sql`
              UPDATE approvals SET status = 'done', call_id = ${sentAs}, sending_until = NULL, error_code = ${code}
              WHERE id = ${id} AND call_id = ${callId} AND status = 'approved' RETURNING id`)
            if (finished.length === 1) yield* contents.put(id, part)
          }))
        })
      })
    })
  )
}

const afterLease = (now: Date): Date => new Date(now.getTime() + Duration.toMillis(leaseDuration))

const rows = rowsOf(ApprovalRow)
