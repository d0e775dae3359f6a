import { Context, Effect, Layer, Option } from "effect"
import { type ConnectionNotFound, InvalidInput, type ProviderNotFound } from "../../Api/Errors.ts"
import type { ClientNotFound } from "../../Api/ManagementErrors.ts"
import { Audit } from "../../Audit/Audit.ts"
import { unknownConnection } from "../../Connections/Bounds/ConnectionInScope.ts"
import { ConnectFlow } from "../../Connections/Connect/ConnectFlow.ts"
import { OpenLinks } from "../../Connections/Connect/OpenLinks.ts"
import { ConnectionRepo, type RevokedConnection } from "../../Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { Clients } from "../../Management/Clients.ts"
import { Keys } from "../../Management/Keys.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { RevocationNotFound } from "./Contract.ts"
import type { NewRevocation, Revocation } from "./Revocation.ts"
import { type NewLine, RevocationQueue } from "./RevocationQueue.ts"

export class Revocations extends Context.Service<Revocations, {
  /** When it returns, the connections are revoked in this service. `RevocationRunner` does the rest. */
  readonly start: (
    revocation: NewRevocation
  ) => Effect.Effect<Revocation, InvalidInput | ClientNotFound | ProviderNotFound | ConnectionNotFound>
  readonly find: (id: string) => Effect.Effect<Revocation, RevocationNotFound>
}>()("openaccounts/Features/Revocation/Revocations") {
  static readonly layer = Layer.effect(
    Revocations,
    Effect.gen(function*() {
      const audit = yield* Audit
      const catalog = yield* Catalog
      const clients = yield* Clients
      const connectFlow = yield* ConnectFlow
      const connections = yield* ConnectionRepo
      const tokens = yield* ConnectionTokens
      const keys = yield* Keys
      const links = yield* OpenLinks
      const queue = yield* RevocationQueue

      /** Finds the selected connections. Some may already be revoked. */
      const select = Effect.fnUntraced(function*({ client_id, connection_ids, provider }: NewRevocation) {
        if (provider !== undefined) yield* catalog.provider(provider)
        const all = yield* connections.list(null, {
          ...client_id === undefined ? {} : { client_id },
          ...provider === undefined ? {} : { provider }
        })
        if (connection_ids === undefined) return all
        const byId = new Map<string, StoredConnection>(all.map((connection) => [connection.id, connection]))
        return yield* Effect.forEach(new Set(connection_ids), (id) => {
          const connection = byId.get(id)
          return connection === undefined
            ? Effect.fail(unknownConnection(id))
            : Effect.succeed(connection)
        })
      })

      const lineOf = Effect.fnUntraced(function*(
        { connection, credentials }: RevokedConnection,
        sharedWith: ReadonlyArray<ConnectionId>
      ) {
        const line = emptyLine(connection, sharedWith)
        if (connection.parent_id !== null) return line
        const provider = yield* Effect.orDie(catalog.provider(connection.provider))
        if (connection.auth_type !== "oauth" || provider.identity?.revoke === undefined) {
          return { ...line, atProvider: "unsupported" } satisfies NewLine
        }
        return yield* Effect.match(credentials, {
          onSuccess: (text): NewLine => ({ ...line, credentials: Option.getOrNull(text) }),
          onFailure: ({ message }): NewLine => ({
            ...line,
            atProvider: "failed",
            error: { code: "internal_error", message: `${message}. The token could not be revoked.` }
          })
        })
      })

      const find = Effect.fnUntraced(function*(id: string) {
        const found = yield* queue.find(id)
        if (Option.isSome(found)) return found.value
        return yield* new RevocationNotFound({ message: `There is no revocation with the id "${id}".` })
      })

      return Revocations.of({
        start: Effect.fn("Revocations.start")(function*(request) {
          yield* requireOneSelector(request)
          const { keys: withKeys = false, with_shared: withShared = false, ...selector } = request
          const [clientId = null] = request.client_id === undefined
            ? []
            : yield* clients.requireIds([request.client_id])
          const selected = yield* select(request)
          const named = selected.map(({ id }) => id)
          const sharing = withShared ? yield* tokens.sharing(named) : []
          const ids = [...new Set([...named, ...sharing.map(({ sharedWith }) => sharedWith)])]
          // Calls need not wait for the rest, which takes longer the more connections there are.
          yield* connections.stop(ids)
          const shared = Map.groupBy(yield* tokens.sharing(ids), ({ id }) => id)
          const sharedWith = (id: ConnectionId) => (shared.get(id) ?? []).map(({ sharedWith }) => sharedWith)
          const { id } = yield* audit.change(
            Effect.gen(function*() {
              // Before the connections are locked: a link's confirmation takes the locks in the same order.
              yield* connectFlow.abandon(ids)
              yield* links.endOf(ids)
              const revoked = yield* connections.revoke(ids)
              const keysRevoked = withKeys ? yield* keys.revokeOf(clientId) : null
              const done = new Set<ConnectionId>(revoked.map(({ connection }) => connection.id))
              const before = (request.connection_ids === undefined ? [] : selected)
                .filter(({ id }) => !done.has(id))
                .map((connection) => ({ ...emptyLine(connection, []), announced: true }))
              const lines = [
                ...yield* Effect.forEach(revoked, (each) => lineOf(each, sharedWith(each.connection.id))),
                ...before
              ]
              return { id: yield* queue.create({ selector, keysRevoked, lines }), keysRevoked, count: revoked.length }
            }),
            ({ count, id, keysRevoked }) => [{
              action: "revocation.started",
              subject: id,
              details: {
                ...selector,
                ...withShared ? { with_shared: true } : {},
                connections: count,
                keys_revoked: keysRevoked
              }
            }]
          )
          return yield* Effect.orDie(find(id))
        }),
        find
      })
    })
  ).pipe(
    Layer.provide([Clients.layer, ConnectFlow.layer, Keys.layer, RevocationQueue.layer])
  )
}

const emptyLine = (
  { id, provider }: StoredConnection,
  sharedWith: ReadonlyArray<ConnectionId>
): NewLine => ({
  connectionId: id,
  provider,
  credentials: null,
  announced: false,
  atProvider: null,
  error: null,
  sharedWith
})

const selectors = ["client_id", "provider", "connection_ids", "all"] as const

const requireOneSelector = (request: NewRevocation) => {
  const named = selectors.filter((name) => request[name] !== undefined)
  if (named.length !== 1) {
    return Effect.fail(
      new InvalidInput({
        details: (named.length === 0 ? selectors : named).map((name) => ({
          path: [name],
          message: "Name exactly one of `client_id`, `provider`, `connection_ids` and `all`"
        }))
      })
    )
  }
  return request.keys === true && request.client_id === undefined && request.all === undefined
    ? Effect.fail(InvalidInput.at("keys", "Only with `client_id` or `all`"))
    : Effect.void
}
