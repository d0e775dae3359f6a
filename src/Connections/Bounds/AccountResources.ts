import { Cache, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { ConnectionInactive, type ConnectionNotFound, type ProviderCallError } from "../../Api/Errors.ts"
import { CredentialsRejected } from "../../Api/Errors/ProviderErrors.ts"
import { type Bounds, boundsOfConnection, boundsOfHolder } from "../../Domain/Access/Bounds.ts"
import { createdWord, type Resource, resourceOf } from "../../Domain/Access/Resource.ts"
import type { AccountResource, StoredConnection } from "../../Domain/Connection.ts"
import { CurrentScope } from "../../Domain/Request/ManagementScope.ts"
import { maxNamed, nearest } from "../../Domain/Text/Nearest.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../Providers/Provider.ts"
import type { ProviderRequest } from "../../Providers/ProviderClient.ts"
import { namedResource } from "../../Providers/Resources.ts"
import { makeServiceClient } from "../../Providers/Sending/SendSteps.ts"
import { AccessTokens } from "../AccessTokens.ts"
import { ConnectionRepo } from "../ConnectionRepo.ts"
import { inactiveReason } from "../MissingConnection.ts"
import { SetupChecks } from "../SetupChecks.ts"
import { BoundCalls } from "./BoundCalls.ts"
import { connectionInScope } from "./ConnectionInScope.ts"
import { CreatedFiles } from "./CreatedFiles.ts"
import { listAccount } from "./ListAccount.ts"

const maxAge = Duration.seconds(60)
/** A refused list is kept this long, so that each failing call does not ask again. */
const refusalMaxAge = Duration.seconds(5)
/** An error waits at most this long for the list of resources that it names. */
const explainTimeout = Duration.seconds(5)

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
  /**
   * Fails with the refusal of a request. If it is about a resource, and the account can list what it reaches, the error
   * says so and names the nearest resources inside `bounds`. If the list is refused too, it fails with that refusal.
   */
  readonly explain: (
    refusal: CredentialsRejected,
    request: ProviderRequest,
    connection: StoredConnection,
    bounds: Bounds
  ) => Effect.Effect<never, ProviderCallError>
}>()("openaccounts/Connections/Bounds/AccountResources") {
  static readonly layer = Layer.effect(
    AccountResources,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const boundCalls = yield* BoundCalls
      const catalog = yield* Catalog
      const connections = yield* ConnectionRepo
      const createdFiles = yield* CreatedFiles
      const client = yield* makeServiceClient
      const { named } = yield* SetupChecks

      const ask = ({ connection, provider }: Account) =>
        listAccount(client, provider, accessTokens.access(connection, provider)).pipe(
          Effect.mapError((error) => named(error, { provider, connection }))
        )

      const accounts = new Map<string, Account>()
      const listed = yield* Cache.makeWith((id: string) => {
        const account = accounts.get(id)
        return account === undefined ? Effect.succeed([]) : ask(account)
      }, { capacity: 1000, timeToLive })

      const list = (account: Account) =>
        Effect.suspend(() => {
          const { id } = account.connection
          accounts.set(id, account)
          return Effect.ensuring(Cache.get(listed, id), Effect.sync(() => accounts.delete(id)))
        })

      const files = Effect.fnUntraced(function* files({ connection, provider }: Account) {
        const { id, parent_id, parent_resources, resources } = connection
        const made = yield* createdFiles.of([id, ...parent_id === null ? [] : [parent_id]])
        const all = [...resources ?? [], ...parent_resources ?? [], ...made]
        return all.filter((resource) =>
          resource.startsWith(`${provider.id}:`) && resource !== resourceOf(provider.id, createdWord)
        )
      })

      /** Each with the name that people know it by. */
      const listedNames = (account: Account) =>
        Effect.map(list(account), (found) =>
          found.flatMap(({ name, title }) => {
            const { id, resourceName } = account.provider
            const canonical = resourceName(name)
            return canonical === undefined ? [] : [[resourceOf(id, canonical), title] as const]
          }))

      const fileNames = (account: Account) =>
        Effect.map(
          files(account),
          (found) => found.map((resource) => [resource, resource.slice(account.provider.id.length + 1)] as const)
        )

      const nearestTo = Effect.fnUntraced(function* nearestTo(wanted: Resource, account: Account, bounds: Bounds) {
        const names = account.provider.listResources === undefined ? fileNames(account) : listedNames(account)
        const found = yield* names.pipe(
          Effect.catchIf((error) => !isRefusal(error), () => Effect.succeed([])),
          Effect.timeoutOption(explainTimeout)
        )
        const others = Option.getOrElse(found, () => []).map(([resource]) => resource).filter((each) => each !== wanted)
        const inside = yield* boundCalls.inside(bounds, account.provider, others)
        return nearest(hostAndPath(wanted), [...inside], hostAndPath, maxNamed)
      })

      return AccountResources.of({
        explain: (refusal, { endpoint, input, provider }, connection, bounds) => {
          const wanted = refusal.denied ? namedResource(provider, endpoint, input) : undefined
          return wanted === undefined ? Effect.fail(refusal) : Effect.flatMap(
            nearestTo(wanted, { connection, provider }, bounds),
            (found) => Effect.fail(ofResource(refusal, wanted, found, connection.external_account))
          )
        },
        of: Effect.fn("AccountResources.of")(function*(id) {
          const { clientIds, holder } = yield* CurrentScope
          const ofHolder = holder === undefined ? [] : boundsOfHolder(holder.id, holder.resources)
          const connection = yield* connectionInScope(connections, id)
          const provider = yield* Effect.orDie(catalog.provider(connection.provider))
          if (connection.status !== "active") {
            return yield* new ConnectionInactive({
              details: { provider: provider.id, reason: inactiveReason(connection) }
            })
          }
          const account = { connection, provider }
          const names = new Map([...yield* fileNames(account), ...yield* listedNames(account)])
          const bounds = [...boundsOfConnection(connection), ...ofHolder]
          const allowed = yield* boundCalls.inside(bounds, provider, [...names.keys()])
          return [...names]
            .map(([resource, name]) => ({ resource, name, allowed: allowed.has(resource) }))
            .filter(({ allowed }) => clientIds === null && ofHolder.length === 0 || allowed)
        })
      })
    })
  ).pipe(Layer.provide([AccessTokens.layer, BoundCalls.layer, CreatedFiles.layer, SetupChecks.layer]))
}

const isRefusal = (error: ProviderCallError): boolean =>
  error._tag === "CredentialsRejected" || error._tag === "CredentialsExpired"

const timeToLive = (exit: Exit.Exit<unknown, ProviderCallError>): Duration.Duration => {
  if (Exit.isSuccess(exit)) return maxAge
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  return error !== undefined && isRefusal(error) ? refusalMaxAge : Duration.zero
}

/** A site is near to the same host of another kind, such as `sc-domain:acme.com` to `https://www.acme.com/`. */
const hostAndPath = (resource: Resource): string =>
  resource.replace(/:(?:sc-domain:|https?:\/\/)(?:www\.)?/, ":").replace(/\/$/, "")

const ofResource = (
  error: CredentialsRejected,
  resource: Resource,
  found: ReadonlyArray<Resource>,
  account: string | null
): CredentialsRejected => {
  const message = [
    error.message,
    `The account does not reach ${resource}.`,
    ...found.length === 0 ? [] : [`The nearest that it reaches: ${found.join(", ")}.`],
    `Correct the name, or have it shared with ${account ?? "the account"}.`
  ].join(" ")
  return new CredentialsRejected({
    message,
    agentMessage: `${message} The connection itself works.`,
    details: { reason: "resource_not_shared", resource, nearest: found },
    notShared: true
  })
}
