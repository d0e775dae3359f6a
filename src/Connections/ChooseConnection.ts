import { Clock, Effect, Option } from "effect"
import { ConnectionAmbiguous, type ConnectionNotFound, maxChoices } from "../Api/Errors.ts"
import { ClientRepo } from "../Auth/ClientRepo.ts"
import { grantedOf, type Principal, seesConnection } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Provider } from "../Providers/Provider.ts"
import { CachedConnections } from "./CachedConnections.ts"
import { LastErrors } from "./LastErrors.ts"
import { makeMissingConnection } from "./MissingConnection.ts"

export const makeChooseConnection = Effect.gen(function*() {
  const cachedConnections = yield* CachedConnections
  const lastErrors = yield* LastErrors
  const missing = yield* makeMissingConnection
  const clients = yield* ClientRepo

  const ambiguous = Effect.fnUntraced(function* ambiguous(found: ReadonlyArray<StoredConnection>) {
    const shown = found.slice(0, maxChoices)
    const named = yield* clients.findAll(shown.flatMap(({ client_id }) => client_id ?? []))
    const names = new Map(named.map(({ id, name }) => [id, name]))
    const now = yield* Clock.currentTimeMillis
    return new ConnectionAmbiguous({
      details: {
        connection_ids: found.map(({ id }) => id),
        connections: shown.map((connection) => {
          const { client_id, external_account, id, label } = connection
          const client = client_id === null ? null : { id: client_id, name: names.get(client_id) ?? client_id }
          return { id, label, client, external_account, last_error: lastErrors.current(connection, now) }
        })
      }
    })
  })

  const onlyOne = (
    principal: Principal,
    provider: Provider,
    active: ReadonlyArray<StoredConnection>
  ): Effect.Effect<StoredConnection, ChoiceError> => {
    const found = grantedOf(principal, active)
    const [connection] = found
    if (connection === undefined) return Effect.flip(missing.noneActive(principal, provider))
    return found.length === 1 ? Effect.succeed(connection) : Effect.flip(ambiguous(found))
  }

  const visible = (
    principal: Principal,
    provider: Provider,
    id: string | undefined
  ): Effect.Effect<StoredConnection, ChoiceError> => {
    if (id === undefined) {
      return Effect.flatMapEager(
        cachedConnections.active(principal.clientIds, provider.id),
        (active) => onlyOne(principal, provider, active)
      )
    }
    // No id has a NUL, which Postgres refuses.
    return Effect.flatMapEager(
      id.includes("\0") ? Effect.succeedNone : cachedConnections.find(id),
      (found) => {
        const connection = Option.getOrUndefined(found)
        if (connection === undefined || !seesConnection(principal, connection.id, connection.client_id)) {
          return Effect.flip(missing.unknown(principal, provider, id))
        }
        return connection.provider === provider.id
          ? Effect.succeed(connection)
          : Effect.flip(missing.ofOtherProvider(principal, provider, connection))
      }
    )
  }

  return {
    /** The named connection, of any status, or the only active connection of the provider. */
    visible,
    inactive: (principal: Principal, provider: Provider, connection: StoredConnection) =>
      Effect.flip(missing.inactive(principal, provider, connection))
  }
})

type ChoiceError = ConnectionNotFound | ConnectionAmbiguous
