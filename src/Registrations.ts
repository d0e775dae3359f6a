import { type Config, Effect, Layer } from "effect"
import type { ServeError } from "effect/http/HttpServerError"
import type { SqlClient } from "effect/sql/SqlClient"
import { ga4 } from "./Providers/Ga4/Provider.ts"
import { gdocs } from "./Providers/Gdocs/Provider.ts"
import { gsc } from "./Providers/Gsc/Provider.ts"
import { gsheets } from "./Providers/Gsheets/Provider.ts"
import { Origins } from "./Providers/Origins.ts"
import { originsOf, type Provider } from "./Providers/Provider.ts"
import { sitesearch } from "./Providers/Sitesearch/Provider.ts"
import { Sandbox } from "./Sandbox/Sandbox.ts"
import type { LoadFakeProvider } from "./Sandbox/Server/FakeProvider.ts"
import { isSandboxed } from "./Settings.ts"

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

export const liveOrigins = (providers = registrations) =>
  Origins.layer(originsOf(providers.map(({ provider }) => provider)))

export const sandboxOrigins = (providers = registrations) =>
  Sandbox.layerOrigins(
    providers.flatMap(({ fake }) => fake ?? []),
    providers.map(({ provider }) => provider)
  )

export const configuredOrigins = (providers = registrations) =>
  Layer.unwrap(
    Effect.map(
      isSandboxed,
      (sandboxed): Layer.Layer<Origins, Config.ConfigError | ServeError, SqlClient> =>
        sandboxed ? sandboxOrigins(providers) : liveOrigins(providers)
    )
  )
