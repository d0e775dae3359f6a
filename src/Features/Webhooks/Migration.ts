import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const addWebhookFormat = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhooks ADD COLUMN format text NOT NULL DEFAULT 'standard'`
})
