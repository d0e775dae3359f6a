import type { SmartTool } from "../Provider.ts"
import { sheetsAppendRows } from "./Tools/AppendRows.ts"
import { sheetsCreate } from "./Tools/Create.ts"
import { sheetsListTabs } from "./Tools/ListTabs.ts"
import { sheetsRead } from "./Tools/Read.ts"
import { sheetsUpdateRange } from "./Tools/UpdateRange.ts"

export const sheetsTools: ReadonlyArray<SmartTool> = [
  sheetsRead,
  sheetsListTabs,
  sheetsAppendRows,
  sheetsUpdateRange,
  sheetsCreate
]
