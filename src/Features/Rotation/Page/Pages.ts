import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyTab } from "../../../Dashboard/Frame/LazyPage.tsx"

export const rotationPages: FeaturePages = {
  feature: "rotation",
  tabs: [
    { id: "encryption", title: "Encryption", page: lazyTab(async () => (await import("./Encryption.tsx")).Encryption) }
  ]
}
