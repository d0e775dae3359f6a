import { Bot } from "lucide-react"
import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"
import { featuresOff } from "../../../Dashboard/Service/ServedPage.ts"

const path = "/agents/add"

export const mcpPages: FeaturePages = {
  feature: "mcp",
  // Agents that sign in have an area, which leads here.
  areas: featuresOff.includes("agent_access") ? [{ path, title: "Agents", icon: Bot, place: 21 }] : [],
  actions: [{ path, title: "Add an agent" }],
  routes: [lazyRoute(path, async () => (await import("./AddAgent.tsx")).AddAgent)]
}
