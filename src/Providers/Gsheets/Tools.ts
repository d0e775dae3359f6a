import type { SmartTool } from "../Provider.ts"
import { sheetsAppendRows } from "./AppendTool.ts"
import { sheetsCreate } from "./CreateTool.ts"
import { sheetsListTabs } from "./ListTabsTool.ts"
import { sheetsRead } from "./ReadTool.ts"
import { sheetsUpdateRange } from "./UpdateTool.ts"

export const sheetsTools: ReadonlyArray<SmartTool> = [
  sheetsRead,
  sheetsListTabs,
  sheetsAppendRows,
  sheetsUpdateRange,
  sheetsCreate
]
