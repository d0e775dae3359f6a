import { Effect, Option } from "effect"
import { Audit } from "../../Audit/Audit.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { connectionChanged, connectionCreated, credentialsReplaced, tokenShared } from "../ConnectionChanges.ts"
import { ConnectionRepo } from "../ConnectionRepo.ts"
import { ConnectionTokens } from "../ConnectionTokens.ts"

/** Records changes of credentials. Also records when a connection of another client has the same refresh token. */
export const makeAuditedCredentials = Effect.gen(function*() {
  const audit = yield* Audit
  const connections = yield* ConnectionRepo
  const tokens = yield* ConnectionTokens

  /** The connections of other clients that have its token. */
  const sharedWith = Effect.fnUntraced(function*({ client_id, id }: StoredConnection) {
    const shared = yield* tokens.sharing([id])
    return shared.flatMap(({ clientId, sharedWith }) => clientId === client_id ? [] : [sharedWith])
  })

  const noted = (connection: StoredConnection) =>
    Effect.map(sharedWith(connection), (shared) => ({ connection, shared: tokenShared(connection, shared) }))

  return {
    created: <E, R>(create: Effect.Effect<StoredConnection, E, R>): Effect.Effect<StoredConnection, E, R> =>
      audit.change(
        Effect.flatMap(create, noted),
        ({ connection, shared }) => [...connectionCreated(connection), ...shared]
      ).pipe(Effect.map(({ connection }) => connection)),

    /** A change of the client can make the token shared with another client. */
    changed: <E, R>(
      before: StoredConnection,
      change: Effect.Effect<StoredConnection, E, R>
    ): Effect.Effect<StoredConnection, E, R> =>
      audit.change(
        Effect.flatMap(change, noted),
        ({ connection: after, shared }) => [
          ...connectionChanged(before, after),
          ...after.client_id === before.client_id ? [] : shared
        ]
      ).pipe(Effect.map(({ connection }) => connection)),

    /** Also records the new credentials of connections that are derived from it. */
    replaced: <E, R>(
      reconnect: Effect.Effect<Option.Option<StoredConnection>, E, R>
    ): Effect.Effect<Option.Option<StoredConnection>, E, R> =>
      audit.change(
        Effect.flatMap(reconnect, (made) =>
          Effect.forEach(Option.toArray(made), (connection) =>
            Effect.zip(noted(connection), connections.derived(connection.id)))),
        (all) =>
          all.flatMap(([{ connection, shared }, derived]) => [
            ...[connection, ...derived].map(credentialsReplaced),
            ...shared
          ])
      ).pipe(Effect.map(([made]) =>
        Option.fromUndefinedOr(made?.[0].connection)
      ))
  }
})
