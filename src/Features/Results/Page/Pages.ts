import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"

export const resultPages: FeaturePages = {
  feature: "results",
  aroundData: loadLater(async () => (await import("./AroundData.tsx")).AroundData, null)
}
