import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyTab } from "../../../Dashboard/Frame/LazyPage.tsx"

export const revocationPages: FeaturePages = {
  feature: "revocation",
  tabs: [{ id: "revoke", title: "Revoke", page: lazyTab(async () => (await import("./RevokeMany.tsx")).RevokeMany) }]
}
