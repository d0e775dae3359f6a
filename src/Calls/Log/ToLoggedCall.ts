import { type CallEntry, type LoggedCall, loggedFields } from "../../Domain/Calls/Call.ts"
import { idMillis } from "../../Domain/NewId.ts"

export const toLoggedCall = (call: CallEntry): LoggedCall =>
  loggedFields({
    dry_run: false,
    undo_of: null,
    bulk_call_id: null,
    undoable_until: null,
    ...call,
    undone_by: null,
    created_at: new Date(idMillis(call.id))
  })
