import { type AuditedChange, auditedEdit, ifMade } from "../Audit/Audit.ts"
import type { Connection, StoredConnection } from "../Domain/Connection.ts"

export const connectionCreated = (connection: StoredConnection): ReadonlyArray<AuditedChange> => {
  const { auth_type, client_id, external_account, id, label, parent_id, provider, resources, scopes } = connection
  return [{
    action: "connection.created",
    subject: id,
    details: { provider, auth_type, client_id, label, external_account, scopes, resources, parent_id },
    event: { type: "connection.created", data: { connection } }
  }]
}

export const credentialsReplaced = ifMade((connection: Connection) => ({
  action: "connection.credentials_replaced",
  subject: connection.id,
  details: { auth_type: connection.auth_type, external_account: connection.external_account },
  event: { type: "connection.reconnected", data: { connection } }
}))

export const connectionChanged = (before: Connection, after: Connection): ReadonlyArray<AuditedChange> => {
  const event = { type: "connection.changed", data: { connection: after } } as const
  return auditedEdit({ action: event.type, subject: after.id, event }, changeable(before), changeable(after))
}

const changeable = ({ client_id, label, resources }: Connection) => ({ label, client_id, resources })

export const connectionRevoked = (connection: StoredConnection): AuditedChange => ({
  action: "connection.revoked",
  subject: connection.id,
  event: { type: "connection.revoked", data: { connection } }
})
