import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"
import { ClientUsage } from "./ClientUsage.tsx"
import { ConnectionUsage } from "./ConnectionUsage.tsx"
import { OverviewPeriod, OverviewUsage } from "./OverviewUsage.tsx"

export const statsPages: FeaturePages = {
  feature: "stats",
  callHistogram: loadLater(async () => (await import("./CallHistogram.tsx")).CallHistogram, null),
  parts: [
    { place: "overviewActions", part: OverviewPeriod },
    { place: "overview", part: OverviewUsage },
    { place: "client", part: ClientUsage },
    { place: "connection", part: ConnectionUsage }
  ]
}
