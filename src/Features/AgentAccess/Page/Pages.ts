import { Bot } from "lucide-react"
import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"

export const agentAccessPages: FeaturePages = {
  feature: "agent_access",
  areas: [{ path: "/agents", title: "Agents", icon: Bot, place: 21 }],
  routes: [lazyRoute("/agents", async () => (await import("./Agents.tsx")).Agents)]
}
