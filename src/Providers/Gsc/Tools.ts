import type { SmartTool } from "../Provider.ts"
import { gscQuickWins } from "./Tools/QuickWins.ts"
import { gscTopQueries } from "./Tools/TopQueries.ts"

/** In the order of section 1 of the specification. */
export const gscTools: ReadonlyArray<SmartTool> = [gscTopQueries, gscQuickWins]
