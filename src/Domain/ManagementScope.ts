import { Context } from "effect"
import type { ClientId, MemberId } from "./Ids.ts"

/** What a request of the management API is limited to. What lies outside does not exist for it. */
export interface ManagementScope {
  /** The keys and grants of this member. `null` means those of all members. */
  readonly memberId: MemberId | null
  /** These clients and their connections. `null` means all, and connections without a client. */
  readonly clientIds: ReadonlyArray<ClientId> | null
}

/** The scope of the admin token, of admins, and of the service itself. */
export const everything: ManagementScope = { memberId: null, clientIds: null }

/** Set by authentication. */
export const CurrentScope = Context.Reference<ManagementScope>("openaccounts/Domain/ManagementScope/CurrentScope", {
  defaultValue: () => everything
})

/** A client or connection without a client is visible to members without limits only (contract section 3). */
export const isOfClients = (clientIds: ManagementScope["clientIds"], clientId: ClientId | null): boolean =>
  clientIds === null || clientId !== null && clientIds.includes(clientId)
