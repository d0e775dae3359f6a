import { Clock, Context, Duration, Effect, Layer, type Option, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { MailDeliveryId, MemberId } from "../../../Domain/Ids.ts"
import { firstIdAt, idMillis, newId } from "../../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../../Domain/Page.ts"
import { advisoryLock } from "../../../Sql/AdvisoryLock.ts"
import { rowsOf, selectNewest } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"
import { afterCommit } from "../../../Sql/Transaction.ts"
import { pauseAfter, retryPeriod } from "../../Webhooks/RetryPause.ts"
import { MailDelivery } from "../Alerts.ts"
import type { MailRefused } from "./Mailer.ts"

const lock = advisoryLock("mailDeliveries")

/** How long sent mail is kept, and how long its links to stop mail work. */
const retention = Duration.days(90)

/** Longer than an attempt, so that only the claims of a dead instance run out. */
const claimDuration = Duration.seconds(60)

const DueMail = Schema.Struct({
  id: MailDeliveryId,
  memberId: MemberId,
  type: Schema.String,
  body: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  firstAttemptAt: Schema.Date
})
export type DueMail = typeof DueMail.Type

/** Mail to send and mail that was sent: the table `mail_deliveries`. */
export class MailQueue extends Context.Service<MailQueue, {
  /** `body` is that of an event. One mail for each member. */
  readonly add: (type: string, body: string | null, members: ReadonlyArray<MemberId>) => Effect.Effect<void>
  /** Claims up to `limit` that are due, for a minute. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<DueMail>>
  /** Called before an attempt. The hash is that of the token in the mail's link. */
  readonly begin: (mail: DueMail, email: string, stopHash: string) => Effect.Effect<void>
  readonly succeed: (mail: DueMail) => Effect.Effect<void>
  /** Returns whether it is sent again. */
  readonly fail: (mail: DueMail, failure: MailRefused) => Effect.Effect<boolean>
  /** Deletes mail that nobody wants any more. */
  readonly drop: (mail: DueMail) => Effect.Effect<void>
  readonly ofStopLink: (id: string, hash: string) => Effect.Effect<Option.Option<Pick<DueMail, "memberId" | "type">>>
  readonly list: (page: PageRequest) => Effect.Effect<Page<MailDelivery>>
  readonly deleteOf: (memberId: MemberId) => Effect.Effect<void>
  /** Waits until this instance commits a mail. For one reader. */
  readonly added: Effect.Effect<void>
  /** Ends a wait for `added`. */
  readonly wake: Effect.Effect<void>
}>()("openaccounts/Features/Alerts/Mail/MailQueue") {
  static readonly layer = Layer.effect(
    MailQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const signals = yield* Queue.sliding<void>(1)
      const wake = Effect.asVoid(Queue.offer(signals, undefined))
      const isOf = ({ attempts, id }: DueMail) => sql`id = ${id} AND status = 'pending' AND attempts = ${attempts}`

      yield* sweepTable({
        lock,
        what: "mail",
        table: "mail_deliveries",
        isOld: (now) =>
          sql`id < ${firstIdAt("mdl", now.getTime() - Duration.toMillis(retention))} AND status <> 'pending'`
      })

      return MailQueue.of({
        add: Effect.fn("MailQueue.add")(function*(type, body, members) {
          const now = new Date(yield* Clock.currentTimeMillis)
          for (const member_id of members) {
            const id = yield* newId("mdl")
            yield* sql`INSERT INTO mail_deliveries ${
              sql.insert({ id, member_id, type, body, status: "pending", next_attempt_at: now })
            }`
          }
          if (members.length > 0) yield* afterCommit(wake)
        }, Effect.orDie),

        claim: Effect.fnUntraced(function*(limit) {
          const millis = yield* Clock.currentTimeMillis
          const now = new Date(millis)
          return yield* due.all(sql`
            UPDATE mail_deliveries SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}),
              claimed_until = ${new Date(millis + Duration.toMillis(claimDuration))}
            WHERE id IN (
              SELECT id FROM mail_deliveries
              WHERE status = 'pending' AND next_attempt_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})
              ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
            )
            RETURNING id, member_id AS "memberId", type, body, attempts, first_attempt_at AS "firstAttemptAt"`)
        }),

        begin: (mail, email, stopHash) =>
          change(sql`
            UPDATE mail_deliveries SET email = ${email}, stop_hashes = array_append(stop_hashes, ${stopHash}::text)
            WHERE ${isOf(mail)}`),

        succeed: (mail) =>
          change(sql`
            UPDATE mail_deliveries SET status = 'delivered', error = NULL, next_attempt_at = NULL, claimed_until = NULL
            WHERE ${isOf(mail)}`),

        fail: Effect.fnUntraced(function*(mail, { isFinal, message }) {
          const next = (yield* Clock.currentTimeMillis) + (yield* pauseAfter(mail.attempts))
          const isRetried = !isFinal && next <= mail.firstAttemptAt.getTime() + Duration.toMillis(retryPeriod)
          yield* change(sql`
            UPDATE mail_deliveries SET status = ${isRetried ? "pending" : "failed"}, error = ${message},
              next_attempt_at = ${isRetried ? new Date(next) : null}::timestamptz, claimed_until = NULL
            WHERE ${isOf(mail)}`)
          return isRetried
        }),

        drop: (mail) => change(sql`DELETE FROM mail_deliveries WHERE ${isOf(mail)}`),

        ofStopLink: (id, hash) =>
          links.first(sql`
            SELECT member_id AS "memberId", type FROM mail_deliveries WHERE id = ${id} AND ${hash} = ANY(stop_hashes)`),

        list: (page) =>
          selectNewest(sql, page, (after, end) =>
            Effect.map(
              rows.all(sql`
                SELECT id, member_id, email, type, status, attempts, error, next_attempt_at FROM mail_deliveries
                WHERE ${after} ${end}`),
              (found) => found.map((row): MailDelivery => ({ ...row, at: new Date(idMillis(row.id)) }))
            )),

        deleteOf: (memberId) => change(sql`DELETE FROM mail_deliveries WHERE member_id = ${memberId}`),

        added: Queue.take(signals),

        wake
      })
    })
  )
}

const change = (statement: Effect.Effect<unknown, SqlError>) => Effect.orDie(Effect.asVoid(statement))

const due = rowsOf(DueMail)
const links = rowsOf(Schema.Struct({ memberId: MemberId, type: Schema.String }))
const { at: _at, ...storedFields } = MailDelivery.fields
const rows = rowsOf(Schema.Struct({ ...storedFields, next_attempt_at: Schema.NullOr(Schema.Date) }))
