import { Context } from "effect"
import { CallId } from "./Ids.ts"

/** The `call_id` of the current HTTP request. */
export const CurrentCallId = Context.Reference<CallId>("openaccounts/Domain/CurrentCallId", {
  defaultValue: () => CallId.make("call_00000000000000000000000000")
})
