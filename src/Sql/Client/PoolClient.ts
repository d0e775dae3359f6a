import { PgClient, type PgConnection, type PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { MayTakeLong } from "../Timeout.ts"
import { makeFairSemaphore } from "./FairSemaphore.ts"

/**
 * In bytes: Postgres sends no longer value, and the client's own limit of 16 MiB is shorter than a stored response. A
 * message beyond the limit ends the connection, with all statements on it.
 */
export const maxMessageSize = 2 ** 30

type Statement<A, E, R> = Effect.Effect<A, E | SqlError, R>

/** Wraps a statement, or the wait for a connection. `discard` closes the connection after its use. */
type Guard = <A, E, R>(
  statement: Statement<A, E, R>,
  options: { readonly discard: Effect.Effect<void>; readonly mayTakeLong?: boolean }
) => Statement<A, E, R>

interface PoolClientOptions {
  readonly pool: PgPool.PgPool
  /** This many run at a time. A transaction counts as `perTransaction` of them. */
  readonly statements: number
  readonly perTransaction: number
  readonly guard?: Guard
}

export const makePoolClient = (
  { guard = (statement) => statement, perTransaction, pool, statements }: PoolClientOptions
) => {
  const semaphore = makeFairSemaphore(statements)
  const { database } = pool.config
  return SqlClient.make({
    driver: "pg",
    acquirer: Effect.andThen(semaphore.hold(1), Effect.map(pool.get, toSession)),
    borrower: (f) =>
      Effect.suspend(() => {
        let used: PgConnection.PgConnection | undefined
        const statement = semaphore.use(pool.use((connection) => {
          used = connection
          return f(toSession(connection))
        }))
        return guard(statement, { discard: Effect.suspend(() => used ? pool.invalidate(used) : Effect.void) })
      }),
    transactionAcquirer: Effect.flatMap(MayTakeLong, (mayTakeLong) =>
      guard(
        Effect.andThen(
          semaphore.hold(perTransaction),
          Effect.map(pool.reserve, (connection) => {
            const session: Session = new Session(connection, (statement) =>
              guard(statement, {
                mayTakeLong,
                discard: Effect.suspend(() => {
                  session.isDiscarded = true
                  return pool.invalidate(connection)
                })
              }))
            return session
          })
        ),
        { mayTakeLong, discard: Effect.void }
      )),
    compiler: PgClient.makeCompiler(),
    commit,
    isTransaction: (connection) => !(connection instanceof Session && connection.isDiscarded),
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ...(database === undefined ? [] : [["db.namespace", database] as const])
    ]
  })
}

/** Postgres responds to `COMMIT` of a failed transaction with `ROLLBACK`. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError> =>
  connection instanceof Session
    ? Effect.flatMap(connection.executeRaw("COMMIT", []), ({ command }) =>
      command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void)
    : Effect.asVoid(connection.execute("COMMIT", [], undefined))

const message = "The transaction was rolled back, because a statement in it had failed"
const rolledBack = new SqlError({
  reason: new UnknownError({ cause: new Error(message), message, operation: "commit" })
})

type SessionGuard = <A>(statement: Statement<A, never, never>) => Statement<A, never, never>

class Session implements SqlConnection.Connection {
  readonly connection: PgConnection.PgConnection
  readonly #guard: SessionGuard
  /** The database then ends the transaction by itself. A `ROLLBACK` would fail, or wait for a server that may be gone. */
  isDiscarded = false

  constructor(connection: PgConnection.PgConnection, guard: SessionGuard = (statement) => statement) {
    this.connection = connection
    this.#guard = guard
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.#guard(this.connection.query(sql, params)), ({ rows }) => rows)
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.#guard(this.connection.query(sql, params, false)), ({ rows }) => rows)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guard(this.connection.query(sql, params))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guard(this.connection.queryValues(sql, params))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guard(this.connection.queryValues(sql, params, false))
  }

  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return this.connection.stream(sql, params)
  }
}

const toSession = (connection: PgConnection.PgConnection) => new Session(connection)
