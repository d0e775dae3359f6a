import { Clock, DateTime, Duration, Effect, Option, Redacted } from "effect"
import type { Principal } from "../Domain/Access/Principal.ts"
import type {
  AuthType,
  ConnectionFilter,
  ConnectionUpdate,
  LastError,
  NewConnection,
  NewDerivedConnection,
  StoredConnection
} from "../Domain/Connection.ts"
import { type HealthFacts, noFacts } from "../Domain/Health.ts"
import { ConnectionId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { PageRequest } from "../Domain/Page.ts"
import { nothingToReEncrypt } from "../Domain/ReEncryption.ts"
import { isClientInScope } from "../Domain/Request/ManagementScope.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { selectPage } from "../Sql/Rows.ts"
import { parseStoredCredentials, type Reconnection } from "./Credentials.ts"
import { type MemoryConnection, MemoryConnections, replaceCredentials } from "./Storage/MemoryConnections.ts"
import { makeMemoryHealth } from "./Storage/MemoryHealth.ts"
import { makeMemoryRefreshLease } from "./Storage/RefreshLease.ts"

export const makeMemoryConnectionRepo = (touchInterval: Duration.Duration) =>
  Effect.gen(function*() {
    const stored = yield* MemoryConnections
    const invalidation = yield* Invalidation

    const save = (entry: MemoryConnection) => {
      const { id } = entry.connection
      stored.set(entry)
      return Effect.map(
        invalidation.publish({ table: "connections", id }),
        () => stored.get(id)?.connection ?? entry.connection
      )
    }

    const factsOf = Effect.fnUntraced(function*(authType: AuthType, text: Redacted.Redacted) {
      const now = yield* Clock.currentTimeMillis
      const credentials = authType === "oauth" ? yield* parseStoredCredentials(authType, text) : undefined
      const end = credentials?.type === "oauth" ? credentials.oauth.refresh_expires_at : undefined
      return {
        token_used_at: new Date(now),
        refresh_expires_at: end === undefined ? null : DateTime.toDateUtc(end)
      } satisfies Partial<HealthFacts>
    })

    const update = (id: ConnectionId, change: (entry: MemoryConnection) => MemoryConnection) =>
      Effect.suspend(() => {
        const entry = stored.get(id)
        return entry === undefined ? Effect.succeedNone : Effect.asSome(save(change(entry)))
      })

    /** The refresh tokens of connections, by id. */
    const tokens = Effect.suspend(() =>
      Effect.forEach(
        stored.entries().toSorted((one, other) => one.connection.id < other.connection.id ? -1 : 1),
        Effect.fnUntraced(function*({ connection, credentials: text }) {
          const credentials = text && (yield* parseStoredCredentials(connection.auth_type, text))
          return credentials?.type === "oauth"
            ? [{ connection, token: Redacted.value(credentials.oauth.refresh_token) }]
            : []
        })
      )
    ).pipe(Effect.map((found) => found.flat()))

    return {
      create: Effect.fnUntraced(function*(
        { askedScopes, authType, clientId, credentials, externalAccount, signedInAs = null, ...connection }:
          NewConnection
      ) {
        return yield* save({
          connection: {
            resources: null,
            ...connection,
            parent_id: null,
            parent_resources: null,
            id: ConnectionId.make(yield* newId("con")),
            auth_type: authType,
            client_id: clientId,
            external_account: externalAccount,
            status: "active",
            last_error: null,
            health: { state: "ok", reasons: [] },
            last_used_at: null,
            created_at: new Date(yield* Clock.currentTimeMillis)
          },
          credentials,
          signedInAs,
          version: 1,
          refreshingUntil: undefined,
          facts: { ...noFacts, asked_scopes: askedScopes ?? null, ...yield* factsOf(authType, credentials) },
          announced: []
        })
      }),
      derived: (parentId: ConnectionId) =>
        Effect.sync(() =>
          stored.list({}).filter(({ id, parent_id }) =>
            parent_id === parentId && stored.get(id)?.connection.status !== "revoked"
          )
        ),
      derive: Effect.fnUntraced(function*({ clientId, label, parentId, resources }: NewDerivedConnection) {
        const parent = stored.get(parentId)
        if (parent === undefined || parent.connection.parent_id !== null || parent.connection.status === "revoked") {
          return Option.none()
        }
        const id = ConnectionId.make(yield* newId("con"))
        const created_at = new Date(yield* Clock.currentTimeMillis)
        yield* save({
          connection: {
            ...parent.connection,
            id,
            client_id: clientId,
            label,
            resources,
            parent_id: parentId,
            last_used_at: null,
            created_at
          },
          credentials: undefined,
          signedInAs: null,
          version: 1,
          refreshingUntil: undefined,
          facts: noFacts,
          announced: []
        })
        return Option.fromUndefinedOr(stored.get(id)?.connection)
      }),
      find: (id: string) => Effect.sync(() => Option.fromUndefinedOr(stored.get(id)?.connection)),
      list: (clientIds: Principal["clientIds"], filter: ConnectionFilter) =>
        Effect.sync(() => stored.list(filter).filter(({ client_id }) => isClientInScope(clientIds, client_id))),
      page: (clientIds: Principal["clientIds"], filter: ConnectionFilter, { cursor, limit }: PageRequest) =>
        selectPage(
          limit,
          () =>
            Effect.sync(() =>
              stored.list(filter).filter(({ client_id, id }) =>
                isClientInScope(clientIds, client_id) && (cursor === undefined || id < cursor)
              )
            )
        ),
      credentials: Effect.fnUntraced(function*(id: ConnectionId) {
        const entry = stored.get(id)
        if (entry?.credentials === undefined) return Option.none()
        const { connection, credentials, signedInAs, version } = entry
        return Option.some({
          version,
          signedInAs,
          credentials: yield* parseStoredCredentials(connection.auth_type, credentials)
        })
      }),
      saveTokens: Effect.fnUntraced(function*(id: ConnectionId, version: number, credentials: Redacted.Redacted) {
        const facts = yield* factsOf("oauth", credentials)
        yield* update(id, (entry) =>
          entry.version === version
            ? { ...replaceCredentials(entry, credentials), facts: { ...entry.facts, ...facts } }
            : entry)
      }),
      reconnect: Effect.fnUntraced(function*(id: ConnectionId, reconnection: Reconnection) {
        const { askedScopes, authType, credentials, externalAccount, scopes, signedInAs = null } = reconnection
        const facts = yield* factsOf(authType, credentials)
        return yield* update(id, (entry) => ({
          ...replaceCredentials(entry, credentials),
          signedInAs,
          facts: { ...entry.facts, ...facts, ...scopes === undefined ? {} : { asked_scopes: askedScopes ?? null } },
          connection: {
            ...entry.connection,
            auth_type: authType,
            status: "active",
            last_error: null,
            ...(externalAccount === undefined ? {} : { external_account: externalAccount }),
            ...(scopes === undefined ? {} : { scopes })
          }
        }))
      }),
      change: (id: ConnectionId, { clientId, label, resources }: ConnectionUpdate) =>
        update(id, (entry) => ({
          ...entry,
          connection: {
            ...entry.connection,
            ...(label === undefined ? {} : { label }),
            ...(clientId === undefined ? {} : { client_id: clientId }),
            ...(resources === undefined ? {} : { resources })
          }
        })),
      expire: (id: ConnectionId, version: number) =>
        Effect.suspend(() => {
          const entry = stored.get(id)
          if (entry?.version !== version || entry.connection.status !== "active") return Effect.succeed(false)
          const connection: StoredConnection = { ...entry.connection, status: "expired" }
          return Effect.as(save({ ...entry, connection, refreshingUntil: undefined }), true)
        }),
      stop: (ids: ReadonlyArray<ConnectionId>) =>
        Effect.forEach(ids, (id) => {
          const entry = stored.get(id)
          return entry?.credentials === undefined
            ? Effect.void
            : save({ ...entry, connection: { ...entry.connection, status: "revoked" } })
        }, { discard: true }),
      revoke: (ids: ReadonlyArray<ConnectionId>) =>
        Effect.suspend(() => {
          const wanted = new Set<string>(ids)
          const all = stored.entries().filter(({ connection, credentials }) =>
            connection.status !== "revoked" || credentials !== undefined
          )
          const own = all.filter(({ connection }) => wanted.has(connection.id))
          const derived = all.filter(({ connection: { id, parent_id } }) =>
            parent_id !== null && wanted.has(parent_id) && !wanted.has(id)
          )
          return Effect.forEach([...own, ...derived], (entry) =>
            Effect.map(
              save({
                ...replaceCredentials(entry, undefined),
                connection: { ...entry.connection, status: "revoked" }
              }),
              (connection) => ({
                connection,
                credentials: Effect.succeed(Option.fromUndefinedOr(entry.credentials))
              })
            ))
        }),
      withToken: Effect.fnUntraced(function*(refreshToken: Redacted.Redacted) {
        const wanted = Redacted.value(refreshToken)
        return (yield* tokens).flatMap(({ connection, token }) =>
          token === wanted && connection.status !== "revoked" ? [connection] : []
        )
      }),
      sharing: Effect.fnUntraced(function*(ids: ReadonlyArray<ConnectionId>) {
        const wanted = new Set<string>(ids)
        const all = yield* tokens
        return all.filter(({ connection }) => wanted.has(connection.id)).flatMap(({ connection: { id }, token }) =>
          all.flatMap(({ connection: other, token: theirs }) =>
            theirs === token && other.id !== id ? [{ id, sharedWith: other.id, clientId: other.client_id }] : []
          )
        )
      }),
      touch: (id: ConnectionId) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const entry = stored.get(id)
          const last = entry?.connection.last_used_at?.getTime() ?? -Infinity
          if (entry === undefined || last > now - Duration.toMillis(touchInterval)) return
          stored.set({ ...entry, connection: { ...entry.connection, last_used_at: new Date(now) } })
        }),
      setLastError: (id: ConnectionId, error: LastError | null) =>
        Effect.sync(() => {
          const entry = stored.get(id)
          if (entry !== undefined) stored.set({ ...entry, connection: { ...entry.connection, last_error: error } })
        }),
      refreshLease: makeMemoryRefreshLease(stored),
      ...makeMemoryHealth(stored),
      reEncryption: nothingToReEncrypt
    }
  })
