import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyTab } from "../../../Dashboard/Frame/LazyPage.tsx"

export const alertPages: FeaturePages = {
  feature: "alerts",
  tabs: [
    {
      id: "alerts",
      title: "Alerts",
      forMembers: true,
      page: lazyTab(async () => (await import("./AlertSettings.tsx")).AlertSettings)
    },
    { id: "mail", title: "Mail", page: lazyTab(async () => (await import("./MailDeliveries.tsx")).MailDeliveries) }
  ],
  actions: [{ path: "/settings?tab=alerts", title: "Choose alerts by e-mail" }]
}
