import { Context } from "effect"
import type { ClientId, MemberId } from "./Ids.ts"

/** The limits of a request to the management API. What lies outside does not exist for it. */
export interface ManagementScope {
  /** The keys and grants of this member. `null` means those of all members. */
  readonly memberId: MemberId | null
  /** These clients and their connections. `null` means all, and connections without a client. */
  readonly clientIds: ReadonlyArray<ClientId> | null
}

export const unlimitedScope: ManagementScope = { memberId: null, clientIds: null }

export const CurrentScope = Context.Reference<ManagementScope>("openaccounts/Domain/ManagementScope/CurrentScope", {
  defaultValue: () => unlimitedScope
})

export const isClientInScope = (clientIds: ManagementScope["clientIds"], clientId: ClientId | null): boolean =>
  clientIds === null || clientId !== null && clientIds.includes(clientId)
