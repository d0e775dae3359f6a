import { Context, Effect, Exit, Layer, Option } from "effect"
import {
  ConnectionInactive,
  type ConnectionNotFound,
  Forbidden,
  type InternalError,
  InvalidInput,
  type ProviderCallError,
  type ProviderNotFound
} from "../Api/Errors.ts"
import type { ClientNotFound, ConnectionDerived } from "../Api/ManagementErrors.ts"
import { Audit } from "../Audit/Audit.ts"
import { Cache } from "../Calls/Cache/Cache.ts"
import { lacksEncryptionKey } from "../Connections/AccessTokens.ts"
import { connectionInScope } from "../Connections/Bounds/ConnectionInScope.ts"
import { readResources } from "../Connections/Bounds/ReadResources.ts"
import { makeAuditedCredentials } from "../Connections/Connect/AuditedCredentials.ts"
import { ConnectFlow } from "../Connections/Connect/ConnectFlow.ts"
import { ConnectMethods } from "../Connections/Connect/ConnectMethods.ts"
import { OpenLinks } from "../Connections/Connect/OpenLinks.ts"
import { connectionCreated, connectionRevoked } from "../Connections/ConnectionChanges.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import { ConnectionTests } from "../Connections/ConnectionTests.ts"
import { ConnectionTokens } from "../Connections/ConnectionTokens.ts"
import { parseStoredCredentials } from "../Connections/Credentials.ts"
import { inactiveReason } from "../Connections/MissingConnection.ts"
import type {
  ConnectionChange,
  ConnectionFilter,
  ConnectRequest,
  CreateConnection,
  NewCredentials,
  StoredConnection
} from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentScope } from "../Domain/Request/ManagementScope.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import { Catalog } from "../Providers/Catalog/Catalog.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import { Clients } from "./Clients.ts"
import { makeAcceptCredentials } from "./Connections/AcceptCredentials.ts"
import { makeDropStaleResponses } from "./Connections/StaleResponses.ts"
import { makeRequireOwnReach } from "./Connections/WidenedBounds.ts"
import { requireCredentials, requireDerivable, requireOwn, revokedParent } from "./DerivedConnections.ts"
import { accountOf, checkAuthType, validateCredentials } from "./GivenCredentials.ts"

export class ManagedConnections extends Context.Service<ManagedConnections, {
  /** With `test`, here and in `reconnect`, the credentials are stored only if the provider accepts them. */
  readonly create: (
    connection: CreateConnection
  ) => Effect.Effect<
    StoredConnection,
    ProviderNotFound | InvalidInput | ClientNotFound | ConnectionNotFound | Forbidden | ProviderCallError
  >
  readonly list: (filter: ConnectionFilter, page: PageRequest) => Effect.Effect<Page<StoredConnection>>
  readonly change: (
    id: string,
    change: ConnectionChange
  ) => Effect.Effect<StoredConnection, ConnectionNotFound | ClientNotFound | InvalidInput | Forbidden | InternalError>
  readonly reconnect: (
    id: string,
    credentials: NewCredentials
  ) => Effect.Effect<
    StoredConnection,
    InvalidInput | ConnectionNotFound | ConnectionDerived | ClientNotFound | ProviderCallError
  >
  /** Also revokes the token at the provider, best effort, unless another active connection uses it. */
  readonly revoke: (id: string) => Effect.Effect<StoredConnection, ConnectionNotFound>
  /** Returns the milliseconds that the test took. */
  readonly test: (id: string) => Effect.Effect<number, ConnectionNotFound | ConnectionInactive | ProviderCallError>
  readonly connect: (
    request: ConnectRequest
  ) => Effect.Effect<
    string,
    ProviderNotFound | InvalidInput | ClientNotFound | ConnectionNotFound | ConnectionDerived | Forbidden
  >
  readonly finishConnect: ConnectFlow["Service"]["finish"]
}>()("openaccounts/Management/ManagedConnections") {
  static readonly layer = Layer.effect(
    ManagedConnections,
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const clients = yield* Clients
      const connections = yield* ConnectionRepo
      const tokens = yield* ConnectionTokens
      const tests = yield* ConnectionTests
      const connectFlow = yield* ConnectFlow
      const links = yield* OpenLinks
      const oauth = yield* OAuth
      const cache = yield* Cache
      const audit = yield* Audit
      const stored = yield* makeAuditedCredentials
      const dropStaleResponses = yield* makeDropStaleResponses
      const requireOwnReach = yield* makeRequireOwnReach
      const accept = yield* makeAcceptCredentials

      const find = (id: string) => connectionInScope(connections, id)

      const findClient = Effect.fnUntraced(function*(id: string | null = null) {
        if (id !== null) return (yield* clients.requireIds([id]))[0] ?? null
        const { clientIds } = yield* CurrentScope
        return clientIds === null ? null : yield* new Forbidden({ message: needsClient })
      })

      const derive = Effect.fnUntraced(function*(request: CreateConnection, parent: StoredConnection) {
        yield* requireDerivable(parent)
        const provider = yield* Effect.orDie(catalog.provider(parent.provider))
        const clientId = yield* findClient(request.client_id)
        const resources = yield* readResources(catalog, request.resources ?? null, provider)
        const created = connections.derive({ parentId: parent.id, clientId, label: request.label, resources })
        const made = yield* audit.change(
          Effect.andThen(clients.hold(clientId), created),
          Option.match({ onNone: () => [], onSome: connectionCreated })
        )
        return Option.isSome(made) ? made.value : yield* revokedParent
      })

      /** Runs before the connection is locked: a link's confirmation takes the locks in the same order. */
      const endReconnections = (id: ConnectionId) => Effect.andThen(connectFlow.abandon([id]), links.endOf([id]))

      const startReconnect = Effect.fnUntraced(function*(request: ConnectRequest, id: string) {
        const connection = yield* requireOwn(yield* find(id))
        yield* clients.hold(connection.client_id)
        const changed = (["provider", "client_id"] as const)
          .filter((name) => request[name] !== undefined && request[name] !== connection[name])
        if (changed.length > 0) {
          return yield* new InvalidInput({
            details: changed.map((name) => ({
              path: [name],
              message: `The connection has another ${name}. Leave it out`
            }))
          })
        }
        const provider = yield* Effect.orDie(catalog.provider(connection.provider))
        yield* InvalidInput.fromResult(checkAuthType(provider, "oauth", "connection_id"))
        const before = connection.auth_type === "oauth" && connection.scopes.length > 0 ? connection.scopes : undefined
        return yield* connectFlow.start({
          connectionId: connection.id,
          provider,
          clientId: connection.client_id,
          label: connection.label,
          scopes: request.scopes ?? before ?? provider.scopes.write
        })
      })

      return ManagedConnections.of({
        create: Effect.fn("ManagedConnections.create")(function*(connection) {
          const { label, parent_id, scopes = [] } = connection
          if (parent_id !== undefined) return yield* derive(connection, yield* find(parent_id))
          const { auth_type, ...given } = yield* requireCredentials(connection)
          const provider = yield* catalog.provider(given.provider)
          const credentials = yield* validateCredentials(provider, auth_type, given.credentials)
          const clientId = yield* findClient(connection.client_id)
          const resources = yield* readResources(catalog, connection.resources ?? null, provider)
          const text = yield* accept({ ...connection, provider, credentials, scopes }, clientId)
          const create = connections.create({
            provider: provider.id,
            authType: auth_type,
            credentials: text,
            clientId,
            label,
            externalAccount: accountOf({ ...connection, ...given }),
            scopes,
            resources
          })
          return yield* stored.created(Effect.andThen(clients.hold(clientId), create))
        }),

        list: (filter, page) =>
          Effect.flatMap(CurrentScope, ({ clientIds }) => connections.page(clientIds, filter, page)),

        change: Effect.fn("ManagedConnections.change")(function*(id, { client_id, label, ...given }) {
          const before = yield* find(id)
          const provider = yield* Effect.orDie(catalog.provider(before.provider))
          const resources = given.resources === undefined
            ? undefined
            : yield* readResources(catalog, given.resources, provider)
          if (resources !== undefined) yield* requireOwnReach(before, provider, resources)
          const clientId = client_id === undefined ? before.client_id : yield* findClient(client_id)
          const change = clientId === before.client_id
            ? connections.change(before.id, { label, resources })
            : Effect.all([endReconnections(before.id), clients.hold(clientId)]).pipe(
              Effect.andThen(connections.change(before.id, { label, clientId, resources }))
            )
          const changed = Effect.flatMap(
            change,
            (after) => Option.isSome(after) ? Effect.succeed(after.value) : find(id)
          )
          return yield* stored.changed(before, changed).pipe(Effect.catchTag("DecryptionFailed", lacksEncryptionKey))
        }),

        reconnect: Effect.fn("ManagedConnections.reconnect")(function*(id, { auth_type, test, ...given }) {
          const connection = yield* requireOwn(yield* find(id))
          const provider = yield* Effect.orDie(catalog.provider(connection.provider))
          const authType = auth_type ?? connection.auth_type
          const credentials = yield* validateCredentials(provider, authType, given.credentials)
          const { client_id, scopes } = connection
          const text = yield* accept({ provider, credentials, scopes, test }, client_id)
          const reconnect = connections.reconnect(connection.id, {
            authType,
            credentials: text,
            externalAccount: accountOf(given)
          })
          const reconnected = yield* stored.replaced(Effect.andThen(clients.hold(client_id), reconnect))
          yield* dropStaleResponses(connection.id)
          return Option.isSome(reconnected) ? reconnected.value : yield* find(id)
        }),

        revoke: Effect.fn("ManagedConnections.revoke")(function*(id) {
          const connection = yield* find(id)
          const provider = yield* Effect.orDie(catalog.provider(connection.provider))
          const notAtProvider = (error: unknown) =>
            Effect.logWarning(`Could not revoke ${connection.id} at the provider; it is revoked here`, error)
          const revoked = yield* audit.change(
            Effect.andThen(
              endReconnections(connection.id),
              Effect.zip(tokens.sharing([connection.id]), connections.revoke([connection.id]))
            ),
            ([shared, revoked]) =>
              revoked.map(({ connection: one }) =>
                connectionRevoked(one, shared.flatMap(({ id, sharedWith }) => id === one.id ? [sharedWith] : []))
              )
          ).pipe(Effect.map(([, revoked]) => revoked))
          const ids = [connection.id, ...revoked.map(({ connection }) => connection.id)]
          yield* Effect.forEach(ids, cache.drop, { discard: true })
          const [own] = revoked
          if (own === undefined) return yield* find(id)
          const text = yield* Effect.catch(own.credentials, (error) => Effect.as(notAtProvider(error), Option.none()))
          if (Option.isSome(text) && provider.identity !== undefined) {
            const credentials = yield* parseStoredCredentials(own.connection.auth_type, text.value)
            if (credentials.type === "oauth") {
              const { refresh_token } = credentials.oauth
              // Asked after the commit: of revocations at the same time, the last one sees no other connection.
              const holders = yield* tokens.withToken(refresh_token)
              if (!holders.some(({ status }) => status === "active")) {
                yield* Effect.catch(oauth.revoke(provider.identity, refresh_token), notAtProvider)
              }
            }
          }
          return own.connection
        }),

        test: Effect.fn("ManagedConnections.test")(function*(id) {
          const connection = yield* find(id)
          if (connection.status !== "active") {
            return yield* new ConnectionInactive({
              details: { provider: connection.provider, reason: inactiveReason(connection) }
            })
          }
          const provider = yield* Effect.orDie(catalog.provider(connection.provider))
          return yield* Effect.onExit(tests.stored(connection, provider), (exit) =>
            audit.change(Effect.void, () => [{
              action: "connection.tested",
              subject: connection.id,
              details: { ok: Exit.isSuccess(exit) }
            }]))
        }),

        connect: Effect.fn("ManagedConnections.connect")(function*(request) {
          if (request.connection_id !== undefined) return yield* startReconnect(request, request.connection_id)
          const { client_id, label, provider: id, scopes } = request
          if (id === undefined || label === undefined) {
            return yield* new InvalidInput({ details: issuesOfSignIn(request) })
          }
          const provider = yield* catalog.provider(id)
          yield* InvalidInput.fromResult(checkAuthType(provider, "oauth", "provider"))
          return yield* connectFlow.start({
            connectionId: null,
            provider,
            clientId: yield* findClient(client_id),
            label,
            scopes: scopes ?? provider.scopes.write
          })
        }),

        finishConnect: (callback) =>
          Effect.tap(
            connectFlow.finish(callback),
            (finished) => finished._tag === "Connected" ? dropStaleResponses(finished.connection.id) : Effect.void
          )
      })
    })
  ).pipe(
    Layer.provide([Clients.layer, ConnectionTests.layer, ConnectFlow.layer, ConnectMethods.layer])
  )
}

const needsClient = "Name one of your clients as `client_id`: only members without limits use connections without one."

/** What a sign-in for a new connection lacks. */
export const issuesOfSignIn = (sent: object): ReadonlyArray<Issue> =>
  ["provider", "label"].filter((name) => !("connection_id" in sent) && !(name in sent))
    .map((name) => ({ path: [name], message: "Required without `connection_id`" }))
