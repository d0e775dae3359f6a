import { Layer } from "effect"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { Idempotency, idempotencySecrets } from "./Idempotency.ts"
import { idempotencyStep } from "./IdempotencyStep.ts"
import { idempotencySend } from "./IdempotentWrite.ts"

/** A write with an `Idempotency-Key` is sent once. */
export const idempotency: Feature = {
  name: "idempotency",
  layer: Layer.empty,
  call: Layer.effect(FeatureCall, idempotencyStep).pipe(Layer.provide(Idempotency.layer)),
  send: Layer.succeed(FeatureSend, idempotencySend),
  owns: { secrets: [idempotencySecrets] }
}
