import { Layer } from "effect"
import { Idempotency } from "../../Calls/Idempotency/Idempotency.ts"
import { idempotencyStep } from "../../Calls/Idempotency/IdempotencyStep.ts"
import { idempotencySend } from "../../Calls/Idempotency/IdempotentWrite.ts"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"

/** A write with an `Idempotency-Key` is sent once. */
export const idempotency: Feature = {
  name: "idempotency",
  layer: Layer.empty,
  call: Layer.effect(FeatureCall, idempotencyStep).pipe(Layer.provide(Idempotency.layer)),
  send: Layer.succeed(FeatureSend, idempotencySend)
}
