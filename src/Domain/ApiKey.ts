import { Schema } from "effect"
import { Lookup, Name, Timestamp } from "./Fields.ts"
import { KeyId, MemberId } from "./Ids.ts"

export const KeyAccess = Schema.Literals(["read_only", "read_write"]).annotate({
  description: "A read-only key cannot call operations that write."
})
export type KeyAccess = typeof KeyAccess.Type

export const Key = Schema.Struct({
  id: KeyId,
  member_id: MemberId,
  name: Schema.String,
  access: KeyAccess,
  hint: Schema.String.annotate({ description: "The last four characters of the secret." }),
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Key" })
export type Key = typeof Key.Type

export const NewKey = Schema.Struct({
  member_id: Lookup,
  name: Name,
  access: KeyAccess.annotate({ default: "read_only" }).pipe(Schema.optionalKey)
})
export type NewKey = typeof NewKey.Type

export const CreatedKey = Schema.Struct({
  ...Key.fields,
  key: Schema.String.annotate({ description: "The secret, `oa_…`; shown this once." })
}).annotate({ identifier: "CreatedKey" })
export type CreatedKey = typeof CreatedKey.Type
