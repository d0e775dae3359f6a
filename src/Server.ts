import * as NodeServices from "@effect/platform-node/NodeServices"
import { Layer } from "effect"
import { AgentRoutes } from "./Agents/AgentRoutes.ts"
import { Audit } from "./Audit/Audit.ts"
import { Outbox } from "./Audit/Outbox.ts"
import { Auth } from "./Auth/Auth.ts"
import { Cache } from "./Calls/Cache/Cache.ts"
import { configuredCallLog } from "./Calls/ClickHouse/ClickHouseLog.ts"
import type { CallLog } from "./Calls/Log/CallLog.ts"
import { MeteredStores } from "./Calls/MeteredCalls.ts"
import { ConnectionRepo } from "./Connections/ConnectionRepo.ts"
import { HttpApp } from "./Http/HttpApp.ts"
import { HttpServices, MemberSignIn } from "./Http/HttpServices.ts"
import { Listeners } from "./Http/Server/Listeners/Listeners.ts"
import { LoopWatch } from "./Http/Server/LoopWatch.ts"
import { AdminToken } from "./Management/AdminToken.ts"
import { ProviderHttp } from "./Outbound/UndiciHttpClient.ts"
import { Catalog } from "./Providers/Catalog/Catalog.ts"
import { MeteredProviders } from "./Providers/Metrics/MeteredProviders.ts"
import { OAuth } from "./Providers/OAuth/OAuth.ts"
import type { Origins } from "./Providers/Origins.ts"
import { identitiesOf, type Provider } from "./Providers/Provider.ts"
import { ProviderClient } from "./Providers/ProviderClient.ts"
import { Quotas } from "./Providers/Quotas/Quotas.ts"
import { Upstream } from "./Providers/Upstream.ts"
import { type Registration, registrations } from "./Registrations.ts"
import { Observability } from "./Secrets/Redaction/Observability.ts"
import { Vault } from "./Secrets/Vault.ts"
import { SettingsSource } from "./SettingsSource.ts"
import { Database } from "./Sql/Database.ts"
import { ConnectionMetrics, DatabaseProbe } from "./Sql/DatabaseMetrics.ts"
import { DataDir } from "./Sql/DataDir.ts"
import { Invalidation } from "./Sql/Notify/Invalidation.ts"

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

/** Fresh, because a command has read other settings before, such as those of the demo. */
const Settings = Layer.fresh(SettingsSource.pipe(Layer.provide(NodeServices.layer)))

/** Each layer brings what it needs besides `Infrastructure` and `Services`, so their order has no meaning. */
const App = HttpApp.pipe(Layer.provide([AgentRoutes, DatabaseProbe, HttpServices]))

export type Infrastructure =
  | Layer.Success<typeof Storage>
  | Layer.Success<ReturnType<typeof providerLayer>>
  | Origins
  | Quotas

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

/** Without logs, traces and metrics. */
export const makeService = <A, OE, OR, E = never>(
  { origins, providers = registrations, services = {} }: ServerOptions<A, OE, OR, E>
) => {
  const FiveServices = Layer.mergeAll(
    services.Auth ?? Auth.layer,
    services.ConnectionRepo ?? ConnectionRepo.layer,
    services.Cache ?? Cache.layer,
    services.CallLog ?? configuredCallLog,
    services.ProviderClient ?? ProviderClient.layer
  )
  const Metered = Layer.merge(MeteredStores, MeteredProviders).pipe(
    Layer.provideMerge(FiveServices),
    Layer.provideMerge(providerLayer(providers.map(({ provider }) => provider))),
    Layer.provideMerge(Quotas.layer(providers.map(({ provider }) => provider)))
  )
  return App.pipe(
    Layer.provide(Metered),
    Layer.provideMerge(origins),
    Layer.provideMerge(MemberSignIn),
    Layer.provideMerge(Storage),
    Layer.provideMerge(Listeners),
    Layer.provide(Settings)
  )
}

export const makeServer = <A, OE, OR, E = never>(options: ServerOptions<A, OE, OR, E>) =>
  makeService(options).pipe(Layer.provideMerge(LoopWatch), Layer.provideMerge(Observability), Layer.provide(Settings))
