import { Clock, Context, Duration, Effect, identity, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { AuthType, Connection, ConnectionFilter } from "../Domain/Connection.ts"
import { type ClientId, ConnectionId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkInsert.ts"
import { cachedLookup } from "../Sql/CachedLookup.ts"
import { Invalidation } from "../Sql/Invalidation.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { selectPage } from "../Sql/Paged.ts"
import { type Credentials, parseCredentials } from "./Credentials.ts"
import { type Sealed, Vault } from "./Vault.ts"

export interface NewConnection {
  readonly provider: string
  readonly authType: AuthType
  /** The JSON form of `Credentials`. */
  readonly credentials: Redacted.Redacted
  readonly clientId: ClientId | null
  readonly label: string
  readonly externalAccount: string | null
  readonly scopes: ReadonlyArray<string>
}

export interface StoredCredentials {
  readonly credentials: Credentials
  /** Grows with every change; a change made for an older version is not made. */
  readonly version: number
}

/** Which clients' connections somebody sees; `null`: all, and those without a client. */
export type Visibility = ReadonlyArray<ClientId> | null

/** The connections and their credentials. Once a connection is written here, every instance sees it. */
export class ConnectionRepo extends Context.Service<ConnectionRepo, {
  readonly create: (connection: NewConnection) => Effect.Effect<Connection>
  readonly find: (id: string) => Effect.Effect<Option.Option<Connection>>
  /** Newest first. */
  readonly list: (visibility: Visibility, filter: ConnectionFilter) => Effect.Effect<ReadonlyArray<Connection>>
  /** None once the connection is revoked: its credentials are gone. */
  readonly credentials: (id: ConnectionId) => Effect.Effect<Option.Option<StoredCredentials>>
  /** What calls go by: as it was at most half a second ago, and mostly without asking the database. */
  readonly recent: {
    readonly find: (id: string) => Effect.Effect<Option.Option<Connection>>
    /** The active connections to a provider. */
    readonly active: (visibility: Visibility, provider: string) => Effect.Effect<ReadonlyArray<Connection>>
    readonly credentials: (id: ConnectionId) => Effect.Effect<Option.Option<StoredCredentials>>
  }
  /** All of them, newest first, a page at a time. */
  readonly page: (filter: ConnectionFilter, page: PageRequest) => Effect.Effect<Page<Connection>>
  /** New tokens of the same grant: what a refresh returned. Does nothing when the credentials have changed since. */
  readonly saveTokens: (id: ConnectionId, version: number, credentials: Redacted.Redacted) => Effect.Effect<void>
  /** New credentials: the connection is active again. */
  readonly reconnect: (
    id: ConnectionId,
    authType: AuthType,
    credentials: Redacted.Redacted
  ) => Effect.Effect<Option.Option<Connection>>
  /** The grant is dead. Does nothing when the credentials have changed since. */
  readonly expire: (id: ConnectionId, version: number) => Effect.Effect<void>
  /** Forgets the credentials. */
  readonly revoke: (id: ConnectionId) => Effect.Effect<Option.Option<Connection>>
  /** Moves `last_used_at`. */
  readonly touch: (id: ConnectionId) => Effect.Effect<void>
  /**
   * Lets one caller among all instances refresh a connection's token: true for the one who may. The claim ends with
   * `saveTokens`, `expire` or `reconnect`, with `releaseRefresh`, or by itself after `lease`.
   */
  readonly claimRefresh: (id: ConnectionId, version: number, lease: Duration.Duration) => Effect.Effect<boolean>
  /** For the one who has the claim and is still at it: another `lease` from now on. */
  readonly extendRefresh: (id: ConnectionId, version: number, lease: Duration.Duration) => Effect.Effect<void>
  readonly releaseRefresh: (id: ConnectionId, version: number) => Effect.Effect<void>
}>()("openaccounts/Connections/ConnectionRepo") {
  static readonly layer = Layer.effect(
    ConnectionRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const changes = yield* Invalidation
      const touch = yield* lastUsed("connections", Duration.seconds(10))

      const columns =
        sql`id, provider, auth_type, label, client_id, external_account, scopes, status, last_used_at, created_at`

      const matches = (filter: ConnectionFilter) =>
        sql.and([
          sql`true`,
          ...(filter.provider === undefined ? [] : [sql`provider = ${filter.provider}`]),
          ...(filter.client_id === undefined ? [] : [sql`client_id = ${filter.client_id}`]),
          ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`])
        ])

      /** Whatever an effect changed, every instance learns of it. */
      const telling = <A>(id: ConnectionId, change: Effect.Effect<A, SqlError>) =>
        Effect.orDie(Effect.tap(change, () => changes.publish({ table: "connections", id })))

      const find = (id: string) =>
        Effect.orDie(Effect.map(sql<Connection>`SELECT ${columns} FROM connections WHERE id = ${id}`, one))

      const list = (visibility: Visibility, filter: ConnectionFilter) => {
        const visible = visibility === null ? sql`true` : sql`client_id = ANY(${textArray(visibility)})`
        return Effect.orDie(sql<Connection>`
          SELECT ${columns} FROM connections WHERE ${visible} AND ${matches(filter)} ORDER BY id DESC`)
      }

      const credentials = Effect.fnUntraced(function*(id: ConnectionId) {
        const rows = yield* sql<Sealed & { readonly authType: AuthType; readonly version: number }>`
          SELECT auth_type AS "authType", version, credentials AS bytes, encryption_key_id AS "encryptionKeyId"
          FROM connections WHERE id = ${id} AND credentials IS NOT NULL`
        if (rows[0] === undefined) return Option.none()
        const { authType, version, ...sealed } = rows[0]
        const text = yield* vault.open(id, sealed)
        const credentials = yield* Effect.fromResult(parseCredentials(authType, JSON.parse(Redacted.value(text))))
        return Option.some({ version, credentials })
      }, Effect.orDie)

      const recentlyActive = yield* cachedLookup(
        ["connections"],
        ({ provider, visibility }: { readonly visibility: Visibility; readonly provider: string }) =>
          Effect.map(list(visibility, { provider, status: "active" }), nonEmpty),
        ({ provider, visibility }) => `${provider} ${visibility?.join() ?? "*"}`
      )

      const change = (id: ConnectionId, credentials: Redacted.Redacted) => {
        const { bytes, encryptionKeyId } = vault.seal(id, credentials)
        return sql`credentials = ${bytes}, encryption_key_id = ${encryptionKeyId}, version = version + 1,
          refreshing_until = NULL`
      }

      return ConnectionRepo.of({
        create: Effect.fn("ConnectionRepo.create")(function*(connection) {
          const id = ConnectionId.make(yield* newId("con"))
          const sealed = vault.seal(id, connection.credentials)
          const row = {
            id,
            client_id: connection.clientId,
            provider: connection.provider,
            auth_type: connection.authType,
            label: connection.label,
            external_account: connection.externalAccount,
            scopes: textArray(connection.scopes),
            status: "active",
            credentials: sealed.bytes,
            encryption_key_id: sealed.encryptionKeyId,
            version: 1,
            created_at: new Date(yield* Clock.currentTimeMillis)
          }
          const rows = yield* telling(
            id,
            sql<Connection>`INSERT INTO connections ${sql.insert(row)} RETURNING ${columns}`
          )
          return yield* Effect.orDie(Effect.fromNullishOr(rows[0]))
        }),
        find,
        list,
        credentials,
        recent: {
          find: yield* cachedLookup(["connections"], find, identity),
          active: (visibility, provider) =>
            Effect.map(recentlyActive({ visibility, provider }), Option.getOrElse(() => [])),
          credentials: yield* cachedLookup(["connections"], credentials, identity)
        },
        page: (filter, { cursor, limit }) =>
          selectPage<Connection>(
            limit,
            (count) =>
              sql`SELECT ${columns} FROM connections
                WHERE ${matches(filter)} AND ${cursor === undefined ? sql`true` : sql`id < ${cursor}`}
                ORDER BY id DESC LIMIT ${count}`
          ),
        saveTokens: (id, version, credentials) =>
          Effect.asVoid(telling(
            id,
            sql`UPDATE connections SET ${change(id, credentials)} WHERE id = ${id} AND version = ${version}`
          )),
        reconnect: (id, authType, credentials) =>
          Effect.map(
            telling(
              id,
              sql<Connection>`
                UPDATE connections SET ${change(id, credentials)}, auth_type = ${authType}, status = 'active'
                WHERE id = ${id} RETURNING ${columns}`
            ),
            one
          ),
        expire: (id, version) =>
          Effect.asVoid(telling(
            id,
            sql`
              UPDATE connections SET status = 'expired', refreshing_until = NULL
              WHERE id = ${id} AND version = ${version} AND status = 'active'`
          )),
        revoke: (id) =>
          Effect.map(
            telling(
              id,
              sql<Connection>`
                UPDATE connections SET status = 'revoked', credentials = NULL, version = version + 1
                WHERE id = ${id} RETURNING ${columns}`
            ),
            one
          ),
        touch: (id) => touch(id),
        claimRefresh: Effect.fnUntraced(function*(id, version, lease) {
          const now = yield* Clock.currentTimeMillis
          const rows = yield* sql`
            UPDATE connections SET refreshing_until = ${new Date(now + Duration.toMillis(lease))}
            WHERE id = ${id} AND version = ${version}
              AND (refreshing_until IS NULL OR refreshing_until < ${new Date(now)})
            RETURNING id`
          return rows.length === 1
        }, Effect.orDie),
        extendRefresh: Effect.fnUntraced(function*(id, version, lease) {
          const until = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(lease))
          yield* sql`
            UPDATE connections SET refreshing_until = ${until}
            WHERE id = ${id} AND version = ${version} AND refreshing_until IS NOT NULL`
        }, Effect.orDie),
        releaseRefresh: (id, version) =>
          Effect.orDie(Effect.asVoid(
            sql`UPDATE connections SET refreshing_until = NULL WHERE id = ${id} AND version = ${version}`
          ))
      })
    })
  )
}

const one = (rows: ReadonlyArray<Connection>): Option.Option<Connection> => Option.fromUndefinedOr(rows[0])

const nonEmpty = Option.liftPredicate((rows: ReadonlyArray<Connection>) => rows.length > 0)
