import { type AuditedChange, auditedEdit } from "../Audit/Audit.ts"
import type { Connection, StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"

export const connectionCreated = (connection: StoredConnection): ReadonlyArray<AuditedChange> => {
  const { auth_type, client_id, external_account, id, label, parent_id, provider, resources, scopes } = connection
  return [{
    action: "connection.created",
    subject: id,
    details: { provider, auth_type, client_id, label, external_account, scopes, resources, parent_id },
    event: { type: "connection.created", data: { connection } }
  }]
}

export const credentialsReplaced = (connection: Connection): AuditedChange => ({
  action: "connection.credentials_replaced",
  subject: connection.id,
  details: { auth_type: connection.auth_type, external_account: connection.external_account },
  event: { type: "connection.reconnected", data: { connection } }
})

/** `sharedWith` are connections of other clients that have the same refresh token. */
export const tokenShared = (
  connection: Connection,
  sharedWith: ReadonlyArray<ConnectionId>
): ReadonlyArray<AuditedChange> =>
  sharedWith.length === 0 ? [] : [{
    action: "connection.token_shared",
    subject: connection.id,
    details: { token_shared_with: sharedWith },
    event: { type: "connection.token_shared", data: { connection, token_shared_with: sharedWith } }
  }]

export const connectionChanged = (before: Connection, after: Connection): ReadonlyArray<AuditedChange> => {
  const event = { type: "connection.changed", data: { connection: after } } as const
  return auditedEdit({ action: event.type, subject: after.id, event }, changeable(before), changeable(after))
}

const changeable = ({ client_id, label, resources }: Connection) => ({ label, client_id, resources })

/** `sharedWith` are the connections that still use the token of this one. */
export const connectionRevoked = (
  connection: StoredConnection,
  sharedWith: ReadonlyArray<ConnectionId> = []
): AuditedChange => ({
  action: "connection.revoked",
  subject: connection.id,
  ...sharedWith.length === 0 ? {} : { details: { token_shared_with: sharedWith } },
  event: { type: "connection.revoked", data: { connection } }
})
