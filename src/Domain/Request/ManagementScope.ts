import { Context, Schema } from "effect"
import type { ClientId, GrantId, KeyId, MemberId } from "../Ids.ts"

/** A part of the management API that an API key may be allowed to use. */
export const ManageArea = Schema.Literals(["connections", "connect_links", "webhooks"])
export type ManageArea = typeof ManageArea.Type

export interface ManagementScope {
  /** The member as whom the request manages: limits keys and grants. `null` means no limit, also in `clientIds`. */
  readonly memberId: MemberId | null
  readonly clientIds: ReadonlyArray<ClientId> | null
  /** The key or grant that manages, whose bound applies. */
  readonly holder?: { readonly id: KeyId | GrantId; readonly resources: ReadonlyArray<string> | null }
}

export const unlimitedScope: ManagementScope = { memberId: null, clientIds: null }

export const CurrentScope = Context.Reference<ManagementScope>(
  "openaccounts/Domain/Request/ManagementScope/CurrentScope",
  {
    defaultValue: () => unlimitedScope
  }
)

export const isClientInScope = (clientIds: ManagementScope["clientIds"], clientId: ClientId | null): boolean =>
  clientIds === null || clientId !== null && clientIds.includes(clientId)
