import { Context, type Duration, type Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** A copy of the log that has older calls than Postgres, if there is one. */
export const LogCopy = Context.Reference<
  {
    /** The copy has every call before this time, in epoch milliseconds. */
    readonly until: Effect.Effect<number, SqlError, SqlClient.SqlClient>
    /** How long Postgres keeps the log. */
    readonly localRetention: Duration.Duration
  } | undefined
>("openaccounts/Calls/Log/LogCopy", { defaultValue: () => undefined })
