import { Clock, Context, Duration, Effect, Layer, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId, WebhookId } from "../../Domain/Ids.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { type DecryptionFailed, Vault } from "../../Secrets/Vault.ts"
import { countOf, rowsOf } from "../../Sql/Rows.ts"
import { pauseAfter, retryPeriod } from "./RetryPause.ts"
import { makeSwitchOff, maxFailure } from "./SwitchOff.ts"
import { originOf } from "./WebhookUrl.ts"

const DueDelivery = Schema.Struct({
  id: EventId,
  webhookId: WebhookId,
  type: Schema.String,
  body: Schema.String,
  url: Schema.String,
  format: Schema.String,
  attempts: Schema.Int,
  firstAttemptAt: Schema.Date,
  secret: Schema.Uint8Array,
  encryptionKeyId: Schema.String
})

export interface DueDelivery extends Omit<typeof DueDelivery.Type, "secret" | "encryptionKeyId"> {
  /** The stored text, for `signedHeaders` and `secretUrl`. */
  readonly secrets: Effect.Effect<Redacted.Redacted, DecryptionFailed>
}

export interface DueWebhook {
  readonly id: WebhookId
  /** Its last attempt failed. */
  readonly isFailing: boolean
}

export interface AttemptFailure {
  readonly status: number | null
  readonly reason: string
  /** The receiver will not accept the event later either. */
  readonly isFinal?: boolean
  /** The pause that the receiver asks for, in milliseconds. Its other events wait as long. */
  readonly wait?: number | undefined
}

export interface FailedAttempt {
  readonly isRetried: boolean
  /** The first failure since the webhook's last delivery. */
  readonly isFirst: boolean
}

/** Longer than an attempt, so that only the claims of a dead instance run out. */
const claimDuration = Duration.seconds(30)

/** About ten minutes. After this many failed attempts, later events of the same subject are sent too. */
const maxHoldingAttempts = 8

export const eventSecrets: StoredSecrets = {
  cursor: "evt_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "events", bytes: "sealed_body" })
}

export class DeliveryQueue extends Context.Service<DeliveryQueue, {
  /** `next` is the time of the next due delivery, in epoch milliseconds. */
  readonly due: Effect.Effect<{ readonly webhooks: ReadonlyArray<DueWebhook>; readonly next: number | undefined }>
  /**
   * Claims up to `limit` due deliveries of a webhook for 30 seconds, oldest event first, and one per subject at most.
   * Of a failing webhook, one at a time.
   */
  readonly claim: (id: WebhookId, limit: number) => Effect.Effect<ReadonlyArray<DueDelivery>>
  readonly succeed: (delivery: DueDelivery, httpStatus: number) => Effect.Effect<void>
  readonly fail: (delivery: DueDelivery, failure: AttemptFailure) => Effect.Effect<FailedAttempt>
  readonly pending: Effect.Effect<number>
}>()("openaccounts/Features/Webhooks/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const switchOff = yield* makeSwitchOff

      const isDue = (now: Date) =>
        sql`status = 'pending' AND next_attempt_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})`

      return DeliveryQueue.of({
        due: Effect.gen(function*() {
          const now = new Date(yield* Clock.currentTimeMillis)
          const rows = yield* dueWebhooks.all(sql`
            SELECT id, failing_since IS NOT NULL AS "isFailing", EXISTS (SELECT FROM deliveries WHERE webhook_id = webhooks.id AND ${
            isDue(now)
          }) AS due,
              (SELECT min(next_attempt_at) FROM deliveries
                WHERE webhook_id = webhooks.id AND status = 'pending' AND next_attempt_at > ${now}) AS next
            FROM webhooks`)
          const next = rows.flatMap(({ next }) => next === null ? [] : [next.getTime()])
          return {
            webhooks: rows.flatMap(({ due, id, isFailing }) => due ? [{ id, isFailing }] : []),
            next: next.length === 0 ? undefined : next.reduce((first, each) => Math.min(first, each))
          }
        }),

        claim: Effect.fnUntraced(function*(id, limit) {
          const millis = yield* Clock.currentTimeMillis
          const now = new Date(millis)
          const claimed = yield* dueDeliveries.all(sql`
            UPDATE deliveries SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}),
              claimed_until = ${new Date(millis + Duration.toMillis(claimDuration))}
            FROM webhooks, events
            WHERE webhook_id = ${id} AND webhooks.id = webhook_id AND events.id = event_id AND event_id IN (
              SELECT event_id FROM deliveries AS due
              WHERE webhook_id = ${id} AND ${isDue(now)} AND NOT EXISTS (
                SELECT FROM deliveries AS earlier
                WHERE earlier.webhook_id = ${id} AND earlier.status = 'pending' AND earlier.subject_id = due.subject_id
                  AND earlier.event_id < due.event_id
                  AND (earlier.attempts < ${maxHoldingAttempts} OR earlier.claimed_until > ${now})
              ) AND NOT EXISTS (
                SELECT FROM webhooks AS failing JOIN deliveries AS attempted ON attempted.webhook_id = failing.id
                WHERE failing.id = ${id} AND failing.failing_since IS NOT NULL AND attempted.status = 'pending'
                  AND attempted.claimed_until > ${now}
              )
              ORDER BY next_attempt_at, event_id
              LIMIT (SELECT CASE WHEN failing_since IS NULL THEN ${limit}::int ELSE 1 END FROM webhooks
                WHERE id = ${id})
              FOR UPDATE SKIP LOCKED
            )
            RETURNING events.id, webhook_id AS "webhookId", type, body, url, format, attempts,
              first_attempt_at AS "firstAttemptAt", secret, webhooks.encryption_key_id AS "encryptionKeyId"`)
          return claimed.toSorted((one, other) => one.id < other.id ? -1 : 1).map((
            { encryptionKeyId, secret, ...delivery }
          ) => ({ ...delivery, secrets: vault.decrypt(id, { bytes: secret, encryptionKeyId }) }))
        }),

        succeed: Effect.fnUntraced(function*({ id, webhookId }, httpStatus) {
          yield* sql`
            WITH delivered AS (
              UPDATE deliveries SET status = 'delivered', http_status = ${httpStatus}, error = NULL,
                next_attempt_at = NULL, claimed_until = NULL
              WHERE webhook_id = ${webhookId} AND event_id = ${id}
            )
            UPDATE webhooks SET last_delivery_at = ${new Date(yield* Clock.currentTimeMillis)}, failing_since = NULL
            WHERE id = ${webhookId}`
        }, Effect.orDie),

        fail: Effect.fnUntraced(function*({ attempts, firstAttemptAt, id, url, webhookId }, failure) {
          const { isFinal = false, reason, status, wait = 0 } = failure
          const millis = yield* Clock.currentTimeMillis
          const end = firstAttemptAt.getTime() + Duration.toMillis(retryPeriod)
          const pause = yield* pauseAfter(attempts)
          const next = millis + (wait > pause ? Math.max(pause, Math.min(wait, end - millis)) : pause)
          const isRetried = !isFinal && next <= end
          const [webhook] = yield* failing.all(sql`
            WITH failed AS (
              UPDATE deliveries SET status = ${isRetried ? "pending" : "failed"}, http_status = ${status},
                error = ${reason},
                next_attempt_at = ${isRetried ? new Date(next) : null}::timestamptz, claimed_until = NULL
              WHERE webhook_id = ${webhookId} AND event_id = ${id} AND status = 'pending' AND attempts = ${attempts}
            ), waiting AS (
              UPDATE deliveries SET next_attempt_at = ${new Date(next)}
              WHERE ${wait > 0} AND webhook_id = ${webhookId} AND event_id <> ${id} AND status = 'pending'
                AND next_attempt_at < ${new Date(next)}
            )
            UPDATE webhooks SET failing_since = coalesce(failing_since, ${new Date(millis)}) WHERE id = ${webhookId}
            RETURNING failing_since AS since, enabled`)
          if (webhook?.enabled === true && webhook.since.getTime() <= millis - Duration.toMillis(maxFailure)) {
            yield* switchOff(webhookId, originOf(url), webhook.since)
          }
          return { isRetried, isFirst: webhook?.since.getTime() === millis }
        }),

        pending: countOf(sql`SELECT count(*)::int FROM deliveries WHERE status = 'pending'`)
      })
    })
  )
}

const dueWebhooks = rowsOf(
  Schema.Struct({
    id: WebhookId,
    isFailing: Schema.Boolean,
    due: Schema.Boolean,
    next: Schema.NullOr(Schema.Date)
  })
)
const dueDeliveries = rowsOf(DueDelivery)
const failing = rowsOf(Schema.Struct({ since: Schema.Date, enabled: Schema.Boolean }))
