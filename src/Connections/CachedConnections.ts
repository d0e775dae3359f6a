import { Context, Effect, identity, Layer, Option } from "effect"
import type { Principal } from "../Domain/Access/Principal.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import { cachedLookup } from "../Sql/Notify/CachedLookup.ts"
import { ConnectionRepo } from "./ConnectionRepo.ts"
import { ConnectionTokens } from "./ConnectionTokens.ts"
import { credentialsIdOf } from "./Credentials.ts"

export class CachedConnections extends Context.Service<CachedConnections, {
  readonly find: (id: string) => Effect.Effect<Option.Option<StoredConnection>>
  readonly active: (
    clientIds: Principal["clientIds"],
    provider: string
  ) => Effect.Effect<ReadonlyArray<StoredConnection>>
  /** Connections of any status. */
  readonly all: (
    clientIds: Principal["clientIds"],
    provider: string
  ) => Effect.Effect<ReadonlyArray<StoredConnection>>
  /** The connections that use the same credentials: the parent first, then those derived from it. */
  readonly family: (connection: StoredConnection) => Effect.Effect<ReadonlyArray<ConnectionId>>
  readonly credentials: ConnectionTokens["Service"]["credentials"]
}>()("openaccounts/Connections/CachedConnections") {
  static readonly layer = Layer.effect(
    CachedConnections,
    Effect.gen(function*() {
      const connections = yield* ConnectionRepo
      const tokens = yield* ConnectionTokens

      const credentials = yield* cachedLookup(["connections"], tokens.credentials, identity)
      const prefetchCredentials = makePrefetchCredentials(credentials)

      const active = yield* cachedLookup(
        ["connections"],
        prefetchCredentials(
          ({ clientIds, provider }: ListKey) =>
            Effect.map(connections.list(clientIds, { provider, status: "active" }), nonEmpty),
          nameOfList,
          ([connection, ...others]) =>
            others.length === 0 && connection !== undefined ? credentialsIdOf(connection) : undefined
        ),
        nameOfList
      )

      const all = yield* cachedLookup(
        ["connections"],
        ({ clientIds, provider }: ListKey) => Effect.asSome(connections.list(clientIds, { provider })),
        nameOfList
      )

      const family = yield* cachedLookup(
        ["connections"],
        (id: ConnectionId) =>
          Effect.map(connections.derived(id), (derived) => Option.some([id, ...derived.map(({ id }) => id)])),
        identity
      )

      return CachedConnections.of({
        family: (connection) => Effect.map(family(credentialsIdOf(connection)), Option.getOrElse(() => [])),
        find: yield* cachedLookup(
          ["connections"],
          prefetchCredentials(connections.find, identity, credentialsIdOf),
          identity
        ),
        active: (clientIds, provider) => Effect.map(active({ clientIds, provider }), Option.getOrElse(() => [])),
        all: (clientIds, provider) => Effect.map(all({ clientIds, provider }), Option.getOrElse(() => [])),
        credentials
      })
    })
  )
}

const nonEmpty = Option.liftPredicate((found: ReadonlyArray<StoredConnection>) => found.length > 0)

interface ListKey {
  readonly clientIds: Principal["clientIds"]
  readonly provider: string
}

const nameOfList = ({ clientIds, provider }: ListKey): string => `${provider} ${clientIds?.join() ?? "*"}`

const capacity = 10_000

/**
 * Prefetches the credentials of the connection found last time. A call whose caches are out of date then waits for one
 * statement instead of two.
 */
const makePrefetchCredentials = (credentials: CachedConnections["Service"]["credentials"]) =>
<Key, A>(
  find: (key: Key) => Effect.Effect<Option.Option<A>>,
  nameOf: (key: Key) => string,
  idOf: (found: A) => ConnectionId | undefined
) => {
  const last = new Map<string, ConnectionId>()

  const remember = (name: string, found: Option.Option<A>) => {
    const id = Option.isSome(found) ? idOf(found.value) : undefined
    if (id === undefined) return last.delete(name)
    if (last.size >= capacity) last.clear()
    return last.set(name, id)
  }

  return (key: Key): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() => {
      const name = nameOf(key)
      const id = last.get(name)
      const lookup = Effect.tap(find(key), (found) => Effect.sync(() => remember(name, found)))
      if (id === undefined) return lookup
      // The step that uses the credentials reports a failure to load them.
      const both = Effect.all([lookup, Effect.exit(credentials(id))], { concurrency: "unbounded" })
      return Effect.map(both, ([found]) => found)
    })
}
