import { Context, Effect, Layer } from "effect"
import { type Origin, Origins } from "../Providers/Origins.ts"
import { SandboxStore } from "./Data/SandboxStore.ts"
import type { SandboxConnection } from "./Server/FakeProvider.ts"

/**
 * The providers' stand-in: real HTTP on loopback, in this process, with data that is the same for everybody on the same
 * day. It asks for credentials as the providers do, and fails on request (`Failures.ts`).
 */
export class Sandbox extends Context.Service<Sandbox, {
  readonly origins: Readonly<Record<Origin, string>>
  /** One for each provider, ready for the management API. */
  readonly connections: ReadonlyArray<SandboxConnection>
}>()("openaccounts/Sandbox/Sandbox") {
  /** The stand-ins are loaded when it is built: who has no sandbox does not pay for one. */
  static readonly layer = Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./Server/SandboxServer.ts")),
      ({ serve, services }) => Layer.effect(Sandbox, serve).pipe(Layer.provide(services))
    )
  )

  /** Forgets what was written when the process ends. */
  static readonly layerMemory = Sandbox.layer.pipe(Layer.provide(SandboxStore.layerMemory))

  /** Sends every provider's traffic to the sandbox. */
  static readonly originsLayer = Layer.effect(Origins, Effect.map(Sandbox, ({ origins }) => origins))
}
