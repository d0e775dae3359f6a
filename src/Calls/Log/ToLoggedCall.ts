import { type CallEntry, type LoggedCall, loggedFields } from "../../Domain/Call.ts"
import { idMillis } from "../../Domain/NewId.ts"

export const toLoggedCall = (call: CallEntry): LoggedCall =>
  loggedFields({ ...call, created_at: new Date(idMillis(call.id)) })
