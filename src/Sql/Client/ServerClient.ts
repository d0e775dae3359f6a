import { PgPool } from "@effect/sql-pg"
import { Duration, Effect, Schedule } from "effect"
import { SqlError, StatementTimeoutError } from "effect/sql/SqlError"
import type { DatabaseServer } from "../../Settings.ts"
import { timeoutOrElse } from "../Timeout.ts"
import { makePoolClient, maxMessageSize } from "./PoolClient.ts"

export type ServerOptions = Pick<DatabaseServer, "url"> & Partial<DatabaseServer> & {
  /** By default that of the server. */
  readonly isolation?: string | undefined
}

/** Long, because a new connection reads the catalog and plans every statement again. */
const idleTimeout = Duration.minutes(5)

const retrySchedule = Schedule.jittered(Schedule.spaced(Duration.millis(100)))

const reportEvery = Duration.toMillis(Duration.minutes(1))

const noRoom = "The database accepts no further connection, so statements wait for those that are open. " +
  "Lower DATABASE_MAX_CONNECTIONS, or raise what the server allows"

/**
 * One statement at a time per connection, because in a pipeline a call would wait for slow statements. A connection
 * that times out or reaches a read-only server is discarded: another server may have been promoted.
 */
export const serverClient = Effect.fnUntraced(
  function*({ isolation, maxConnections = 10, pooled = false, timeout = Duration.seconds(10), url }: ServerOptions) {
    // The server cannot end statements that wait for a connection or have lost it.
    const clientTimeout = Duration.times(timeout, 1.5)
    const timeoutError = new SqlError({
      reason: new StatementTimeoutError({
        cause: undefined,
        message: `The database did not answer within ${Duration.format(clientTimeout)}`,
        operation: "execute"
      })
    })

    const pool = yield* PgPool.make({
      url,
      maxConnections,
      idleTimeout,
      maxMessageSize,
      applicationName: "openaccounts",
      ...(pooled
        ? { prepare: false }
        : {
          startupParameters: {
            ...isolation === undefined ? {} : { default_transaction_isolation: isolation },
            statement_timeout: `${Math.ceil(Duration.toMillis(timeout))}`,
            // Planning a statement over all partitions of the log takes longer than running it.
            plan_cache_mode: "force_generic_plan"
          }
        })
    })

    let reportedAt = -Infinity
    /** The server, or the role, may allow fewer connections. */
    const whenThereIsRoom = <A, E, R>(use: Effect.Effect<A, E, R>) =>
      use.pipe(
        Effect.tapError((error) => {
          if (codeOf(error) !== tooManyConnections || performance.now() - reportedAt < reportEvery) return Effect.void
          reportedAt = performance.now()
          return Effect.logWarning(noRoom, error)
        }),
        Effect.retry({ while: (error) => codeOf(error) === tooManyConnections, schedule: retrySchedule })
      )

    return yield* makePoolClient({
      pool: { ...pool, use: (f) => whenThereIsRoom(pool.use(f)), reserve: whenThereIsRoom(pool.reserve) },
      statements: maxConnections,
      perTransaction: 1,
      guard: (statement, { discard, mayTakeLong = false }) =>
        // The confirmation of a cancelled statement takes seconds when the server is gone, so it is not awaited.
        Effect.tapError(
          timeoutOrElse(statement, {
            duration: mayTakeLong ? Duration.infinity : clientTimeout,
            orElse: () => Effect.fail(timeoutError)
          }),
          (error) => error === timeoutError || isLost(error) ? discard : Effect.void
        )
    })
  }
)

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const readOnlySqlTransaction = "25006"
const tooManyConnections = "53300"

const codeOf = (error: unknown): unknown => {
  const cause = error instanceof SqlError ? error.reason.cause : undefined
  return cause instanceof Error && "code" in cause ? cause.code : undefined
}

/** Whether the connection cannot be used again. */
const isLost = (error: unknown): boolean =>
  codeOf(error) === readOnlySqlTransaction || error instanceof SqlError && error.reason._tag === "ConnectionError"
