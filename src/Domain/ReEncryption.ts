import { Schema } from "effect"
import { ConnectionId } from "./Ids.ts"
import { Cursor } from "./Page.ts"

/** Stored credentials that the configured keys do not open. */
export const DecryptionFailure = Schema.Struct({
  connection_id: Schema.NullOr(ConnectionId).annotate({
    description: "`null` for a sign-in that has begun and has no connection yet."
  }),
  encryption_key_id: Schema.String.annotate({ description: "The key that they are sealed under." }),
  reason: Schema.String
}).annotate({ identifier: "Unopened" })
export type DecryptionFailure = typeof DecryptionFailure.Type

export const RotatedBatch = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The first key of `ENCRYPTION_KEYS`: the one that seals." }),
  rotated: Schema.Int.annotate({ description: "How many this request re-encrypted." }),
  remaining: Schema.Int.annotate({
    description: "How many are still sealed under another key, those in `failed` too."
  }),
  failed: Schema.Array(DecryptionFailure).annotate({
    description: "Those of this batch that could not be opened, and why."
  }),
  cursor: Cursor
}).annotate({ identifier: "RotatedBatch" })
export type RotatedBatch = typeof RotatedBatch.Type
