import { Clock, Context, Effect, Layer, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../Audit/Events.ts"
import { messageText, NewEvent, subjectOf } from "../../Declared/Event.ts"
import { newId } from "../../Domain/NewId.ts"
import { afterCommit } from "../../Sql/Transaction.ts"

/** Writes each event in the transaction of its change, once for each webhook that subscribes to it. */
export class Outbox extends Context.Service<Outbox, {
  /** Waits until this instance commits an event. For one reader. */
  readonly recorded: Effect.Effect<void>
  /** Ends a wait for `recorded`. */
  readonly wake: Effect.Effect<void>
}>()("openaccounts/Features/Webhooks/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const signals = yield* Queue.sliding<void>(1)
      const wake = Effect.asVoid(Queue.offer(signals, undefined))

      yield* events.listen(
        Effect.fn("Outbox.record")(function*(event) {
          const id = yield* newId("evt")
          const subject = subjectOf(event)
          const now = new Date(yield* Clock.currentTimeMillis)
          const written = yield* sql`
          WITH
            wanted AS (SELECT id FROM webhooks WHERE enabled AND ${event.type} = ANY(events)),
            event AS (
              INSERT INTO events (id, type, body)
              SELECT ${id}, ${event.type}, ${messageText(id, encode(event))} WHERE EXISTS (SELECT FROM wanted)
            )
          INSERT INTO deliveries (webhook_id, event_id, subject_id, status, attempts, next_attempt_at)
          SELECT id, ${id}, ${subject}, 'pending', 0, ${now}::timestamptz FROM wanted RETURNING event_id`
          if (written.length > 0) yield* afterCommit(wake)
        }, Effect.orDie)
      )

      return Outbox.of({ recorded: Queue.take(signals), wake })
    })
  )
}

const encode = Schema.encodeSync(NewEvent)
