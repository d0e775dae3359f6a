import { Context } from "effect"
import { CallLog } from "./CallLog.ts"

/** The log of the service. A feature may keep it elsewhere. */
export const LogStore = Context.Reference<typeof CallLog.layer>("openaccounts/Calls/Log/LogStore", {
  defaultValue: () => CallLog.layer
})
