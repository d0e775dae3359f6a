import type { ClientId, KeyId, MemberId } from "./Ids.ts"

/** Who asks, with which rights. A key has no limit of its own: it has its member's, at each use. */
export interface Principal {
  readonly keyId: KeyId
  readonly memberId: MemberId
  readonly access: "read_only" | "read_write"
  /** `null`: no limit. */
  readonly clientIds: ReadonlyArray<ClientId> | null
}

/** Reads the log: calls on connections of its clients, and its own calls without a connection (contract section 3). */
export type Viewer = Pick<Principal, "memberId" | "clientIds">
