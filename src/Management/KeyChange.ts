import type { AuditedChange } from "../Audit/Audit.ts"
import type { ApiKey } from "../Domain/Access/ApiKey.ts"
import { rightsOf } from "../Domain/Access/Rights.ts"

export const keyDetails = (key: ApiKey) => ({
  name: key.name,
  member_id: key.member_id,
  client_id: key.client_id,
  access: key.access,
  hint: key.hint,
  expires_at: key.expires_at?.toISOString() ?? null,
  manage: key.manage,
  ...rightsOf(key)
})

export const keyChanged = (type: "key.created" | "key.revoked", key: ApiKey): AuditedChange => ({
  action: type,
  subject: key.id,
  details: keyDetails(key),
  event: { type, data: { key } }
})
