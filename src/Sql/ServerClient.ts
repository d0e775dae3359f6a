import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { SqlError, StatementTimeoutError } from "effect/sql/SqlError"
import type { DatabaseServer } from "../Settings.ts"

export type ServerOptions = Pick<DatabaseServer, "url"> & Partial<DatabaseServer>

/** A call after a quiet minute need not wait for a new connection, which has to read the catalog and plan anew. */
const longestIdle = Duration.minutes(5)

/**
 * Connections to a Postgres server, each for one statement at a time: in a pipeline a call would wait for whatever page
 * of the log went out before it. No statement waits forever, and a connection to a server that is gone, or that may no
 * longer write because another has been promoted, is not used again.
 */
export const serverClient = Effect.fnUntraced(
  function*({ maxConnections = 10, pooled = false, timeout = Duration.seconds(10), url }: ServerOptions) {
    // Where the server does not end a statement in time, nobody has a connection to spare or it is gone without a word.
    const longestWait = Duration.times(timeout, 1.5)
    const unanswered = new SqlError({
      reason: new StatementTimeoutError({
        cause: undefined,
        message: `The database did not answer within ${Duration.format(longestWait)}`,
        operation: "execute"
      })
    })

    const pool = yield* PgPool.make({
      url,
      maxConnections,
      idleTimeout: longestIdle,
      applicationName: "openaccounts",
      // A pooler loses named statements and session settings.
      ...(pooled
        ? { prepare: false }
        : {
          startupParameters: {
            statement_timeout: `${Math.ceil(Duration.toMillis(timeout))}`,
            // There is one good plan for each statement here, and planning one over all the log's partitions takes longer
            // than a page of it.
            plan_cache_mode: "force_generic_plan"
          }
        })
    })

    const borrower: SqlConnection.Borrower = (f) =>
      Effect.suspend(() => {
        let lent: PgConnection.PgConnection | undefined
        const discard = Effect.suspend(() => lent === undefined ? Effect.void : pool.invalidate(lent))
        const statement = pool.use((connection) => {
          lent = connection
          return f(toSession(connection))
        })
        return leavingBehind(statement).pipe(
          Effect.timeoutOrElse({ duration: longestWait, orElse: () => Effect.andThen(discard, unanswered) }),
          Effect.tapError((error) => isReadOnly(error) ? discard : Effect.void)
        )
      })

    return yield* SqlClient.make({
      acquirer: Effect.map(pool.get, toSession),
      borrower,
      transactionAcquirer: Effect.map(pool.reserve, toSession),
      compiler: PgClient.makeCompiler(),
      prepareTransactionControls: true,
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      spanAttributes: [["db.system.name", "postgresql"]]
    })
  }
)

/**
 * The same effect, but whoever interrupts it does not wait: a statement asks the server to be cancelled, and for the end
 * of its answer, which takes seconds where nobody is there any more.
 */
const leavingBehind = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.forkDetach(effect, { startImmediately: true }),
    (fiber) => Effect.onInterrupt(Fiber.join(fiber), () => Effect.sync(() => fiber.interruptUnsafe()))
  )

/** SQLSTATE `read_only_sql_transaction`. */
const isReadOnly = (error: unknown): boolean => {
  const cause = error instanceof SqlError ? error.reason.cause : undefined
  return cause instanceof Error && "code" in cause && cause.code === "25006"
}

class Session implements SqlConnection.Connection {
  readonly connection: PgConnection.PgConnection

  constructor(connection: PgConnection.PgConnection) {
    this.connection = connection
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.connection.query(sql, params), ({ rows }) => rows)
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.connection.query(sql, params, false), ({ rows }) => rows)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.connection.query(sql, params)
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.connection.queryValues(sql, params)
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.connection.queryValues(sql, params, false)
  }

  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return this.connection.stream(sql, params)
  }
}

const toSession = (connection: PgConnection.PgConnection) => new Session(connection)
