import { Clock, Context, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Principal } from "../Domain/Access/Principal.ts"
import {
  type ConnectionFilter,
  type ConnectionUpdate,
  LastError,
  type NewConnection,
  type NewDerivedConnection,
  type StoredConnection
} from "../Domain/Connection.ts"
import { ConnectionId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { reEncryptRows } from "../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../Secrets/StoredSecrets.ts"
import { type DecryptionFailed, Vault } from "../Secrets/Vault.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { selectNewest } from "../Sql/Rows.ts"
import { inTransaction } from "../Sql/Transaction.ts"
import { decryptCredentials, encryptCredentials, encryptedConnections } from "./BoundCredentials.ts"
import { ConnectionHealth } from "./ConnectionHealth.ts"
import { ConnectionTokens } from "./ConnectionTokens.ts"
import type { Reconnection } from "./Credentials.ts"
import { makeMemoryConnectionRepo } from "./MemoryConnectionRepo.ts"
import { makeConnectionRows } from "./Storage/ConnectionRows.ts"
import { makeCredentialColumns } from "./Storage/CredentialColumns.ts"
import { makeHealthRecords } from "./Storage/HealthRecords.ts"
import { MemoryConnections } from "./Storage/MemoryConnections.ts"
import { makeRefreshLease } from "./Storage/RefreshLease.ts"
import { makeTokenHolders } from "./Storage/TokenHolders.ts"

const touchInterval = Duration.seconds(10)

export interface RevokedConnection {
  readonly connection: StoredConnection
  /** The JSON text of the credentials, which are deleted. */
  readonly credentials: Effect.Effect<Option.Option<Redacted.Redacted>, DecryptionFailed>
}

/** New credentials are JSON text for `parseNewCredentials`. */
export class ConnectionRepo extends Context.Service<ConnectionRepo, {
  readonly create: (connection: NewConnection) => Effect.Effect<StoredConnection>
  /** Returns nothing if the parent is revoked, derived itself, or unknown. */
  readonly derive: (connection: NewDerivedConnection) => Effect.Effect<Option.Option<StoredConnection>>
  /** The connections that use the credentials of this one, without revoked ones. */
  readonly derived: (parentId: ConnectionId) => Effect.Effect<ReadonlyArray<StoredConnection>>
  readonly find: (id: string) => Effect.Effect<Option.Option<StoredConnection>>
  /** Newest first. `null` means all clients, and connections without a client. Also for `page`. */
  readonly list: (
    clientIds: Principal["clientIds"],
    filter: ConnectionFilter
  ) => Effect.Effect<ReadonlyArray<StoredConnection>>
  readonly page: (
    clientIds: Principal["clientIds"],
    filter: ConnectionFilter,
    page: PageRequest
  ) => Effect.Effect<Page<StoredConnection>>
  readonly reconnect: (
    id: ConnectionId,
    replacement: Reconnection
  ) => Effect.Effect<Option.Option<StoredConnection>>
  /** Keeps the version, so that a refresh in progress can save its tokens. */
  readonly change: (
    id: ConnectionId,
    change: ConnectionUpdate
  ) => Effect.Effect<Option.Option<StoredConnection>, DecryptionFailed>
  /** Ends their calls, and those of connections derived from them. Keeps the credentials for `revoke`, which follows. */
  readonly stop: (ids: ReadonlyArray<ConnectionId>) => Effect.Effect<void>
  /** Revokes connections, then those derived from them. Returns what was not revoked yet, or only stopped. */
  readonly revoke: (ids: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<RevokedConnection>>
}>()("openaccounts/Connections/ConnectionRepo") {
  static readonly layer = Layer.effectContext(
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const invalidation = yield* Invalidation
      const touch = yield* lastUsed("connections", touchInterval)

      const connections = makeConnectionRows(sql)
      const { columns, status } = connections
      const stored = makeCredentialColumns(sql, vault)

      const ofClients = (clientIds: Principal["clientIds"]) =>
        clientIds === null ? sql`true` : sql`client_id = ANY(${textArray(clientIds)})`

      const matches = (filter: ConnectionFilter) =>
        sql.and([
          sql`true`,
          ...(filter.provider === undefined ? [] : [sql`provider = ${filter.provider}`]),
          ...(filter.client_id === undefined ? [] : [sql`client_id = ${filter.client_id}`]),
          ...(filter.status === undefined ? [] : [sql`${status} = ${filter.status}`]),
          // Lets the database use the index of active connections. A derived one is active only if its parent is too.
          ...(filter.status === "active" ? [sql`status = 'active'`] : [])
        ])

      const publish = (id: ConnectionId) => invalidation.publish({ table: "connections", id })

      /** Publishing one connection clears the cache of all. */
      const publishOne = (ids: ReadonlyArray<ConnectionId>) =>
        Effect.forEach(ids.slice(0, 1), publish, { discard: true })

      return storeOf({
        create: Effect.fn("ConnectionRepo.create")(function*(connection) {
          const id = ConnectionId.make(yield* newId("con"))
          const encrypted = encryptCredentials(vault, { ...connection, id }, connection.credentials)
          const row = {
            id,
            client_id: connection.clientId,
            provider: connection.provider,
            auth_type: connection.authType,
            label: connection.label,
            external_account: connection.externalAccount,
            signed_in_as: connection.signedInAs ?? null,
            scopes: textArray(connection.scopes),
            resources: connection.resources == null ? null : textArray(connection.resources),
            status: "active",
            credentials: encrypted.bytes,
            encryption_key_id: encrypted.encryptionKeyId,
            asked_scopes: connection.askedScopes === undefined ? null : textArray(connection.askedScopes),
            ...yield* stored.tokenColumns(connection.authType, connection.credentials),
            version: 1,
            created_at: new Date(yield* Clock.currentTimeMillis)
          }
          const created = yield* connections.first(
            sql`INSERT INTO connections ${sql.insert(row)} RETURNING ${columns}`
          )
          yield* publish(id)
          return yield* Effect.orDie(Effect.fromOption(created))
        }),
        derive: Effect.fn("ConnectionRepo.derive")(function*({ clientId, label, parentId, resources }) {
          const id = ConnectionId.make(yield* newId("con"))
          const now = new Date(yield* Clock.currentTimeMillis)
          // Locks the parent, so that revoking it does not miss this connection.
          yield* sql`
            INSERT INTO connections (id, client_id, provider, auth_type, label, scopes, status, resources, parent_id,
              version, created_at)
            SELECT ${id}, ${clientId}, provider, auth_type, ${label}, '{}', 'active',
              ${resources && textArray(resources)}::text[], id, 1, ${now}::timestamptz
            FROM connections AS parent WHERE id = ${parentId} AND parent_id IS NULL AND status <> 'revoked' FOR SHARE`
          yield* publish(id)
          return yield* connections.first(sql`SELECT ${columns} FROM connections WHERE id = ${id}`)
        }, Effect.orDie),
        derived: (parentId) =>
          connections.all(
            sql`SELECT ${columns} FROM connections WHERE parent_id = ${parentId} AND status <> 'revoked' ORDER BY id`
          ),
        find: (id) => connections.first(sql`SELECT ${columns} FROM connections WHERE id = ${id}`),
        list: (clientIds, filter) =>
          connections.all(
            sql`SELECT ${columns} FROM connections
              WHERE ${ofClients(clientIds)} AND ${matches(filter)} ORDER BY id DESC`
          ),
        credentials: stored.find,
        page: (clientIds, filter, page) =>
          selectNewest(sql, page, (after, end) =>
            connections.all(sql`
              SELECT ${columns} FROM connections
              WHERE ${ofClients(clientIds)} AND ${matches(filter)} AND ${after} ${end}`)),
        saveTokens: Effect.fnUntraced(function* saveTokens(id, version, credentials) {
          const owner = yield* stored.lockOwner(id)
          if (Option.isNone(owner)) return
          const replaced = yield* stored.replace(owner.value, credentials)
          yield* sql`
            UPDATE connections SET ${replaced} WHERE id = ${id} AND version = ${version}`
          yield* publish(id)
        }, inTransaction(sql)),
        reconnect: Effect.fnUntraced(function* reconnect(id, reconnection) {
          const { askedScopes, authType, credentials, externalAccount, scopes, signedInAs = null } = reconnection
          const owner = yield* stored.lockOwner(id)
          if (Option.isNone(owner)) return Option.none()
          const replaced = yield* stored.replace({ ...owner.value, authType }, credentials)
          const account = externalAccount === undefined ? sql`` : sql`, external_account = ${externalAccount}`
          const granted = scopes === undefined
            ? sql``
            : sql`, scopes = ${textArray(scopes)}, asked_scopes = ${askedScopes ? textArray(askedScopes) : null}`
          const reconnected = yield* connections.first(sql`
            UPDATE connections SET ${replaced}, auth_type = ${authType},
              status = 'active', last_error = NULL, signed_in_as = ${signedInAs} ${account} ${granted}
            WHERE id = ${id} RETURNING ${columns}`)
          yield* publish(id)
          return reconnected
        }, inTransaction(sql)),
        change: Effect.fnUntraced(function* change(id, { clientId, label, resources }) {
          const bound = resources === undefined
            ? sql``
            : sql`, resources = ${resources && textArray(resources)}::text[]`
          const client = clientId === undefined ? sql`` : sql`, client_id = ${clientId}`
          const credentials = clientId === undefined ? sql`` : yield* stored.moveTo(id, clientId)
          const changed = yield* connections.first(sql`
            UPDATE connections SET label = coalesce(${label ?? null}, label) ${client} ${bound} ${credentials}
            WHERE id = ${id} RETURNING ${columns}`)
          yield* publish(id)
          return changed
        }, inTransaction(sql)),
        expire: Effect.fnUntraced(function* expire(id, version) {
          const expired = yield* sql`
            UPDATE connections SET status = 'expired', refreshing_until = NULL
            WHERE id = ${id} AND version = ${version} AND status = 'active' RETURNING id`
          yield* publish(id)
          return expired.length > 0
        }, Effect.orDie),
        stop: Effect.fnUntraced(function* stop(ids) {
          yield* sql`
            UPDATE connections SET status = 'revoked' WHERE id IN (
              SELECT id FROM connections
              WHERE id = ANY(${textArray(ids)}) AND status <> 'revoked' AND credentials IS NOT NULL
              ORDER BY id FOR UPDATE
            )`
          yield* publishOne(ids)
        }, Effect.orDie),
        revoke: Effect.fnUntraced(function* revoke(ids) {
          const revoke = Effect.fnUntraced(function* revoke(column: "id" | "parent_id") {
            const which = sql`${sql(column)} = ANY(${textArray(ids)})
              AND (status <> 'revoked' OR credentials IS NOT NULL)`
            const held = yield* stored.lockHeld(which)
            const byId = new Map(held.map((row) => [row.id, row]))
            const revoked = yield* connections.all(sql`
              UPDATE connections SET status = 'revoked', credentials = NULL, token_hash = NULL, version = version + 1
              WHERE ${which} RETURNING ${columns}`)
            return revoked.map((connection): RevokedConnection => {
              const row = byId.get(connection.id)
              const credentials = row === undefined
                ? Effect.succeedNone
                : Effect.asSome(decryptCredentials(vault, row, row))
              return { connection, credentials }
            })
          })
          const own = yield* revoke("id")
          // A second statement sees connections that were derived while the first one waited.
          const derived = yield* revoke("parent_id")
          yield* publishOne(ids)
          return [...own, ...derived]
        }, inTransaction(sql)),
        ...makeTokenHolders(sql, connections),
        touch,
        setLastError: (id, error) =>
          Effect.orDie(Effect.asVoid(
            sql`UPDATE connections SET last_error = ${error && encodeLastError(error)}::jsonb WHERE id = ${id}`
          )),
        refreshLease: makeRefreshLease(sql),
        ...makeHealthRecords(sql, connections),
        // Keeps the version, so that a refresh in progress can save its tokens.
        reEncryption: yield* reEncryptRows(encryptedConnections(sql, vault))
      })
    })
  )

  /** A replacement publishes its changes to `Invalidation`. Otherwise calls see a change up to 500 ms late. */
  static readonly layerMemory: Layer.Layer<ConnectionStore, never, Invalidation> = Layer.effectContext(
    Effect.map(makeMemoryConnectionRepo(touchInterval), (store) => storeOf(store))
  ).pipe(Layer.provide(MemoryConnections.layer))
}

/** What stores connections. They are replaced together. */
export type ConnectionStore = ConnectionRepo | ConnectionTokens | ConnectionHealth

const storeOf = (store: ConnectionRepo["Service"] & ConnectionTokens["Service"] & ConnectionHealth["Service"]) =>
  Context.make(ConnectionRepo, store).pipe(
    Context.add(ConnectionTokens, store),
    Context.add(ConnectionHealth, store)
  )

/** 0 in a database that the service has not filled yet. */
export const countConnections = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 WHERE to_regclass('connections') IS NOT NULL`
  if (tables.length === 0) return 0
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM connections`
  return row?.count ?? 0
})

const encodeLastError = Schema.encodeSync(Schema.fromJsonString(LastError))

/** A replaced repository re-encrypts its own data. */
export const connectionSecrets: StoredSecrets<ConnectionTokens> = {
  cursor: "con_",
  lost: "connections",
  reEncryption: Effect.map(ConnectionTokens, ({ reEncryption }) => reEncryption)
}
