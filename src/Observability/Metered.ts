import { type Context, Effect, Layer } from "effect"
import type { Meter } from "./Meter.ts"
import { Metrics } from "./Metrics.ts"

export const meteredLayer = <I, S>(tag: Context.Service<I, S>, measure: (service: S, meter: Meter) => S) =>
  Layer.effect(
    tag,
    Effect.gen(function*() {
      const service = yield* tag
      const meter = yield* Metrics
      return meter === undefined ? service : measure(service, meter)
    })
  )

export const makeInFlightCount = () => {
  let count = 0
  return {
    read: () => count,
    track: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        count++
        return Effect.onExitPrimitive(effect, () => {
          count--
          return undefined
        })
      })
  }
}
