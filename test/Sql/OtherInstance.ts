import { Context, Effect, Layer } from "effect"
import { ConnectionHealth } from "../../src/Connections/ConnectionHealth.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../src/Connections/ConnectionTokens.ts"

/** A service as another instance has it. */
export const fresh = <I, S, E, R>(service: Context.Key<I, S>, layer: Layer.Layer<I, E, R>) =>
  Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, service))

/** All services of stored connections as one. */
export const connectionStore = Effect.gen(function*() {
  return { ...yield* ConnectionHealth, ...yield* ConnectionTokens, ...yield* ConnectionRepo }
})

export class OtherInstance extends Context.Service<OtherInstance, {
  readonly repo: Effect.Success<typeof connectionStore>
}>()("openaccounts/test/OtherInstance") {
  /** Memory is not shared, so this is the same instance. */
  static readonly layerMemory = Layer.effect(OtherInstance, Effect.map(connectionStore, (repo) => ({ repo })))

  static readonly layer = OtherInstance.layerMemory.pipe(Layer.provide(Layer.fresh(ConnectionRepo.layer)))
}
