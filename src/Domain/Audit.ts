import { Schema } from "effect"
import { AuditEntryId } from "./Ids.ts"
import { Actor } from "./Request/Actor.ts"
import { Instant, Lookup, Timestamp } from "./Validation/Fields.ts"

export const auditActions = [
  "client.created",
  "client.changed",
  "client.deleted",
  "member.created",
  "member.changed",
  "member.deleted",
  "member.link_created",
  "member.link_used",
  "member.link_refused",
  "member.password_set",
  "member.oidc_bound",
  "member.oidc_unbound",
  "member.sign_in_refused",
  "passkey.added",
  "passkey.removed",
  "session.started",
  "session.ended",
  "key.created",
  "key.changed",
  "key.revoked",
  "grant.created",
  "grant.changed",
  "grant.revoked",
  "approval.requested",
  "approval.decided",
  "connection.created",
  "connection.changed",
  "connection.credentials_replaced",
  "connection.expired",
  "connection.revoked",
  "connection.at_risk",
  "connection.recovered",
  "connection.token_shared",
  "connection.tested",
  "webhook.created",
  "webhook.changed",
  "webhook.secret_replaced",
  "webhook.switched_off",
  "webhook.deleted",
  "link.created",
  "link.ended",
  "link.used",
  "dataset.created",
  "dataset.changed",
  "dataset.deleted",
  "revocation.started",
  "admin_token.refused"
] as const
export type AuditAction = typeof auditActions[number]

export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  at: Timestamp,
  actor: Actor,
  // Not literals: a newer version may have written the entry.
  action: Schema.String,
  subject: Schema.Struct({ type: Schema.String, id: Schema.NullOr(Schema.String) }),
  address: Schema.NullOr(Schema.String).annotate({ description: "The IP address that the request came from." }),
  details: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "The new values, without secrets. For a change, `{ from, to }` of each changed field."
  })
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

export const AuditFilter = {
  actor: Lookup.annotate({ description: "The id of a member or a key, or `member`, `key`, `token` or `system`." }).pipe(
    Schema.optionalKey
  ),
  action: Schema.Literals(auditActions).pipe(Schema.optionalKey),
  subject: Lookup.annotate({ description: "The id of a subject, or a type such as `connection`." }).pipe(
    Schema.optionalKey
  ),
  since: Instant.pipe(Schema.annotateEncoded({ description: "The earliest time, inclusive." }), Schema.optionalKey),
  until: Instant.pipe(Schema.annotateEncoded({ description: "The latest time, exclusive." }), Schema.optionalKey)
}
export interface AuditFilter {
  readonly actor?: string
  readonly action?: AuditAction
  readonly subject?: string
  readonly since?: Date
  readonly until?: Date
}
