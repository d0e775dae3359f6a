import { Layer } from "effect"
import { previewStep } from "../../Calls/Undo/PreviewStep.ts"
import { type Feature, FeatureCall } from "../Feature.ts"

/** Shows what a write would change. */
export const preview: Feature = {
  name: "preview",
  layer: Layer.empty,
  call: Layer.succeed(FeatureCall, previewStep)
}
