import { Clock, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { messageText } from "../../Declared/Event.ts"
import { EventId, type WebhookId } from "../../Domain/Ids.ts"
import { firstIdAt, idMillis, newId } from "../../Domain/NewId.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { afterCommit } from "../../Sql/Transaction.ts"
import { DeliveryNotFound } from "./Contract.ts"
import { Outbox } from "./Outbox.ts"
import { Delivery, type DeliveryPeriod, EventPayload, Webhook } from "./Webhook.ts"

export const makeDeliveries = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const select = sql`
    SELECT events.id, type, status, attempts, http_status, error, next_attempt_at, body AS payload
    FROM deliveries JOIN events ON events.id = event_id`

  const makeDue = Effect.fnUntraced(function*(webhookId: WebhookId, which: Fragment) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const due = yield* Effect.orDie(sql`
      UPDATE deliveries
      SET status = 'pending', first_attempt_at = NULL, next_attempt_at = ${now}, claimed_until = NULL
      WHERE webhook_id = ${webhookId} AND ${which} AND
        (status <> 'pending' OR claimed_until IS NULL OR claimed_until <= ${now})
      RETURNING 1`)
    return due.length
  })

  return {
    page: (id: WebhookId, page: PageRequest) =>
      selectNewest(
        sql,
        page,
        (after, end) =>
          Effect.map(
            deliveries.all(sql`${select} WHERE webhook_id = ${id} AND ${after} ${end}`),
            (rows) => rows.map(withTime)
          ),
        sql`event_id`
      ),

    sendTest: Effect.fnUntraced(function*(webhook: Webhook) {
      const eventId = EventId.make(yield* newId("evt"))
      const now = new Date(yield* Clock.currentTimeMillis)
      const body = messageText(eventId, { type: "test", data: encodeTest({ webhook }) })
      yield* Effect.orDie(sql`
        WITH event AS (INSERT INTO events (id, type, body) VALUES (${eventId}, 'test', ${body}))
        INSERT INTO deliveries ${
        sql.insert({
          webhook_id: webhook.id,
          event_id: eventId,
          subject_id: eventId,
          status: "pending",
          attempts: 0,
          next_attempt_at: now
        })
      }`)
      yield* afterCommit(outbox.wake)
      return eventId
    }),

    sendAgain: Effect.fnUntraced(function*(webhookId: WebhookId, eventId: string) {
      yield* makeDue(webhookId, sql`event_id = ${eventId}`)
      const found = yield* deliveries.first(sql`${select} WHERE webhook_id = ${webhookId} AND event_id = ${eventId}`)
      if (Option.isNone(found)) return yield* new DeliveryNotFound()
      yield* afterCommit(outbox.wake)
      return withTime(found.value)
    }),

    sendAllAgain: Effect.fnUntraced(function*(webhookId: WebhookId, { since, until }: DeliveryPeriod) {
      const end = until?.getTime() ?? (yield* Clock.currentTimeMillis) + 1
      const sent = yield* makeDue(
        webhookId,
        sql`event_id >= ${firstIdAt("evt", since.getTime())} AND event_id < ${firstIdAt("evt", end)}`
      )
      yield* afterCommit(outbox.wake)
      return sent
    })
  }
})

const { at: _at, payload: _payload, ...storedFields } = Delivery.fields
const DeliveryRow = Schema.Struct({
  ...storedFields,
  next_attempt_at: Schema.NullOr(Schema.Date),
  payload: Schema.fromJsonString(EventPayload)
})
const deliveries = rowsOf(DeliveryRow)

const withTime = (row: typeof DeliveryRow.Type): Delivery => ({ ...row, at: new Date(idMillis(row.id)) })

const encodeTest = Schema.encodeSync(Schema.Struct({ webhook: Webhook }))
