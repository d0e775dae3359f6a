import type { AuditedChange } from "../Audit/Audit.ts"
import type { Grant } from "../Domain/Access/Grant.ts"
import { rightsOf } from "../Domain/Access/Rights.ts"

export const grantDetails = (grant: Grant) => ({
  member_id: grant.member_id,
  agent: grant.agent,
  access: grant.access,
  connection_ids: grant.connection_ids,
  ...rightsOf(grant)
})

export const grantChanged = (type: "grant.created" | "grant.revoked", grant: Grant): AuditedChange => ({
  action: type,
  subject: grant.id,
  details: grantDetails(grant),
  event: { type, data: { grant } }
})
