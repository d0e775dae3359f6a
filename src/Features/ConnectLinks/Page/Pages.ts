import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"

const path = "/connections/links"

export const connectLinkPages: FeaturePages = {
  feature: "connect_links",
  routes: [lazyRoute(path, async () => (await import("./ConnectLinks.tsx")).ConnectLinks)],
  actions: [
    { title: "Connect links", kind: "Page", path },
    { title: "Make a connect link", path: `${path}?make=link` }
  ]
}
