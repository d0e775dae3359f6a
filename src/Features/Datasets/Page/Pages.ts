import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPage } from "../../../Dashboard/Frame/LazyPage.tsx"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"

export const datasetPages: FeaturePages = {
  feature: "datasets",
  parts: [{
    place: "overview",
    part: loadLater(async () => (await import("./DatasetGrowth.tsx")).DatasetGrowth, null)
  }],
  areas: [{ path: "/datasets", title: "Datasets", icon: "datasets", place: 32 }],
  routes: [
    { path: "/datasets", page: lazyPage("/datasets", async () => (await import("./Datasets.tsx")).Datasets) },
    { path: "/datasets/:id", page: lazyPage("/datasets/", async () => (await import("./DatasetPage.tsx")).DatasetPage) }
  ]
}
