import { Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { isConnectionErrorCode, type LastError, type StoredConnection } from "../Domain/Connection.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { ConnectionHealth } from "./ConnectionHealth.ts"
import { credentialsIdOf } from "./Credentials.ts"

const writeInterval = Duration.seconds(10)

/** Cached connections are younger than this. Later, their own error counts: another instance may have written it. */
const newerThanCaches = Duration.seconds(1)

type Outcome = LastError["code"] | "success"

interface Failure {
  readonly _tag: string
  readonly code?: string
  /** A refusal about one resource says nothing about the connection. */
  readonly notShared?: boolean
}

interface Recent {
  readonly lastError: LastError | null
  readonly writes: ReadonlyMap<Outcome, number>
  readonly writtenAt: number
  /** The row has changed since then: a connection read from now on has the right error itself. */
  readonly isReplaced?: true
}

export class LastErrors extends Context.Service<LastErrors, {
  /**
   * Returns the write to run, or `undefined` if there is none. The same outcome is written at most every 10 seconds.
   * Never fails.
   */
  readonly record: (
    connection: StoredConnection,
    exit: Exit.Exit<unknown, Failure>,
    now: number
  ) => Effect.Effect<void> | undefined
  readonly current: (connection: StoredConnection, now: number) => LastError | null
}>()("openaccounts/Connections/LastErrors") {
  static readonly layer = Layer.effect(
    LastErrors,
    Effect.gen(function*() {
      const health = yield* ConnectionHealth
      const millis = Duration.toMillis(writeInterval)
      const recents = new Map<string, Recent>()
      // New credentials have no errors yet.
      yield* (yield* Invalidation).subscribe((row) => {
        const recent = row?.table === "connections" ? recents.get(row.id) : undefined
        if (row !== undefined && recent !== undefined) {
          recents.set(row.id, { ...recent, writes: new Map(), isReplaced: true })
        }
      })

      return LastErrors.of({
        current: (connection, now) => {
          const recent = recents.get(credentialsIdOf(connection))
          const isNewer = recent !== undefined && recent.isReplaced !== true &&
            now < recent.writtenAt + Duration.toMillis(newerThanCaches)
          return isNewer ? recent.lastError : connection.last_error
        },
        record: (connection, exit, now) => {
          const outcome = outcomeOf(exit)
          if (outcome === undefined) return undefined
          const id = credentialsIdOf(connection)
          const recent = recents.get(id)
          // A call may have read its connection before the last error was written.
          const isFailing = connection.last_error !== null || (recent?.lastError ?? null) !== null
          if (outcome === "success" && !isFailing) return undefined
          const writes = recent?.writes ?? new Map<Outcome, number>()
          if (now < (writes.get(outcome) ?? -Infinity) + millis) return undefined
          for (const [oldest, { writtenAt }] of recents) {
            if (now < writtenAt + millis) break
            recents.delete(oldest)
          }
          const lastError = outcome === "success" ? null : { code: outcome, at: new Date(now) }
          recents.delete(id)
          recents.set(id, { lastError, writes: new Map(writes).set(outcome, now), writtenAt: now })
          return Effect.catchCause(
            health.setLastError(id, lastError),
            (cause) => Effect.logWarning(`Could not write last_error of ${id}`, cause)
          )
        }
      })
    })
  )
}

const outcomeOf = (exit: Exit.Exit<unknown, Failure>): Outcome | undefined => {
  if (Exit.isSuccess(exit)) return "success"
  const { code, notShared } = Option.getOrUndefined(Exit.findErrorOption(exit)) ?? {}
  return isConnectionErrorCode(code) && notShared !== true ? code : undefined
}
