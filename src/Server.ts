import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, ConfigProvider, Duration, Effect, Layer, Option } from "effect"
import type { ServeError } from "effect/http/HttpServerError"
import type { SqlClient } from "effect/sql/SqlClient"
import { AuthorizationRoutes } from "./Agents/Authorization/AuthorizationRoutes.ts"
import { AuthorizationServer } from "./Agents/Authorization/AuthorizationServer.ts"
import { ClientDocuments } from "./Agents/Authorization/ClientDocuments.ts"
import { OAuthClients } from "./Agents/Authorization/OAuthClients.ts"
import { OAuthTokens } from "./Agents/Authorization/OAuthTokens.ts"
import { McpRoutes } from "./Agents/Mcp/McpRoutes.ts"
import { Audit } from "./Audit/Audit.ts"
import { Outbox } from "./Audit/Outbox.ts"
import { Auth } from "./Auth/Auth.ts"
import { Cache } from "./Calls/Cache/Cache.ts"
import { CallCapacity } from "./Calls/CallCapacity.ts"
import { Calls } from "./Calls/Calls.ts"
import { Idempotency } from "./Calls/Idempotency/Idempotency.ts"
import { CallLog } from "./Calls/Log/CallLog.ts"
import { MeteredCalls, MeteredStores } from "./Calls/MeteredCalls.ts"
import { AttemptLimits } from "./Capacity/AttemptLimits.ts"
import { RateLimit } from "./Capacity/RateLimit.ts"
import { AccessTokens } from "./Connections/AccessTokens.ts"
import { CachedConnections } from "./Connections/CachedConnections.ts"
import { ConnectFlow } from "./Connections/Connect/ConnectFlow.ts"
import { ConnectLinks } from "./Connections/Connect/ConnectLinks.ts"
import { ConnectMethods } from "./Connections/Connect/ConnectMethods.ts"
import { PendingConnections } from "./Connections/Connect/PendingConnections.ts"
import { ConnectionRepo } from "./Connections/ConnectionRepo.ts"
import { ConnectionTests } from "./Connections/ConnectionTests.ts"
import { LastErrors } from "./Connections/LastErrors.ts"
import { HttpApp } from "./Http/HttpApp.ts"
import { AdminListener } from "./Http/Server/AdminListener.ts"
import { AnonymousBodies } from "./Http/Server/AnonymousBodies.ts"
import { DrainingServer } from "./Http/Server/DrainingServer.ts"
import { ErrorResponsesLayer } from "./Http/Server/ErrorResponses.ts"
import { AdminToken } from "./Management/AdminToken.ts"
import { Clients } from "./Management/Clients.ts"
import { EncryptionRotation } from "./Management/EncryptionRotation.ts"
import { Grants } from "./Management/Grants.ts"
import { Keys } from "./Management/Keys.ts"
import { LinkVisits } from "./Management/LinkVisits.ts"
import { ManagedConnections } from "./Management/ManagedConnections.ts"
import { ManagedConnectLinks } from "./Management/ManagedConnectLinks.ts"
import { Members } from "./Management/Members.ts"
import { Links } from "./Members/Links.ts"
import { OidcProvider } from "./Members/OidcProvider.ts"
import { OidcSignIn } from "./Members/OidcSignIn.ts"
import { PasskeyChallenges } from "./Members/PasskeyChallenges.ts"
import { Passkeys } from "./Members/Passkeys.ts"
import { PasswordCheck } from "./Members/PasswordCheck.ts"
import { Passwords } from "./Members/Passwords.ts"
import { PasswordTurns } from "./Members/PasswordTurns.ts"
import { Sessions } from "./Members/Sessions.ts"
import { SignIn } from "./Members/SignIn.ts"
import { WebAuthn } from "./Members/WebAuthn.ts"
import { BoundedDns } from "./Outbound/BoundedDns.ts"
import { ProviderHttp } from "./Outbound/UndiciHttpClient.ts"
import { Catalog } from "./Providers/Catalog.ts"
import { ga4 } from "./Providers/Ga4/Provider.ts"
import { gdocs } from "./Providers/Gdocs/Provider.ts"
import { gsc } from "./Providers/Gsc/Provider.ts"
import { gsheets } from "./Providers/Gsheets/Provider.ts"
import { MeteredProviders } from "./Providers/Metrics/MeteredProviders.ts"
import { OAuth } from "./Providers/OAuth/OAuth.ts"
import { Origins } from "./Providers/Origins.ts"
import { identitiesOf, originsOf, type Provider } from "./Providers/Provider.ts"
import { ProviderClient } from "./Providers/ProviderClient.ts"
import { sitesearch } from "./Providers/Sitesearch/Provider.ts"
import { Upstream } from "./Providers/Upstream.ts"
import { SandboxStore } from "./Sandbox/Data/SandboxStore.ts"
import { oauthClients } from "./Sandbox/Identity/Identity.ts"
import { Sandbox } from "./Sandbox/Sandbox.ts"
import type { LoadFakeProvider } from "./Sandbox/Server/FakeProvider.ts"
import { Observability } from "./Secrets/Redaction/Observability.ts"
import { Vault } from "./Secrets/Vault.ts"
import { adminListenAddress, connectionLimits, isSandboxed, listenAddress } from "./Settings.ts"
import { Database } from "./Sql/Database.ts"
import { ConnectionMetrics, DatabaseProbe } from "./Sql/DatabaseMetrics.ts"
import { DataDir } from "./Sql/DataDir.ts"
import { Invalidation } from "./Sql/Notify/Invalidation.ts"
import { Deliverer } from "./Webhooks/Deliverer.ts"
import { DeliveryQueue } from "./Webhooks/DeliveryQueue.ts"
import { WebhookHttp } from "./Webhooks/WebhookHttp.ts"
import { Webhooks } from "./Webhooks/Webhooks.ts"

export interface Registration {
  readonly provider: Provider
  readonly fake?: LoadFakeProvider
}

export const registrations: ReadonlyArray<Registration> = [
  { provider: gsc, fake: () => import("./Sandbox/Providers/Gsc/FakeProvider.ts") },
  { provider: ga4, fake: () => import("./Sandbox/Providers/Ga4/FakeProvider.ts") },
  { provider: sitesearch, fake: () => import("./Sandbox/Providers/Sitesearch/FakeProvider.ts") },
  { provider: gsheets, fake: () => import("./Sandbox/Providers/Gsheets/FakeProvider.ts") },
  { provider: gdocs, fake: () => import("./Sandbox/Providers/Gdocs/FakeProvider.ts") }
]

export const providers = registrations.map(({ provider }) => provider)

export const fakeProviders = registrations.flatMap(({ fake }) => fake ?? [])

const sandboxApplications = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    GOOGLE_CLIENT_ID: oauthClients.google.id,
    GOOGLE_CLIENT_SECRET: oauthClients.google.secret,
    SITESEARCH_CLIENT_ID: oauthClients.sitesearch.id,
    SITESEARCH_CLIENT_SECRET: oauthClients.sitesearch.secret
  }),
  { asPrimary: true }
)

export const liveOrigins = (providers = registrations) =>
  Origins.layer(originsOf(providers.map(({ provider }) => provider)))

export const sandboxOrigins = (providers = registrations) =>
  Sandbox.originsLayer.pipe(
    Layer.merge(sandboxApplications),
    Layer.provideMerge(Sandbox.layer(providers.flatMap(({ fake }) => fake ?? []))),
    Layer.provide(SandboxStore.layer)
  )

export const configuredOrigins = (providers = registrations) =>
  Layer.unwrap(
    Effect.map(
      isSandboxed,
      (sandboxed): Layer.Layer<Origins, Config.ConfigError | ServeError, SqlClient> =>
        sandboxed ? sandboxOrigins(providers) : liveOrigins(providers)
    )
  )

/** With Node's default of 511, a burst of connections delays new ones by seconds. */
const backlog = 4096

const gracefulShutdownTimeout = Duration.seconds(30)

const closeConnections = (server: DrainingServer) =>
  Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))

const MainListener = Layer.unwrap(
  Effect.map(Config.all([listenAddress, connectionLimits]), ([address, limits]) => {
    const server = new DrainingServer(limits)
    return Layer.effectDiscard(closeConnections(server)).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => server, { ...address, backlog, gracefulShutdownTimeout }))
    )
  })
)

const SeparateListener = Layer.effect(
  AdminListener,
  Effect.gen(function*() {
    const address = yield* adminListenAddress
    if (Option.isNone(address)) return { server: Option.none() }
    const server = new DrainingServer(yield* connectionLimits)
    const listener = yield* NodeHttpServer.make(() => server, { ...address.value, backlog, gracefulShutdownTimeout })
    yield* closeConnections(server)
    return { server: Option.some(listener) }
  })
)

const Listeners = Layer.merge(MainListener, SeparateListener)

export const Storage = Layer.mergeAll(
  Audit.layer.pipe(Layer.provideMerge(Outbox.layer), Layer.provide(Database.layer)),
  Invalidation.layer.pipe(Layer.provideMerge(Database.layer), Layer.provide(ConnectionMetrics)),
  Vault.layer,
  AdminToken.layer
).pipe(
  Layer.provideMerge(DataDir.layer),
  Layer.provideMerge(NodeServices.layer)
)

export const providerLayer = (providers: ReadonlyArray<Provider>) =>
  Layer.mergeAll(OAuth.layer(identitiesOf(providers)), Catalog.layer(providers)).pipe(
    Layer.provideMerge(Upstream.layer),
    Layer.provide(ProviderHttp.layer)
  )

export const MemberSignIn = Layer.mergeAll(Passkeys.layer, OidcSignIn.layer).pipe(
  Layer.provide([PasskeyChallenges.layer, OidcProvider.layer]),
  Layer.provideMerge(WebAuthn.layer),
  Layer.provideMerge(SignIn.layer),
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, Links.layer)),
  Layer.provide(PasswordCheck.layer),
  Layer.provideMerge(AttemptLimits.layer),
  Layer.provide([Passwords.layer, PasswordTurns.layer])
)

const AgentRoutes = Layer.merge(AuthorizationRoutes, McpRoutes).pipe(
  Layer.provide(ErrorResponsesLayer),
  Layer.provide(AuthorizationServer.layer),
  Layer.provide([OAuthTokens.layer, OAuthClients.layer, ClientDocuments.layer]),
  Layer.provide(BoundedDns)
)

const WebhookDelivery = Layer.merge(Webhooks.layer, Deliverer).pipe(
  Layer.provideMerge(DeliveryQueue.layer),
  Layer.provide(WebhookHttp.layer),
  Layer.provide(BoundedDns)
)

const App = HttpApp.pipe(
  Layer.provide(AgentRoutes),
  Layer.provide(AnonymousBodies.layer),
  Layer.provide(MeteredCalls),
  Layer.provide([Calls.layer, EncryptionRotation.layer]),
  Layer.provide([Idempotency.layer, CallCapacity.layer]),
  Layer.provide(RateLimit.layer),
  Layer.provide([ManagedConnections.layer, ManagedConnectLinks.layer, LinkVisits.layer]),
  Layer.provide(WebhookDelivery),
  Layer.provide([ConnectFlow.layer, ConnectMethods.layer]),
  Layer.provide(PendingConnections.layer),
  Layer.provide(ConnectLinks.layer),
  Layer.provide(ConnectionTests.layer),
  Layer.provide(AccessTokens.layer),
  Layer.provide([CachedConnections.layer, LastErrors.layer]),
  Layer.provide([Members.layer, Keys.layer]),
  Layer.provide([Clients.layer, Grants.layer]),
  Layer.provide([MeteredStores, MeteredProviders, DatabaseProbe])
)

export type Infrastructure = Layer.Success<typeof Storage> | Layer.Success<ReturnType<typeof providerLayer>> | Origins

export interface Services<E = never> {
  readonly Auth?: Layer.Layer<Auth, E, Infrastructure>
  readonly ConnectionRepo?: Layer.Layer<ConnectionRepo, E, Infrastructure>
  readonly Cache?: Layer.Layer<Cache, E, Infrastructure>
  readonly CallLog?: Layer.Layer<CallLog, E, Infrastructure>
  readonly ProviderClient?: Layer.Layer<ProviderClient, E, Infrastructure>
}

export interface ServerOptions<A, OE, OR, E> {
  /** `configuredOrigins()`, `liveOrigins()` or `sandboxOrigins()`. */
  readonly origins: Layer.Layer<A | Origins, OE, OR>
  readonly providers?: ReadonlyArray<Registration>
  readonly services?: Services<E>
}

/** Without logs, traces and metrics. Each layer uses the layers that are listed below it. */
export const makeService = <A, OE, OR, E = never>(
  { origins, providers = registrations, services = {} }: ServerOptions<A, OE, OR, E>
) => {
  const FiveServices = Layer.mergeAll(
    services.Auth ?? Auth.layer,
    services.ConnectionRepo ?? ConnectionRepo.layer,
    services.Cache ?? Cache.layer,
    services.CallLog ?? CallLog.layer,
    services.ProviderClient ?? ProviderClient.layer
  )
  return App.pipe(
    Layer.provide(FiveServices),
    Layer.provide(providerLayer(providers.map(({ provider }) => provider))),
    Layer.provideMerge(origins),
    Layer.provideMerge(MemberSignIn),
    Layer.provideMerge(Storage),
    Layer.provideMerge(Listeners)
  )
}

export const makeServer = <A, OE, OR, E = never>(options: ServerOptions<A, OE, OR, E>) =>
  Layer.provideMerge(makeService(options), Observability)
