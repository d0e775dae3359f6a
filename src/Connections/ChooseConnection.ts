import { Effect, Option } from "effect"
import { ConnectionAmbiguous, ConnectionNotFound } from "../Api/Errors.ts"
import type { Connection } from "../Domain/Connection.ts"
import { grantedOf, type Principal, seesConnection } from "../Domain/Principal.ts"
import type { Provider } from "../Providers/Provider.ts"
import { CachedConnections } from "./CachedConnections.ts"
import { LastErrors } from "./LastErrors.ts"

/** Finds the named connection, of any status, or the only active connection of the provider. */
export const makeChooseConnection = Effect.gen(function*() {
  const cachedConnections = yield* CachedConnections
  const lastErrors = yield* LastErrors

  const onlyOne = (found: ReadonlyArray<Connection>): Effect.Effect<Connection, ChoiceError> => {
    const [connection] = found
    if (connection === undefined) return Effect.fail(new ConnectionNotFound())
    if (found.length === 1) return Effect.succeed(connection)
    return Effect.fail(
      new ConnectionAmbiguous({
        details: {
          connection_ids: found.map(({ id }) => id),
          connections: found.map((connection) => {
            const { external_account, id, label } = connection
            return { id, label, external_account, last_error: lastErrors.current(connection) }
          })
        }
      })
    )
  }

  return (
    principal: Principal,
    { id: provider }: Provider,
    id: string | undefined
  ): Effect.Effect<Connection, ChoiceError> => {
    if (id === undefined) {
      return Effect.flatMapEager(
        cachedConnections.active(principal.clientIds, provider),
        (active) => onlyOne(grantedOf(principal, active))
      )
    }
    // No id has a NUL, which Postgres refuses.
    return Effect.flatMapEager(
      id.includes("\0") ? Effect.succeedNone : cachedConnections.find(id),
      (found) => {
        if (Option.isNone(found)) return Effect.fail(new ConnectionNotFound())
        const connection = found.value
        return connection.provider === provider && seesConnection(principal, connection.id, connection.client_id)
          ? Effect.succeed(connection)
          : Effect.fail(new ConnectionNotFound())
      }
    )
  }
})

type ChoiceError = ConnectionNotFound | ConnectionAmbiguous
