import * as NodeServices from "@effect/platform-node/NodeServices"
import { Layer } from "effect"
import type { HttpRouter, HttpServer } from "effect/http"
import { Audit } from "./Audit/Audit.ts"
import { Events } from "./Audit/Events.ts"
import { Auth } from "./Auth/Auth.ts"
import { Principals } from "./Auth/Principals.ts"
import { Cache } from "./Calls/Cache/Cache.ts"
import type { CallLog } from "./Calls/Log/CallLog.ts"
import { LogStore } from "./Calls/Log/LogStore.ts"
import { SecretHashes } from "./Calls/Log/SecretHashes.ts"
import { MeteredStores } from "./Calls/MeteredCalls.ts"
import type { CallSteps } from "./Calls/Steps.ts"
import { OpenLinks } from "./Connections/Connect/OpenLinks.ts"
import { ConnectionRepo, type ConnectionStore } from "./Connections/ConnectionRepo.ts"
import type { Greeting } from "./Http/Greeting.ts"
import type { HttpServices } from "./Http/HttpServices.ts"
import type { Middleware } from "./Http/Routes.ts"
import type { Served } from "./Http/Served.ts"
import type { ClientAddress } from "./Http/Server/ClientAddress.ts"
import type { Listeners } from "./Http/Server/Listeners/Listeners.ts"
import { AdminToken } from "./Management/AdminToken.ts"
import { ProviderHttp } from "./Outbound/UndiciHttpClient.ts"
import { Catalog } from "./Providers/Catalog/Catalog.ts"
import { MeteredProviders } from "./Providers/Metrics/MeteredProviders.ts"
import { OAuth } from "./Providers/OAuth/OAuth.ts"
import type { Origins } from "./Providers/Origins.ts"
import { identitiesOf, type Provider } from "./Providers/Provider.ts"
import { ProviderClient } from "./Providers/ProviderClient.ts"
import type { SendSteps } from "./Providers/Sending/SendSteps.ts"
import { Upstream } from "./Providers/Upstream.ts"
import { Vault } from "./Secrets/Vault.ts"
import { Database } from "./Sql/Database.ts"
import { ConnectionMetrics } from "./Sql/DatabaseMetrics.ts"
import { DataDir } from "./Sql/DataDir.ts"
import { Invalidation } from "./Sql/Notify/Invalidation.ts"

export const Storage = Layer.mergeAll(
  Layer.mergeAll(Audit.layer, OpenLinks.layer, Principals).pipe(
    Layer.provideMerge(Events.layer),
    Layer.provide(Database.layer)
  ),
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

export type Infrastructure =
  | Layer.Success<typeof Storage>
  | Layer.Success<ReturnType<typeof providerLayer>>
  | Origins

/** Replacements. A service that is left out is the built-in one. */
export interface Services<E = never> {
  readonly Auth?: Layer.Layer<Auth, E, Infrastructure>
  /** Provides `ConnectionTokens` and `ConnectionHealth` too. */
  readonly ConnectionRepo?: Layer.Layer<ConnectionStore, E, Infrastructure>
  readonly Cache?: Layer.Layer<Cache, E, Infrastructure>
  readonly CallLog?: Layer.Layer<CallLog, E, Infrastructure>
  readonly ProviderClient?: Layer.Layer<ProviderClient, E, Infrastructure>
}

export const coreServices = <E = never>(providers: ReadonlyArray<Provider>, services: Services<E>) => {
  const FiveServices = Layer.mergeAll(
    services.Auth ?? Auth.layer,
    services.ConnectionRepo ?? ConnectionRepo.layer,
    services.Cache ?? Cache.layer,
    services.CallLog ?? Layer.unwrap(LogStore),
    services.ProviderClient ?? ProviderClient.layer
  )
  return Layer.mergeAll(MeteredStores, MeteredProviders, SecretHashes.layer).pipe(
    Layer.provideMerge(FiveServices),
    Layer.provideMerge(providerLayer(providers))
  )
}

/** What calls stand on. */
export type CallCore =
  | Infrastructure
  | Layer.Success<ReturnType<typeof coreServices>>
  | HttpServer.HttpServer

/** What features stand on. Each layer of a feature brings what it needs besides. */
export type Core =
  | CallCore
  | CallSteps
  | SendSteps
  | Layer.Success<typeof HttpServices>
  | Layer.Success<typeof Middleware>
  | Layer.Success<typeof Listeners>
  | ClientAddress
  | Greeting
  | HttpRouter.HttpRouter
  | Served
