import type { SmartTool } from "../Provider.ts"
import { gscQuickWins } from "./Tools/QuickWins.ts"
import { gscTopQueries } from "./Tools/TopQueries.ts"

export const gscTools: ReadonlyArray<SmartTool> = [gscTopQueries, gscQuickWins]
