import { Cause } from "effect"
import { SqlError } from "effect/sql/SqlError"

/**
 * SQLSTATE classes that are about the server: read-only, connection, resources such as disk space, operator, system
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const classes = ["08", "25", "53", "57", "58"]

/** Whether a statement failed for want of the database, whatever was in the statement: another one fares no better. */
export const isUnavailable = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (!(error instanceof SqlError)) return false
  switch (error.reason._tag) {
    case "ConnectionError":
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return true
  }
  const { cause: reason } = error.reason
  return reason instanceof Error && "code" in reason && classes.includes(`${reason.code}`.slice(0, 2))
}
