import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyTab } from "../../../Dashboard/Frame/LazyPage.tsx"

export const googleSetupPages: FeaturePages = {
  feature: "google_setup",
  tabs: [{ id: "google", title: "Google", page: lazyTab(async () => (await import("./Google.tsx")).Google) }],
  actions: [{ path: "/settings?tab=google", title: "Check the project at Google", admin: true }]
}
