import { Context } from "effect"
import { maxConnections } from "./Contract.ts"

/** The bounds of one bulk call. Tests make them small. */
export const BulkCallBounds = Context.Reference("openaccounts/Features/BulkCalls/BulkCallBounds", {
  defaultValue: () => ({
    /** Also with `resources`, which can make many of one connection. */
    runs: maxConnections,
    rows: 1_000_000,
    /** What runs store until the table is there. */
    bytes: 1_073_741_824
  })
})
