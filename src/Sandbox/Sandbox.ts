import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Origins } from "../Providers/Origins.ts"
import { originsOf, type Provider } from "../Providers/Provider.ts"
import { SandboxStore } from "./Data/SandboxStore.ts"
import { oauthClients } from "./Identity/Identity.ts"
import type { LoadFakeProvider, SandboxConnection } from "./Server/FakeProvider.ts"

export class Sandbox extends Context.Service<Sandbox, {
  readonly originIds: ReadonlyArray<string>
  readonly urlOf: (originId: string) => string
  readonly connections: ReadonlyArray<SandboxConnection>
  readonly eventReceiverUrl: string
}>()("openaccounts/Sandbox/Sandbox") {
  /** Imported dynamically, because a live server needs no fakes. */
  static readonly layer = (
    fakeProviders: ReadonlyArray<LoadFakeProvider>,
    providers: ReadonlyArray<Provider> = []
  ) =>
    Layer.unwrap(
      Effect.map(
        Effect.promise(() => import("./Server/SandboxServer.ts")),
        ({ serve, services }) => Layer.effect(Sandbox, serve(fakeProviders, providers)).pipe(Layer.provide(services))
      )
    )

  static readonly layerMemory = (fakeProviders: ReadonlyArray<LoadFakeProvider>) =>
    Sandbox.layer(fakeProviders).pipe(Layer.provide(SandboxStore.layerMemory))

  /** For providers without a fake, the settings apply as in live mode. */
  static readonly originsLayerOf = (providers: ReadonlyArray<Provider>) =>
    Layer.effect(
      Origins,
      Effect.gen(function*() {
        const { originIds, urlOf } = yield* Sandbox
        const real = originsOf(providers).filter(({ id }) => !originIds.includes(id))
        const realUrlOf = Context.get(yield* Layer.build(Origins.layer(real)), Origins)
        return (origin) => originIds.includes(origin.id) ? urlOf(origin.id) : realUrlOf(origin)
      })
    )

  static readonly originsLayer = Sandbox.originsLayerOf([])

  /** The OAuth applications of the fake identity providers. */
  static readonly applicationsLayer = ConfigProvider.layerAdd(
    ConfigProvider.fromUnknown({
      GOOGLE_CLIENT_ID: oauthClients.google.id,
      GOOGLE_CLIENT_SECRET: oauthClients.google.secret,
      SITESEARCH_CLIENT_ID: oauthClients.sitesearch.id,
      SITESEARCH_CLIENT_SECRET: oauthClients.sitesearch.secret
    }),
    { asPrimary: true }
  )

  /** Also provides `Origins`, and the applications as settings. The fakes store their values in the database. */
  static readonly layerOrigins = (
    fakeProviders: ReadonlyArray<LoadFakeProvider>,
    /** Whose quotas `SANDBOX_QUOTAS=on` enforces, also those without a fake. */
    providers: ReadonlyArray<Provider> = []
  ) =>
    Layer.merge(this.originsLayerOf(providers), this.applicationsLayer).pipe(
      Layer.provideMerge(this.layer(fakeProviders, providers)),
      Layer.provide(SandboxStore.layer)
    )
}
