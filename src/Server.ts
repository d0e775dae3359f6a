import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/unstable/http"
import { createServer } from "node:http"
import { Auth } from "./Auth/Auth.ts"
import { Cache } from "./Calls/Cache.ts"
import { CallLog } from "./Calls/CallLog.ts"
import { Calls } from "./Calls/Calls.ts"
import { AccessTokens } from "./Connections/AccessTokens.ts"
import { ConnectFlow } from "./Connections/ConnectFlow.ts"
import { ConnectionRepo } from "./Connections/ConnectionRepo.ts"
import { Vault } from "./Connections/Vault.ts"
import { withCallId } from "./Http/HttpApp.ts"
import { Routes } from "./Http/Routes.ts"
import { AdminToken } from "./Management/AdminToken.ts"
import { Clients } from "./Management/Clients.ts"
import { Keys } from "./Management/Keys.ts"
import { ManagedConnections } from "./Management/ManagedConnections.ts"
import { Members } from "./Management/Members.ts"
import { Catalog } from "./Providers/Catalog.ts"
import { gsc } from "./Providers/Gsc/Gsc.ts"
import { OAuth } from "./Providers/OAuth.ts"
import { Origins } from "./Providers/Origins.ts"
import { ProviderClient } from "./Providers/ProviderClient.ts"
import { Upstream } from "./Providers/Upstream.ts"
import { listenAddress } from "./Settings.ts"
import { Database } from "./Sql/Database.ts"
import { DataDir } from "./Sql/DataDir.ts"

/** The HTTP API and what only it uses; needs the five services, and what stands below them. */
export const App = Effect.map(HttpRouter.toHttpEffect(Routes), (routes) => HttpServer.serve(withCallId(routes))).pipe(
  Layer.unwrap,
  Layer.provide(Calls.layer),
  Layer.provide(ManagedConnections.layer),
  Layer.provide(ConnectFlow.layer),
  Layer.provide(AccessTokens.layer),
  Layer.provide([Members.layer, Keys.layer]),
  Layer.provide(Clients.layer)
)

/** The five services that people swap. */
export const Services = Layer.mergeAll(
  Auth.layer,
  ConnectionRepo.layer,
  Cache.layer,
  CallLog.layer,
  ProviderClient.layer
)

/** The providers, as they are on the internet or where the settings say. */
export const Providers = Layer.mergeAll(OAuth.layer, Catalog.layer([gsc])).pipe(
  Layer.provideMerge(Upstream.layer),
  Layer.provide(Upstream.httpClientLayer),
  Layer.provideMerge(Origins.layer)
)

/** The database, and the secrets that only the operator knows. */
export const Storage = Layer.mergeAll(Vault.layer, AdminToken.layer).pipe(
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(DataDir.layer),
  Layer.provideMerge(NodeServices.layer)
)

/** What in-flight calls are given to finish on shutdown (section 1 of the contract). */
const gracefulShutdownTimeout = Duration.seconds(30)

export const Listener = Layer.unwrap(
  Effect.map(
    listenAddress,
    ({ host, port }) => NodeHttpServer.layer(() => createServer(), { host, port, gracefulShutdownTimeout })
  )
)

/** Reads from the bottom up: every layer stands on those below it. */
export const Server = App.pipe(
  Layer.provide(Services),
  Layer.provide(Providers),
  Layer.provideMerge(Storage),
  Layer.provideMerge(Listener)
)
