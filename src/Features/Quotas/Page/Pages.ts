import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { ConnectionQuotas, ScarceQuotas } from "./Quotas.tsx"

export const quotaPages: FeaturePages = {
  feature: "quotas",
  parts: [{ place: "attention", part: ScarceQuotas }, { place: "connection", part: ConnectionQuotas }]
}
