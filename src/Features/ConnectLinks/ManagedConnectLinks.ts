import { Context, Duration, Effect, Layer, Option } from "effect"
import { type ConnectionNotFound, InvalidInput, type ProviderNotFound, type RateLimited } from "../../Api/Errors.ts"
import type { ClientNotFound, ConnectionDerived, LinkNotFound } from "../../Api/ManagementErrors.ts"
import { connectionInScope } from "../../Connections/Bounds/ConnectionInScope.ts"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import type { Connection } from "../../Domain/Connection.ts"
import type { ConnectLink, CreatedConnectLink, LinkAccess, NewConnectLink } from "../../Domain/ConnectLink.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { Clients } from "../../Management/Clients.ts"
import { requireOwn } from "../../Management/DerivedConnections.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { ConnectLinks, type NewLink } from "./ConnectLinks.ts"
import { connectRedirectOrigins } from "./Settings.ts"

type Invalid = InvalidInput | ProviderNotFound | ClientNotFound | ConnectionNotFound | ConnectionDerived

export class ManagedConnectLinks extends Context.Service<ManagedConnectLinks, {
  /** The issues that do not depend on what the link is for. */
  readonly issues: (link: Pick<NewConnectLink, "redirect_url">, sent: object) => ReadonlyArray<Issue>
  readonly create: (link: NewConnectLink) => Effect.Effect<CreatedConnectLink, Invalid | RateLimited>
  readonly list: (page: PageRequest) => Effect.Effect<Page<ConnectLink>>
  readonly end: (id: string) => Effect.Effect<ConnectLink, LinkNotFound>
}>()("openaccounts/Features/ConnectLinks/ManagedConnectLinks") {
  static readonly layer = Layer.effect(
    ManagedConnectLinks,
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const clients = yield* Clients
      const connections = yield* ConnectionRepo
      const links = yield* ConnectLinks
      const methods = yield* ConnectMethods
      const redirectOrigins = yield* connectRedirectOrigins

      const requireConnectable = Effect.fnUntraced(
        function*(providers: ReadonlyArray<Provider>, path: (index: number) => Issue["path"]) {
          const details = providers.flatMap((provider, index) =>
            Option.toArray(methods.missingSetting(provider)).map((message) => ({ path: path(index), message }))
          )
          if (details.length > 0) return yield* new InvalidInput({ details })
        }
      )

      const ofConnection = Effect.fnUntraced(function*(link: NewConnectLink, id: string) {
        const connection = yield* requireOwn(yield* connectionInScope(connections, id))
        yield* clients.hold(connection.client_id)
        const provider = yield* Effect.orDie(catalog.provider(connection.provider))
        const { client_id = connection.client_id, providers = [provider.id] } = link
        const details = [
          { field: "client_id", fits: client_id === connection.client_id, why: "has another client_id" },
          { field: "providers", fits: providers.every((id) => id === provider.id), why: `is one of "${provider.id}"` },
          { field: "access", fits: link.access === undefined, why: "keeps its scopes" },
          { field: "label", fits: link.label === undefined, why: "keeps its label" }
        ].flatMap(({ field, fits, why }) =>
          fits ? [] : [{ path: [field], message: `The connection ${why}. Leave it out` }]
        )
        if (details.length > 0) return yield* new InvalidInput({ details })
        yield* requireConnectable([provider], () => ["connection_id"])
        return {
          clientId: connection.client_id,
          connectionId: connection.id,
          providers: [provider.id],
          access: accessOf(connection, provider)
        }
      })

      const ofClient = Effect.fnUntraced(function*({ access, providers }: NewConnectLink, id: string) {
        const [clientId = null] = yield* clients.requireIds([id])
        const chosen = providers && (yield* Effect.forEach(new Set(providers), catalog.provider))
        if (chosen !== undefined) yield* requireConnectable(chosen, (index) => ["providers", index])
        const connectable = chosen ??
          catalog.providers.filter((provider) => Option.isNone(methods.missingSetting(provider)))
        if (connectable.length === 0) return yield* InvalidInput.at("providers", noProvider)
        return { clientId, connectionId: null, providers: connectable.map(({ id }) => id), access }
      })

      const issues = ({ redirect_url }: Pick<NewConnectLink, "redirect_url">, sent: object): ReadonlyArray<Issue> => [
        ..."client_id" in sent || "connection_id" in sent ? [] : [withoutClient],
        ...redirect_url === undefined || isAllowed(redirect_url, redirectOrigins) ? [] : [foreignOrigin]
      ]

      return ManagedConnectLinks.of({
        issues,
        create: Effect.fn("ManagedConnectLinks.create")(function*(link) {
          const { client_id, connection_id, expires_in, label, redirect_url } = link
          const subject = connection_id ?? client_id
          const details = issues(link, link)
          if (subject === undefined || details.length > 0) return yield* new InvalidInput({ details })
          const target: NewLink = connection_id === undefined
            ? yield* ofClient(link, subject)
            : yield* ofConnection(link, subject)
          return yield* links.create({
            ...target,
            label,
            redirectUrl: redirect_url,
            lifetime: expires_in === undefined ? undefined : Duration.seconds(expires_in)
          })
        }),
        list: links.list,
        end: links.end
      })
    })
  ).pipe(Layer.provide([Clients.layer, ConnectLinks.layer, ConnectMethods.layer]))
}

/** A connection keeps its scopes. Without any, it is asked for all of the provider's. */
const accessOf = ({ scopes }: Connection, { scopes: { read, write } }: Provider): LinkAccess =>
  scopes.length === 0 || write.some((scope) => !read.includes(scope) && scopes.includes(scope))
    ? "read_write"
    : "read_only"

const isAllowed = (url: string, origins: ReadonlyArray<string>): boolean => {
  if (!/^https?:\/\/[^\s\\]+$/.test(url) || !URL.canParse(url)) return false
  const { origin, password, username } = new URL(url)
  return username === "" && password === "" && origins.includes(origin)
}

const withoutClient: Issue = { path: ["client_id"], message: "Required without `connection_id`" }

const foreignOrigin: Issue = {
  path: ["redirect_url"],
  message: "Expected an http(s) URL whose origin is in CONNECT_REDIRECT_ORIGINS"
}

const noProvider =
  "No provider can be connected with a link. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, for example"
