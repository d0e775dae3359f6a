import type { ClientId, KeyId, MemberId } from "./Ids.ts"

/** The caller and its rights. The client limits are those of the key's member at the time of the request. */
export interface Principal {
  readonly keyId: KeyId
  readonly memberId: MemberId
  readonly access: "read_only" | "read_write"
  /** `null` means all clients. */
  readonly clientIds: ReadonlyArray<ClientId> | null
}

/** Sees the calls on connections of its clients, and its own calls without a connection (contract section 3). */
export type Viewer = Pick<Principal, "memberId" | "clientIds">
