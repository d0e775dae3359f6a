import type { AuditedChange } from "../Audit/Audit.ts"
import type { ApiKey } from "../Domain/Access/ApiKey.ts"

export const keyDetails = (
  { access, budget, expires_at, hint, manage, member_id, name, resources, undo, writes }: ApiKey
) => ({
  name,
  member_id,
  access,
  hint,
  expires_at: expires_at?.toISOString() ?? null,
  manage,
  resources,
  writes,
  undo,
  budget
})

export const keyChanged = (type: "key.created" | "key.revoked", key: ApiKey): AuditedChange => ({
  action: type,
  subject: key.id,
  details: keyDetails(key),
  event: { type, data: { key } }
})
