import { Schema } from "effect"
import { KeyId, MemberId } from "./Ids.ts"
import { AccessLevel } from "./Principal.ts"
import { Lookup, Name, Timestamp } from "./Validation/Fields.ts"

export const KeyAccess = AccessLevel.annotate({
  description: "A read-only key cannot call operations that write."
})
export type KeyAccess = typeof KeyAccess.Type

export const ApiKey = Schema.Struct({
  id: KeyId,
  member_id: MemberId,
  name: Schema.String,
  access: KeyAccess,
  hint: Schema.String.annotate({ description: "The last four characters of the secret." }),
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Key" })
export type ApiKey = typeof ApiKey.Type

export const NewApiKey = Schema.Struct({
  member_id: Lookup,
  name: Name,
  access: KeyAccess.annotate({ default: "read_only" }).pipe(Schema.optionalKey)
})
export type NewApiKey = typeof NewApiKey.Type

export const CreatedApiKey = Schema.Struct({
  ...ApiKey.fields,
  key: Schema.String.annotate({ description: "The secret, `oa_…`. It is returned only once." })
}).annotate({ identifier: "CreatedKey" })
export type CreatedApiKey = typeof CreatedApiKey.Type
