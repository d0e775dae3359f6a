import { Context, type Effect, type Option, type Redacted } from "effect"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import type { ReEncryption } from "../Domain/ReEncryption.ts"
import type { DecryptionFailed } from "../Secrets/Vault.ts"
import type { Credentials } from "./Credentials.ts"
import type { RefreshLease } from "./Storage/RefreshLease.ts"
import type { SharedToken } from "./Storage/TokenHolders.ts"

export interface StoredCredentials {
  readonly credentials: Credentials
  readonly version: number
  /** The account that the identity provider named at the sign-in. `null` for credentials without a sign-in. */
  readonly signedInAs: string | null
}

/** The credentials of connections, which `ConnectionRepo` stores with them. */
export class ConnectionTokens extends Context.Service<ConnectionTokens, {
  readonly credentials: (id: ConnectionId) => Effect.Effect<Option.Option<StoredCredentials>, DecryptionFailed>
  /** Does nothing when the credentials have changed since `version`. */
  readonly saveTokens: (id: ConnectionId, version: number, credentials: Redacted.Redacted) => Effect.Effect<void>
  /**
   * Does nothing and returns false when the credentials have changed since `version` or the connection is not active.
   */
  readonly expire: (id: ConnectionId, version: number) => Effect.Effect<boolean>
  /** The connections that have the refresh token, without revoked ones. */
  readonly withToken: (
    refreshToken: Redacted.Redacted
  ) => Effect.Effect<ReadonlyArray<Pick<StoredConnection, "id" | "client_id" | "status">>>
  /** The other connections that have the refresh token of one of `ids`, until they are revoked. */
  readonly sharing: (ids: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<SharedToken>>
  readonly refreshLease: RefreshLease
  readonly reEncryption: ReEncryption
}>()("openaccounts/Connections/ConnectionTokens") {}
