import type { AuditedChange } from "../Audit/Audit.ts"
import type { Grant } from "../Domain/Access/Grant.ts"

export const grantDetails = (
  { access, agent, budget, connection_ids, member_id, resources, undo, writes }: Grant
) => ({
  member_id,
  agent,
  access,
  connection_ids,
  resources,
  writes,
  undo,
  budget
})

export const grantChanged = (type: "grant.created" | "grant.revoked", grant: Grant): AuditedChange => ({
  action: type,
  subject: grant.id,
  details: grantDetails(grant),
  event: { type, data: { grant } }
})
