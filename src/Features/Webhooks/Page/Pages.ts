import { Webhook } from "lucide-react"
import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"

export const webhookPages: FeaturePages = {
  feature: "webhooks",
  areas: [{ path: "/webhooks", title: "Webhooks", icon: Webhook, admin: true, place: 41 }],
  actions: [{ path: "/webhooks?make=webhook", title: "Make a webhook", admin: true }],
  routes: [
    lazyRoute("/webhooks", async () => (await import("./Webhooks.tsx")).Webhooks),
    lazyRoute("/webhooks/:id", async () => (await import("./WebhookPage.tsx")).WebhookPage)
  ]
}
