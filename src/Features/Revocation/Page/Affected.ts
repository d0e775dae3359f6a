import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import type { Member } from "../../../Domain/Member.ts"
import type { NewRevocation } from "../Revocation.ts"

/** The connections that are not revoked yet, with those that are derived from them. */
export const affectedConnections = (
  { client_id, provider }: NewRevocation,
  connections: ReadonlyArray<ManagedConnection>
): ReadonlyArray<ManagedConnection> => {
  const isNamed = (connection: ManagedConnection) =>
    (client_id === undefined || connection.client_id === client_id) &&
    (provider === undefined || connection.provider === provider)
  const named = new Set<string | null>(connections.filter(isNamed).map(({ id }) => id))
  return connections.filter(({ id, parent_id, status }) =>
    status !== "revoked" && (named.has(id) || parent_id !== null && named.has(parent_id))
  )
}

/** The live keys of members who see the client alone, or without a client all live keys. */
export const affectedKeys = (
  { client_id }: NewRevocation,
  keys: ReadonlyArray<ApiKey>,
  members: ReadonlyArray<Member>
): ReadonlyArray<ApiKey> => {
  const seeItAlone = new Set<string>(
    members.filter(({ client_ids }) => client_ids?.length === 1 && client_ids[0] === client_id).map(({ id }) => id)
  )
  return keys.filter(({ client_id: ownClientId, expires_at, member_id, revoked_at }) =>
    revoked_at === null && (expires_at === null || expires_at.getTime() > Date.now()) &&
    (client_id === undefined || ownClientId === client_id || seeItAlone.has(member_id))
  )
}
