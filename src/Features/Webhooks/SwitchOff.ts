import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../../Audit/Audit.ts"
import type { WebhookId } from "../../Domain/Ids.ts"
import { CurrentActor, systemActor } from "../../Domain/Request/Actor.ts"

export const maxFailure = Duration.days(5)

export const failPending = (sql: SqlClient.SqlClient, id: WebhookId) =>
  Effect.orDie(sql`
    UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE webhook_id = ${id} AND status = 'pending'`)

export const makeSwitchOff = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* Audit

  return Effect.fnUntraced(function*(id: WebhookId, origin: string, failingSince: Date) {
    const since = failingSince.toISOString()
    const switchedOff = yield* audit.change(
      Effect.tap(
        Effect.orDie(sql`UPDATE webhooks SET enabled = false WHERE id = ${id} AND enabled RETURNING id`),
        ({ length }) => length === 0 ? Effect.void : failPending(sql, id)
      ),
      (rows) =>
        rows.map(() => ({ action: "webhook.switched_off", subject: id, details: { origin, failing_since: since } }))
    ).pipe(Effect.provideService(CurrentActor, systemActor))
    if (switchedOff.length > 0) {
      yield* Effect.logWarning(`The webhook ${id} is switched off: ${origin} has accepted nothing since ${since}`)
    }
  })
})
