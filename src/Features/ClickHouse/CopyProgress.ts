import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LogCopy } from "../../Calls/Log/LogCopy.ts"
import { localRetention } from "./Settings.ts"

/** ClickHouse has every call before this time, in epoch milliseconds. */
export const copiedUntil = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly until: Date | null }>`
      SELECT CASE WHEN bool_and(copied_until IS NOT NULL)
        THEN least(min(copied_until), (SELECT min(created_at) FROM uncopied_calls)) END AS until
      FROM call_copies`,
    ([row]) => row?.until?.getTime() ?? -Infinity
  ))

/** Postgres keeps what ClickHouse does not have yet. */
export const CopyProgress = Layer.effect(
  LogCopy,
  Effect.map(localRetention, (localRetention) => ({ until: copiedUntil, localRetention }))
)
