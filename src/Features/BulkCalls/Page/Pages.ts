import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"

export const bulkCallPages: FeaturePages = {
  feature: "bulk_calls",
  askAll: loadLater(async () => (await import("./AskAll.tsx")).AskAll, null)
}
