import { Effect } from "effect"
import type { SendStep } from "../Sending/SendSteps.ts"
import { governed } from "./Governed.ts"
import { Quotas } from "./Quotas.ts"

/** Takes the units of each request before it is sent. */
export const quotasSend = Effect.map(Quotas, (quotas): SendStep => ({
  name: "quotas",
  of: "calls",
  wrap: ({ again, caller }, next) => governed(quotas, next, caller, again)
}))
