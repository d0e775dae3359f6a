import { Context } from "effect"
import { CallId } from "./Ids.ts"

/** The `call_id` of the request being answered; the HTTP layer sets it before anything else runs. */
export const CurrentCallId = Context.Reference<CallId>("openaccounts/Domain/CurrentCallId", {
  defaultValue: () => CallId.make("call_00000000000000000000000000")
})
