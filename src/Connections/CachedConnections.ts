import { Context, Effect, identity, Layer, Option } from "effect"
import type { Connection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import type { Principal } from "../Domain/Principal.ts"
import { cachedLookup } from "../Sql/CachedLookup.ts"
import { ConnectionRepo, type StoredCredentials } from "./ConnectionRepo.ts"

export class CachedConnections extends Context.Service<CachedConnections, {
  readonly find: (id: string) => Effect.Effect<Option.Option<Connection>>
  readonly active: (clientIds: Principal["clientIds"], provider: string) => Effect.Effect<ReadonlyArray<Connection>>
  readonly credentials: (id: ConnectionId) => Effect.Effect<Option.Option<StoredCredentials>>
}>()("openaccounts/Connections/CachedConnections") {
  static readonly layer = Layer.effect(
    CachedConnections,
    Effect.gen(function*() {
      const connections = yield* ConnectionRepo

      const active = yield* cachedLookup(
        ["connections"],
        ({ clientIds, provider }: { readonly clientIds: Principal["clientIds"]; readonly provider: string }) =>
          Effect.map(connections.list(clientIds, { provider, status: "active" }), nonEmpty),
        ({ clientIds, provider }) => `${provider} ${clientIds?.join() ?? "*"}`
      )

      return CachedConnections.of({
        find: yield* cachedLookup(["connections"], connections.find, identity),
        active: (clientIds, provider) => Effect.map(active({ clientIds, provider }), Option.getOrElse(() => [])),
        credentials: yield* cachedLookup(["connections"], connections.credentials, identity)
      })
    })
  )
}

const nonEmpty = Option.liftPredicate((found: ReadonlyArray<Connection>) => found.length > 0)
