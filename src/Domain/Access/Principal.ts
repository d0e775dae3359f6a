import { Schema } from "effect"
import type { ClientId, ConnectionId, GrantId, HolderId, KeyId, MemberId, SessionId } from "../Ids.ts"
import type { Role } from "../Member.ts"
import { isClientInScope, type ManageArea } from "../Request/ManagementScope.ts"
import type { Budget } from "./Budget.ts"
import type { Rights } from "./Rights.ts"

export const AccessLevel = Schema.Literals(["read_only", "read_write"])
export type AccessLevel = typeof AccessLevel.Type

export const Via = Schema.Literals(["key", "session", "grant"])
export type Via = typeof Via.Type

/** By default writes are allowed, and nothing is kept for undo. */
interface Allowed extends Pick<Rights, "resources">, Partial<Omit<Rights, "resources">> {
  readonly memberId: MemberId
  readonly access: AccessLevel
  readonly clientIds: ReadonlyArray<ClientId> | null
  readonly connectionIds: ReadonlyArray<ConnectionId> | null
  readonly memberBudget?: Budget
  /** When the bound was last narrowed. */
  readonly boundedAt?: Date | null
}

export interface KeyPrincipal extends Allowed {
  readonly via: "key"
  readonly keyId: KeyId
  readonly manage: ReadonlyArray<ManageArea>
  /** The role that gave `manage`: the key may do no more with it than that role. */
  readonly manageAs: Role
}

export interface SessionPrincipal extends Allowed {
  readonly via: "session"
  readonly sessionId: SessionId
  readonly role: Role
}

export interface GrantPrincipal extends Allowed {
  readonly via: "grant"
  readonly grantId: GrantId
}

export type Principal = KeyPrincipal | SessionPrincipal | GrantPrincipal

/**
 * A viewer sees the calls on connections of its clients, and its own calls without a connection. `connectionIds` limits
 * the connections.
 */
export interface Viewer {
  readonly memberId: MemberId | null
  readonly clientIds: Principal["clientIds"]
  readonly connectionIds: Principal["connectionIds"]
}

export const operator: Viewer = { memberId: null, clientIds: null, connectionIds: null }

export const seesEveryCall = ({ clientIds, connectionIds }: Viewer): boolean =>
  clientIds === null && connectionIds === null

type Limits = Pick<Allowed, "clientIds" | "connectionIds">

export const seesConnection = (
  { clientIds, connectionIds }: Limits,
  id: ConnectionId,
  clientId: ClientId | null
): boolean => isClientInScope(clientIds, clientId) && (connectionIds === null || connectionIds.includes(id))

export const seesCall = (
  viewer: Viewer,
  { client_id, connection_id, member_id }: {
    readonly client_id: ClientId | null
    readonly connection_id: ConnectionId | null
    readonly member_id: MemberId | null
  }
): boolean => {
  if (seesEveryCall(viewer)) return true
  return connection_id === null
    ? member_id === viewer.memberId
    : seesConnection(viewer, connection_id, client_id)
}

export const grantedOf = <A extends { readonly id: ConnectionId }>(
  { connectionIds }: Pick<Principal, "connectionIds">,
  connections: ReadonlyArray<A>
): ReadonlyArray<A> => connectionIds === null ? connections : connections.filter(({ id }) => connectionIds.includes(id))

/**
 * A bound key or grant sees only its own calls, because others can hold what is outside of its bound. `undefined` for
 * callers without a bound.
 */
export const onlyCallsOf = (
  principal: Principal
): { readonly key_id: KeyId } | { readonly grant_id: GrantId } | undefined => {
  if (principal.resources === null || principal.via === "session") return undefined
  return principal.via === "key" ? { key_id: principal.keyId } : { grant_id: principal.grantId }
}

export const callerOf = (principal: Principal | undefined) => ({
  via: principal?.via ?? null,
  member_id: principal?.memberId ?? null,
  key_id: principal?.via === "key" ? principal.keyId : null,
  grant_id: principal?.via === "grant" ? principal.grantId : null
})

const idOf = (principal: KeyPrincipal | GrantPrincipal): KeyId | GrantId =>
  principal.via === "key" ? principal.keyId : principal.grantId

export const holderIdOf = (principal: Principal): HolderId =>
  principal.via === "session" ? principal.sessionId : idOf(principal)

/** The key or the grant; `null` for a session. */
export const holderOf = (principal: Principal): KeyId | GrantId | null =>
  principal.via === "session" ? null : idOf(principal)

/** Whether the caller may make connect links. A member without a client cannot connect an account. */
export const mayMakeLinks = (principal: Principal): boolean => {
  if (principal.clientIds?.length === 0) return false
  return principal.via === "grant" || principal.via === "key" && principal.manage.includes("connect_links")
}

export type RateSubject = KeyId | MemberId | GrantId

export const rateSubjectOf = (principal: Principal): RateSubject =>
  principal.via === "session" ? principal.memberId : idOf(principal)
