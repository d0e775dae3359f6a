import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { coreGroups } from "./Api/CoreApi.ts"
import { OpenLinks } from "./Connections/Connect/OpenLinks.ts"
import { coreServices, type Services, Storage } from "./Core.ts"
import type { Feature } from "./Features/Feature.ts"
import { features as allFeatures } from "./Features/Features.ts"
import { servedFeatures } from "./Features/FeaturesOff.ts"
import { ownedData } from "./Features/OwnedData.ts"
import { callSteps, sendSteps } from "./Features/Steps.ts"
import { Greeting } from "./Http/Greeting.ts"
import { HttpApp, Router } from "./Http/HttpApp.ts"
import { HttpServices } from "./Http/HttpServices.ts"
import { Middleware, Routes } from "./Http/Routes.ts"
import { Served } from "./Http/Served.ts"
import { ClientAddress } from "./Http/Server/ClientAddress.ts"
import { Listeners } from "./Http/Server/Listeners/Listeners.ts"
import { LoopWatch } from "./Http/Server/LoopWatch.ts"
import type { Origins } from "./Providers/Origins.ts"
import { type Registration, registrations } from "./Registrations.ts"
import { Observability } from "./Secrets/Redaction/Observability.ts"
import { SettingsSource } from "./SettingsSource.ts"
import { DatabaseProbe } from "./Sql/DatabaseMetrics.ts"

/** Fresh, because a command has read other settings before, such as those of the demo. */
const Settings = Layer.fresh(SettingsSource.pipe(Layer.provide(NodeServices.layer)))

const servedWith = (on: ReadonlyArray<Feature>): Served["Service"] => ({
  groups: [...coreGroups, ...on.flatMap(({ owns }) => owns?.groups ?? [])],
  features: Object.fromEntries([...allFeatures, ...on].map(({ name }) => [name, on.some((each) => each.name === name)]))
})

/** The order of the layers of features has no meaning: each brings what it needs besides the core. */
const makeApp = (on: ReadonlyArray<Feature>) =>
  Layer.merge(HttpApp, OpenLinks.settled).pipe(
    Layer.provide([Routes, ...on.map(({ layer }) => layer)]),
    Layer.provide(DatabaseProbe),
    Layer.provide([Middleware, Router]),
    Layer.provide([HttpServices, ClientAddress.layer]),
    Layer.provide([callSteps(on), sendSteps(on)]),
    Layer.provide(Layer.succeed(Served, servedWith(on)))
  )

export interface ServerOptions<A, OE, OR, E> {
  /** `configuredOrigins()`, `liveOrigins()` or `sandboxOrigins()`. */
  readonly origins: Layer.Layer<A | Origins, OE, OR>
  readonly providers?: ReadonlyArray<Registration>
  readonly services?: Services<E>
  /** The features of the service, by default all. `without(features, "datasets")` leaves one out. */
  readonly features?: ReadonlyArray<Feature>
}

/** Without logs, traces and metrics. */
export const makeService = <A, OE, OR, E = never>(
  { features = allFeatures, origins, providers = registrations, services = {} }: ServerOptions<A, OE, OR, E>
) =>
  Layer.unwrap(Effect.map(servedFeatures(features), (on) =>
    makeApp(on).pipe(
      Layer.provide(coreServices(providers.map(({ provider }) => provider), services)),
      Layer.provideMerge(origins),
      Layer.provideMerge(Greeting.layer),
      Layer.provide([Layer.empty, ...on.flatMap(({ owns }) => owns?.storage ?? [])]),
      Layer.provideMerge(Storage),
      Layer.provide(ownedData(features)),
      Layer.provideMerge(Listeners)
    ))).pipe(Layer.provide(Settings))

export const makeServer = <A, OE, OR, E = never>(options: ServerOptions<A, OE, OR, E>) =>
  makeService(options).pipe(Layer.provideMerge(LoopWatch), Layer.provideMerge(Observability), Layer.provide(Settings))
