import { Context } from "effect"
import { maxConnections } from "./Contract.ts"

/** The bounds of one bulk call. Tests make them small. */
export const BulkCallBounds = Context.Reference("openaccounts/Features/BulkCalls/BulkCallBounds", {
  defaultValue: () => ({
    /** Includes the runs that `resources` makes of one connection. */
    runs: maxConnections,
    rows: 1_000_000,
    /** The most that runs store until the table is made. */
    bytes: 1_073_741_824
  })
})
