import { Schema } from "effect"
import { ConnectionId } from "./Ids.ts"
import { Cursor } from "./Page.ts"

export const UndecryptedCredentials = Schema.Struct({
  connection_id: Schema.NullOr(ConnectionId).annotate({
    description: "`null` for data without a connection, such as a pending sign-in, a kept answer or a webhook."
  }),
  encryption_key_id: Schema.String.annotate({ description: "The key that encrypts them." }),
  reason: Schema.String
}).annotate({ identifier: "Unopened" })
export type UndecryptedCredentials = typeof UndecryptedCredentials.Type

export const RotatedBatch = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The first key of `ENCRYPTION_KEYS`, which encrypts." }),
  rotated: Schema.Int.annotate({
    description: "The number of credentials, kept answers and secrets of webhooks that this request re-encrypted."
  }),
  remaining: Schema.Int.annotate({
    description: "The number still encrypted with another key, with those in `failed`."
  }),
  failed: Schema.Array(UndecryptedCredentials).annotate({
    description: "The ids in this batch that could not be decrypted, with the reason."
  }),
  cursor: Cursor
}).annotate({ identifier: "RotatedBatch" })
export type RotatedBatch = typeof RotatedBatch.Type
