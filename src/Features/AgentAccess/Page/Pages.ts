import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPage } from "../../../Dashboard/Frame/LazyPage.tsx"

export const agentAccessPages: FeaturePages = {
  feature: "agent_access",
  areas: [{ path: "/agents", title: "Agents", icon: "agents", place: 21 }],
  routes: [{ path: "/agents", page: lazyPage("/agents", async () => (await import("./Agents.tsx")).Agents) }]
}
