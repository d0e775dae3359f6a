import { Context } from "effect"

export type Listener = "main" | "admin" | "both"

/** Where an endpoint is served when `ADMIN_HOST` or `ADMIN_PORT` adds a second listener. */
export const Listener = Context.Reference<Listener>("openaccounts/Api/Listener", {
  defaultValue: () => "main"
})
