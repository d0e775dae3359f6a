import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPage } from "../../../Dashboard/Frame/LazyPage.tsx"

export const datasetPages: FeaturePages = {
  feature: "datasets",
  areas: [{ path: "/datasets", title: "Datasets", icon: "datasets", place: 32 }],
  routes: [
    { path: "/datasets", page: lazyPage("/datasets", async () => (await import("./Datasets.tsx")).Datasets) },
    { path: "/datasets/:id", page: lazyPage("/datasets/", async () => (await import("./DatasetPage.tsx")).DatasetPage) }
  ]
}
