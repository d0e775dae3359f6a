import { Context, Duration } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/**
 * The present time as SQL: that of the database, which instances with different clocks share. Tests return `clock`, the
 * time of this instance, so that `TestClock` moves it.
 */
export const DatabaseTime = Context.Reference<(sql: SqlClient.SqlClient, clock: Date) => Fragment>(
  "openaccounts/Sql/Client/DatabaseTime",
  { defaultValue: () => (sql) => sql`now()` }
)

export const later = (sql: SqlClient.SqlClient, time: Fragment, duration: Duration.Duration): Fragment =>
  sql`${time} + ${Duration.toSeconds(duration)}::float8 * interval '1 second'`
