import { Layer } from "effect"
import { quotasSend } from "../../Providers/Quotas/QuotaStep.ts"
import { type Feature, FeatureSend } from "../Feature.ts"

/** Keeps calls within the providers' quotas. */
export const quotas: Feature = {
  name: "quotas",
  layer: Layer.empty,
  send: Layer.effect(FeatureSend, quotasSend)
}
