import type { Target } from "./Target.ts"
import { addresses } from "./targets/Addresses.ts"
import { backups } from "./targets/Backups.ts"
import { markdown } from "./targets/Documents.ts"
import { messages } from "./targets/Messages.ts"
import { ranges } from "./targets/Ranges.ts"
import { echoes, redaction } from "./targets/Redactions.ts"
import { selections } from "./targets/Selections.ts"
import { signIns } from "./targets/SignIns.ts"
import { json, tables } from "./targets/Texts.ts"

export const targets: Readonly<Record<string, Target>> = {
  ranges,
  markdown,
  selections,
  messages,
  redaction,
  echoes,
  addresses,
  backups,
  signIns,
  json,
  tables
}
