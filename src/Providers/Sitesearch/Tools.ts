import type { SmartTool } from "../Provider.ts"
import { sitesearchCrawlHealth } from "./Tools/CrawlHealth.ts"
import { sitesearchListSites } from "./Tools/ListSites.ts"
import { sitesearchTopPages } from "./Tools/TopPages.ts"
import { sitesearchTopQueries } from "./Tools/TopQueries.ts"

export const sitesearchTools: ReadonlyArray<SmartTool> = [
  sitesearchTopQueries,
  sitesearchTopPages,
  sitesearchCrawlHealth,
  sitesearchListSites
]
