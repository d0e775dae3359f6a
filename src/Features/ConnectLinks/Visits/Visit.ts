import { Array as Arr, Effect, Option, type Redacted } from "effect"
import { ConnectMethods, type Methods } from "../../../Connections/Connect/ConnectMethods.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../../Providers/Provider.ts"
import type { OpenedLink } from "../ConnectLinks.ts"
import { linkScopes } from "../LinkScopes.ts"
import { type Pending, PendingConnections } from "./PendingConnections.ts"

export interface LinkOption {
  readonly provider: Provider
  readonly methods: Methods
  readonly scopes: ReadonlyArray<string>
  readonly isConnected: boolean
}

/** Options that one sign-in covers, or a single one. */
export type Offer = Arr.NonEmptyReadonlyArray<LinkOption>

export interface Visit {
  readonly link: OpenedLink
  /** All that the link is for. */
  readonly options: ReadonlyArray<LinkOption>
  /** What is not connected yet. */
  readonly offers: ReadonlyArray<Offer>
  /** What this browser connected, oldest first. */
  readonly connected: ReadonlyArray<Connection>
  readonly connection: Option.Option<Connection>
  readonly pending: Option.Option<Pending>
}

export const makeVisitOf = Effect.gen(function*() {
  const catalog = yield* Catalog
  const connections = yield* ConnectionRepo
  const methods = yield* ConnectMethods
  const pendings = yield* PendingConnections

  const reconnected = ({ connection_id }: OpenedLink) =>
    connection_id === null ? Effect.succeedNone : connections.find(connection_id)

  const optionOf = (link: OpenedLink, connection: Option.Option<Connection>, provider: Provider): LinkOption => {
    const before = Option.filter(connection, ({ auth_type, scopes }) => auth_type === "oauth" && scopes.length > 0)
    return {
      provider,
      methods: methods.of(provider),
      scopes: Option.match(before, {
        onNone: () => linkScopes(link, provider),
        onSome: ({ scopes }) => scopes
      }),
      isConnected: link.connected.some((use) => use.provider === provider.id)
    }
  }

  return Effect.fnUntraced(function*(link: OpenedLink, browser: Redacted.Redacted | undefined) {
    const connection = yield* reconnected(link)
    const providers = yield* Effect.orDie(Effect.forEach(link.providers, catalog.provider))
    const options = providers.map((provider) => optionOf(link, connection, provider))
    const visitor = browser && { linkId: link.id, browser }
    const made = visitor === undefined ? [] : yield* pendings.connected(visitor)
    const visit: Visit = {
      link,
      connection,
      options,
      offers: Object.values(Arr.groupBy(options.filter(({ isConnected }) => !isConnected), signInOf)),
      connected: (yield* Effect.forEach(made, connections.find)).flatMap(Option.toArray),
      pending: visitor === undefined ? Option.none() : yield* pendings.find(visitor)
    }
    return visit
  })
})

/** Options with the same sign-in are one offer. */
const signInOf = ({ methods, provider: { id, identity } }: LinkOption): string =>
  methods.oauth && identity?.sharesTokens === true ? `sign-in ${identity.id}` : id
