import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, ConfigProvider, Duration, Effect, identity, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import type { SqlClient } from "effect/sql/SqlClient"
import { Auth } from "./Auth/Auth.ts"
import { RateLimit } from "./Auth/RateLimit.ts"
import { Cache } from "./Calls/Cache/Cache.ts"
import { Calls } from "./Calls/Calls.ts"
import { CallLog } from "./Calls/Log/CallLog.ts"
import { AccessTokens } from "./Connections/AccessTokens.ts"
import { CachedConnections } from "./Connections/CachedConnections.ts"
import { ConnectFlow } from "./Connections/ConnectFlow.ts"
import { ConnectionRepo } from "./Connections/ConnectionRepo.ts"
import { ReEncryption } from "./Connections/ReEncryption.ts"
import { RefreshLease } from "./Connections/RefreshLease.ts"
import { Vault } from "./Connections/Vault.ts"
import { callRoute } from "./Http/CallHandlers.ts"
import { DrainingServer } from "./Http/DrainingServer.ts"
import { withCallId } from "./Http/HttpApp.ts"
import { routerConfig } from "./Http/Paths.ts"
import { rateLimitHeaders } from "./Http/RateLimitHeaders.ts"
import { Routes } from "./Http/Routes.ts"
import { AdminToken } from "./Management/AdminToken.ts"
import { Clients } from "./Management/Clients.ts"
import { Keys } from "./Management/Keys.ts"
import { ManagedConnections } from "./Management/ManagedConnections.ts"
import { Members } from "./Management/Members.ts"
import { MeteredCalls, MeteredServices } from "./Observability/Metered.ts"
import { Observability } from "./Observability/Observability.ts"
import { Catalog } from "./Providers/Catalog.ts"
import { ga4 } from "./Providers/Ga4/Provider.ts"
import { gdocs } from "./Providers/Gdocs/Provider.ts"
import { gsc } from "./Providers/Gsc/Provider.ts"
import { gsheets } from "./Providers/Gsheets/Provider.ts"
import { OAuth } from "./Providers/OAuth/OAuth.ts"
import { Origins } from "./Providers/Origins.ts"
import { ProviderClient } from "./Providers/ProviderClient.ts"
import { sitesearch } from "./Providers/Sitesearch/Provider.ts"
import { Dispatcher } from "./Providers/Upstream/Dispatcher.ts"
import { Upstream } from "./Providers/Upstream/Upstream.ts"
import { SandboxStore } from "./Sandbox/Data/SandboxStore.ts"
import { oauthClients } from "./Sandbox/Identity/Identity.ts"
import { Sandbox } from "./Sandbox/Sandbox.ts"
import { connectionLimits, listenAddress } from "./Settings.ts"
import { Database } from "./Sql/Database.ts"
import { DataDir } from "./Sql/DataDir.ts"
import { Invalidation } from "./Sql/Invalidation.ts"

/** The HTTP API and what only it uses; needs the five services, and what stands below them. */
export const App = Effect.all([HttpRouter.toHttpEffect(Routes), callRoute, rateLimitHeaders]).pipe(
  Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  // With a middleware, whatever it does, the answer is not the result of the request's fiber, which the server's scope may
  // hold on to until the next full garbage collection.
  Effect.map(([routes, taking, telling]) => HttpServer.serve(withCallId(telling(taking(routes))), identity)),
  Layer.unwrap,
  Layer.provide(MeteredCalls),
  Layer.provide(Calls.layer),
  Layer.provide(RateLimit.layer),
  Layer.provide(ManagedConnections.layer),
  Layer.provide(ConnectFlow.layer),
  Layer.provide(ReEncryption.layer),
  Layer.provide(AccessTokens.layer),
  Layer.provide(CachedConnections.layer),
  Layer.provide([Members.layer, Keys.layer]),
  Layer.provide(Clients.layer),
  Layer.provide(MeteredServices)
)

/** The five services that people swap. A `RefreshLease` goes with its `ConnectionRepo`. */
export const Services = Layer.mergeAll(
  Auth.layer,
  ConnectionRepo.layer,
  RefreshLease.layer,
  Cache.layer,
  CallLog.layer,
  ProviderClient.layer
)

/** In the order of the specification's table. */
const providers = [gsc, ga4, sitesearch, gsheets, gdocs]

/** The sandbox knows this service as its own OAuth application, whatever the operator has registered elsewhere. */
const sandboxApplication = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    GOOGLE_CLIENT_ID: oauthClients.google.id,
    GOOGLE_CLIENT_SECRET: oauthClients.google.secret,
    SITESEARCH_CLIENT_ID: oauthClients.sitesearch.id,
    SITESEARCH_CLIENT_SECRET: oauthClients.sitesearch.secret
  }),
  { asPrimary: true }
)

/** The providers on the internet, or wherever the settings say. */
export const Live = Origins.layer

/** The providers of the built-in sandbox, on loopback; what is written there is kept in the service's database. */
export const Sandboxed = Sandbox.originsLayer.pipe(
  Layer.merge(sandboxApplication),
  Layer.provideMerge(Sandbox.layer),
  Layer.provide(SandboxStore.layer)
)

/** What `PROVIDER_MODE` says. */
export const ConfiguredOrigins = Layer.unwrap(
  Config.Literals(["live", "sandbox"], "PROVIDER_MODE").pipe(
    Config.withDefault("live"),
    Effect.map((mode): Layer.Layer<Origins, Config.ConfigError | ServeError, SqlClient> =>
      mode === "live" ? Live : Sandboxed
    )
  )
)

/** HTTP to the providers, and everything that they can do. */
export const Providers = Layer.mergeAll(OAuth.layer, Catalog.layer(providers)).pipe(
  Layer.provideMerge(Upstream.layer),
  Layer.provide(Dispatcher.layer)
)

/** The database, what other instances change in it, and the secrets that only the operator knows. */
export const Storage = Layer.mergeAll(
  Invalidation.layer.pipe(Layer.provideMerge(Database.layer)),
  Vault.layer,
  AdminToken.layer
).pipe(
  Layer.provideMerge(DataDir.layer),
  Layer.provideMerge(NodeServices.layer)
)

/** What in-flight calls are given to finish on shutdown (section 1 of the contract). */
const gracefulShutdownTimeout = Duration.seconds(30)

export const Listener = Layer.unwrap(
  Effect.map(Config.all([listenAddress, connectionLimits]), ([{ host, port }, limits]) => {
    const server = new DrainingServer(limits)
    // Whoever is not done by then waits no longer.
    const end = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return Layer.effectDiscard(end).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout }))
    )
  })
)

/**
 * Reads from the bottom up: every layer stands on those below it. What `swapped` provides stands before the service's
 * own layer of the same tag.
 */
export const makeServer = <A, E, R, B = never, EB = never, RB = never>(
  origins: Layer.Layer<A | Origins, E, R>,
  swapped?: Layer.Layer<B, EB, RB>
) =>
  App.pipe(
    Layer.provide(swapped ?? Layer.empty),
    Layer.provide(Services),
    Layer.provide(Providers),
    Layer.provideMerge(origins),
    Layer.provideMerge(Storage),
    Layer.provideMerge(Listener),
    Layer.provideMerge(Observability)
  )
