import { Layer } from "effect"
import { type Feature, FeatureCall } from "../Feature.ts"
import { previewStep } from "./PreviewStep.ts"

/** Shows what a write would change. */
export const preview: Feature = {
  name: "preview",
  layer: Layer.empty,
  call: Layer.succeed(FeatureCall, previewStep)
}
