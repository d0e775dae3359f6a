import { Context } from "effect"

/** `null` outside requests, and in `POST /v1/call`. */
export const CurrentAddress = Context.Reference<string | null>("openaccounts/Domain/Request/CurrentAddress", {
  defaultValue: () => null
})
