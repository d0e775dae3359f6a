import { Context, Effect, Layer } from "effect"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { RefreshLease } from "../../src/Connections/RefreshLease.ts"

export class OtherInstance extends Context.Service<OtherInstance, {
  readonly repo: ConnectionRepo["Service"]
  readonly refreshLease: RefreshLease["Service"]
}>()("openaccounts/test/OtherInstance") {
  /** Memory is not shared, so this is the same instance. */
  static readonly layerMemory = Layer.effect(
    OtherInstance,
    Effect.all({ repo: ConnectionRepo, refreshLease: RefreshLease })
  )

  static readonly layer = OtherInstance.layerMemory.pipe(
    Layer.provide(Layer.fresh(Layer.merge(ConnectionRepo.layer, RefreshLease.layer)))
  )
}
