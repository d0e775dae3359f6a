import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPage } from "../../../Dashboard/Frame/LazyPage.tsx"

export const webhookPages: FeaturePages = {
  feature: "webhooks",
  areas: [{ path: "/webhooks", title: "Webhooks", icon: "webhooks", admin: true, place: 41 }],
  actions: [{ path: "/webhooks?make=webhook", title: "Make a webhook", admin: true }],
  routes: [
    { path: "/webhooks", page: lazyPage("/webhooks", async () => (await import("./Webhooks.tsx")).Webhooks) },
    { path: "/webhooks/:id", page: lazyPage("/webhooks/", async () => (await import("./WebhookPage.tsx")).WebhookPage) }
  ]
}
