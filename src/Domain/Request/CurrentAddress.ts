import { Context } from "effect"

/** The address of the client. `null` outside requests. */
export const CurrentAddress = Context.Reference<string | null>("openaccounts/Domain/Request/CurrentAddress", {
  defaultValue: () => null
})
