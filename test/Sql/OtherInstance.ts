import { Context, Effect, Layer } from "effect"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"

export class OtherInstance extends Context.Service<OtherInstance, {
  readonly repo: ConnectionRepo["Service"]
}>()("openaccounts/test/OtherInstance") {
  /** Memory is not shared, so this is the same instance. */
  static readonly layerMemory = Layer.effect(
    OtherInstance,
    Effect.map(ConnectionRepo, (repo) => ({ repo }))
  )

  static readonly layer = OtherInstance.layerMemory.pipe(Layer.provide(Layer.fresh(ConnectionRepo.layer)))
}
