import { Database } from "lucide-react"
import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"

export const datasetPages: FeaturePages = {
  feature: "datasets",
  parts: [{
    place: "overview",
    part: loadLater(async () => (await import("./DatasetGrowth.tsx")).DatasetGrowth, null)
  }],
  areas: [{ path: "/datasets", title: "Datasets", icon: Database, place: 32 }],
  routes: [
    lazyRoute("/datasets", async () => (await import("./Datasets.tsx")).Datasets),
    lazyRoute("/datasets/:id", async () => (await import("./DatasetPage.tsx")).DatasetPage)
  ]
}
