import { Context, Effect, Layer } from "effect"
import { type Origin, Origins } from "../Providers/Origins.ts"
import { SandboxStore } from "./Data/SandboxStore.ts"
import type { SandboxConnection } from "./Server/FakeProvider.ts"

/** Fake providers in this process, behind real HTTP on loopback. See `README.md` in this folder. */
export class Sandbox extends Context.Service<Sandbox, {
  readonly origins: Readonly<Record<Origin, string>>
  /** One connection for each provider, in the form that the management API takes. */
  readonly connections: ReadonlyArray<SandboxConnection>
}>()("openaccounts/Sandbox/Sandbox") {
  /** Imports the fake providers lazily: a live server does not load them. */
  static readonly layer = Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./Server/SandboxServer.ts")),
      ({ serve, services }) => Layer.effect(Sandbox, serve).pipe(Layer.provide(services))
    )
  )

  static readonly layerMemory = Sandbox.layer.pipe(Layer.provide(SandboxStore.layerMemory))

  static readonly originsLayer = Layer.effect(Origins, Effect.map(Sandbox, ({ origins }) => origins))
}
