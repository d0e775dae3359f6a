import { Effect } from "effect"
import { AccountResources } from "../../../Connections/Bounds/AccountResources.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import { createdWord, resourceOf } from "../../../Domain/Access/Resource.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { CurrentScope } from "../../../Domain/Request/ManagementScope.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"

export interface ReachableResource {
  readonly resource: string
  readonly name: string
}

/** What one connection reaches. `undefined` if the provider did not list it. */
export interface Reachable {
  readonly connection: Connection
  readonly resources: ReadonlyArray<ReachableResource> | undefined
}

/** At most this many connections are asked. */
export const maxAsked = 20

/** Lists what connections reach, at most 60 s old. Each resource is listed once. */
export const makeReachableResources = Effect.gen(function*() {
  const accounts = yield* AccountResources
  const catalog = yield* Catalog

  const of = Effect.fnUntraced(function*(connection: Connection) {
    const provider = yield* Effect.orDie(catalog.provider(connection.provider))
    const isOfFiles = provider.listResources === undefined
    const own = isOfFiles
      ? [{ resource: resourceOf(provider.id, createdWord), name: "New files that it makes itself" }]
      : []
    const listed = yield* Effect.option(accounts.of(connection.id))
    return listed._tag === "None"
      ? { connection, resources: undefined }
      : { connection, resources: [...own, ...listed.value.filter(({ allowed }) => allowed)] }
  })

  return Effect.fn("ReachableResources")(function*(
    { clientIds, memberId }: SessionPrincipal,
    connections: ReadonlyArray<Connection>
  ): Effect.fn.Return<ReadonlyArray<Reachable>> {
    const asked = connections.filter(({ status }) => status === "active").slice(0, maxAsked)
    const all = yield* Effect.provideService(
      Effect.forEach(asked, of, { concurrency: 5 }),
      CurrentScope,
      { clientIds, memberId }
    )
    const seen = new Set<string>()
    return all.map(({ connection, resources }) => ({
      connection,
      resources: resources?.filter(({ resource }) => !seen.has(resource) && seen.add(resource))
    }))
  })
})
