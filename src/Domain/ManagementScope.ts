import { Context } from "effect"
import type { ClientId, MemberId } from "./Ids.ts"

export interface ManagementScope {
  /** `null` means the keys and grants of all members. */
  readonly memberId: MemberId | null
  /** `null` means all clients, and connections without one. */
  readonly clientIds: ReadonlyArray<ClientId> | null
}

export const unlimitedScope: ManagementScope = { memberId: null, clientIds: null }

export const CurrentScope = Context.Reference<ManagementScope>("openaccounts/Domain/ManagementScope/CurrentScope", {
  defaultValue: () => unlimitedScope
})

export const isClientInScope = (clientIds: ManagementScope["clientIds"], clientId: ClientId | null): boolean =>
  clientIds === null || clientId !== null && clientIds.includes(clientId)
