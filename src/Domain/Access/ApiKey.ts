import { Record, Schema } from "effect"
import { ClientId, KeyId, MemberId } from "../Ids.ts"
import { ManageArea } from "../Request/ManagementScope.ts"
import { Instant, Lookup, Name, Timestamp } from "../Validation/Fields.ts"
import { AccessLevel } from "./Principal.ts"
import { changedRightsFields, newKeyRights, Rights } from "./Rights.ts"

export const KeyAccess = AccessLevel.annotate({
  description: "A read-only key cannot call operations that write."
})
export type KeyAccess = typeof KeyAccess.Type

const Manage = Schema.Array(ManageArea).annotate({
  description: "The parts of the management API that the key may use, within its member's clients: `connections` is " +
    "`/admin/v1/connections`, `connect_links` is `/admin/v1/connect-links`, `webhooks` is `/admin/v1/webhooks` and " +
    "needs a member without limits. A member gives its own key `connections` and `connect_links`, and such a key does " +
    "with them what the member may do itself."
})

const ExpiresAt = Schema.NullOr(Instant).annotate({
  description: "From this time on the key is refused. It must be in the future; `null` means never."
})

export const ApiKey = Schema.Struct({
  id: KeyId,
  member_id: MemberId,
  client_id: Schema.NullOr(ClientId).annotate({
    description: "The client for which the key was made. Its `member_id` is then in no list of members. Else `null`."
  }),
  name: Schema.String,
  access: KeyAccess,
  hint: Schema.String.annotate({ description: "The last four characters of the secret." }),
  expires_at: Schema.NullOr(Timestamp).annotate({ description: "`null` means never." }),
  manage: Manage,
  ...Rights.fields,
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Key" })
export type ApiKey = typeof ApiKey.Type

export const NewApiKey = Schema.Struct({
  member_id: Lookup.annotate({ description: "The member whose key it is. Either this or `client_id`." }).pipe(
    Schema.optionalKey
  ),
  client_id: Lookup.annotate({
    description: "The client for which the key is: it sees that client alone, and ends with it. For admins."
  }).pipe(Schema.optionalKey),
  name: Name,
  access: KeyAccess.annotate({ default: "read_only" }).pipe(Schema.optionalKey),
  expires_at: ExpiresAt.annotate({ default: null }).pipe(Schema.optionalKey),
  manage: Manage.annotate({ default: [] }).pipe(Schema.optionalKey),
  resources: Rights.fields.resources.annotate({ default: newKeyRights.resources }).pipe(Schema.optionalKey),
  writes: Rights.fields.writes.annotate({ default: newKeyRights.writes }).pipe(Schema.optionalKey),
  undo: Rights.fields.undo.annotate({ default: newKeyRights.undo }).pipe(Schema.optionalKey),
  budget: Rights.fields.budget.annotate({ default: newKeyRights.budget }).pipe(Schema.optionalKey)
})
export type NewApiKey = typeof NewApiKey.Type

export const KeyChange = Schema.Struct({
  name: Name.pipe(Schema.optionalKey),
  expires_at: ExpiresAt.pipe(Schema.optionalKey),
  manage: Manage.pipe(Schema.optionalKey),
  ...changedRightsFields
})
export type KeyChange = typeof KeyChange.Type

export const CreatedApiKey = Schema.Struct({
  ...ApiKey.fields,
  key: Schema.String.annotate({ description: "The secret, `oa_…`. It is returned only once." })
}).annotate({ identifier: "CreatedKey" })
export type CreatedApiKey = typeof CreatedApiKey.Type

export const keyActions = {
  "key.created": "made the key",
  "key.changed": "changed the key",
  "key.revoked": "revoked the key"
}

export const keyEvents = {
  "key.created": "an API key was made",
  "key.changed": "an API key got another name, expiry or right to manage",
  "key.revoked": "an API key was revoked"
}

export const KeyEvent = Schema.Struct({
  type: Schema.Literals(Record.keys(keyEvents)),
  data: Schema.Struct({ key: ApiKey })
})
