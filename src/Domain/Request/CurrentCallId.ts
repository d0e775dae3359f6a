import { Context } from "effect"
import { CallId } from "../Ids.ts"

export const CurrentCallId = Context.Reference<CallId>("openaccounts/Domain/Request/CurrentCallId", {
  defaultValue: () => CallId.make("call_00000000000000000000000000")
})
