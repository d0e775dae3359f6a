import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import { ConnectionInactive, type ConnectionNotFound, type ProviderCallError } from "../../Api/Errors.ts"
import { boundsOfConnection, boundsOfHolder } from "../../Domain/Access/Bounds.ts"
import { created, resourceOf } from "../../Domain/Access/Resource.ts"
import type { AccountResource, StoredConnection } from "../../Domain/Connection.ts"
import { CurrentScope } from "../../Domain/Request/ManagementScope.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { ProviderClient } from "../../Providers/ProviderClient.ts"
import { AccessTokens } from "../AccessTokens.ts"
import { ConnectionRepo } from "../ConnectionRepo.ts"
import { inactiveReason } from "../MissingConnection.ts"
import { BoundCalls } from "./BoundCalls.ts"
import { connectionInScope } from "./ConnectionInScope.ts"
import { CreatedFiles } from "./CreatedFiles.ts"
import { listAccount } from "./ListAccount.ts"

const maxAge = Duration.seconds(60)

interface Account {
  readonly connection: StoredConnection
  readonly provider: Provider
}

export class AccountResources extends Context.Service<AccountResources, {
  /**
   * What the account of a connection reaches, at most 60 s old: for files, those that are allowed or were created.
   * A caller that is limited to clients or resources sees only what is allowed.
   */
  readonly of: (
    id: string
  ) => Effect.Effect<ReadonlyArray<AccountResource>, ConnectionNotFound | ConnectionInactive | ProviderCallError>
}>()("openaccounts/Connections/Bounds/AccountResources") {
  static readonly layer = Layer.effect(
    AccountResources,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const boundCalls = yield* BoundCalls
      const catalog = yield* Catalog
      const connections = yield* ConnectionRepo
      const createdFiles = yield* CreatedFiles
      const client = yield* ProviderClient

      const ask = ({ connection, provider }: Account) =>
        listAccount(client, provider, accessTokens.access(connection, provider))

      const accounts = new Map<string, Account>()
      const listed = yield* Cache.makeWith((id: string) => {
        const account = accounts.get(id)
        return account === undefined ? Effect.succeed([]) : ask(account)
      }, { capacity: 1000, timeToLive: (exit) => Exit.isSuccess(exit) ? maxAge : Duration.zero })

      const list = (account: Account) =>
        Effect.suspend(() => {
          const { id } = account.connection
          accounts.set(id, account)
          return Effect.ensuring(Cache.get(listed, id), Effect.sync(() => accounts.delete(id)))
        })

      const files = Effect.fnUntraced(function*({ connection, provider }: Account) {
        const { id, parent_id, parent_resources, resources } = connection
        const made = yield* createdFiles.of([id, ...parent_id === null ? [] : [parent_id]])
        const all = [...resources ?? [], ...parent_resources ?? [], ...made]
        return all.filter((resource) =>
          resource.startsWith(`${provider.id}:`) && resource !== resourceOf(provider.id, created)
        )
      })

      return AccountResources.of({
        of: Effect.fn("AccountResources.of")(function*(id) {
          const { clientIds, key } = yield* CurrentScope
          const ofKey = key === undefined ? [] : boundsOfHolder(key.keyId, key.resources)
          const connection = yield* connectionInScope(connections, id)
          const provider = yield* Effect.orDie(catalog.provider(connection.provider))
          if (connection.status !== "active") {
            return yield* new ConnectionInactive({
              details: { provider: provider.id, reason: inactiveReason(connection) }
            })
          }
          const account = { connection, provider }
          const names = new Map<string, string>()
          for (const resource of yield* files(account)) names.set(resource, resource.slice(provider.id.length + 1))
          for (const { name, title } of yield* list(account)) {
            const canonical = provider.resourceName(name)
            if (canonical !== undefined) names.set(resourceOf(provider.id, canonical), title)
          }
          const bounds = [...boundsOfConnection(connection), ...ofKey]
          const allowed = yield* boundCalls.inside(bounds, provider, [...names.keys()])
          return [...names]
            .map(([resource, name]) => ({ resource, name, allowed: allowed.has(resource) }))
            .filter(({ allowed }) => clientIds === null && ofKey.length === 0 || allowed)
        })
      })
    })
  ).pipe(Layer.provide([AccessTokens.layer, BoundCalls.layer, CreatedFiles.layer]))
}
