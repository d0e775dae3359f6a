import { Record, Schema } from "effect"
import { keyActions } from "../Domain/Access/ApiKey.ts"
import { grantActions } from "../Domain/Access/Grant.ts"
import { clientActions } from "../Domain/Client.ts"
import { connectionActions } from "../Domain/Connection.ts"
import { AuditEntryId } from "../Domain/Ids.ts"
import { memberActions } from "../Domain/Member.ts"
import { Actor } from "../Domain/Request/Actor.ts"
import { Instant, Lookup, Timestamp } from "../Domain/Validation/Fields.ts"
import { approvalActions } from "../Features/Approvals/Declared.ts"
import { connectLinkActions, visitorActions } from "../Features/ConnectLinks/Declared.ts"
import { datasetActions } from "../Features/Datasets/Declared.ts"
import { healthActions } from "../Features/Health/Declared.ts"
import { revocationActions } from "../Features/Revocation/Declared.ts"
import { signInActions } from "../Features/SignIn/Declared.ts"
import { webhookActions } from "../Features/Webhooks/Declared.ts"

/** Each action, with the words between its actor and the name of its subject. */
export const auditWords = {
  ...clientActions,
  ...memberActions,
  ...signInActions,
  ...keyActions,
  ...grantActions,
  ...approvalActions,
  ...connectionActions,
  ...healthActions,
  ...webhookActions,
  ...connectLinkActions,
  ...datasetActions,
  ...revocationActions,
  "admin_token.refused": "was refused with a wrong admin token"
}

export const auditActions = Record.keys(auditWords)
export type AuditAction = typeof auditActions[number]

const byNonMembers: ReadonlyArray<AuditAction> = [...visitorActions]

/** The caller is not a member, so the actor is the service. */
export const isByNonMember = (action: AuditAction): boolean =>
  action.endsWith("refused") || byNonMembers.includes(action)

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
