import { Context, type Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { MissingKey, ReEncryption } from "../Domain/ReEncryption.ts"
import type { Vault } from "./Vault.ts"

/**
 * Data that the `Vault` encrypts, declared once beside the service that stores it. A rotation of the keys re-encrypts
 * it, and the check for missing keys reads it.
 */
export interface StoredSecrets<R = SqlClient.SqlClient | Vault> {
  /** Begins each cursor of its pages. `null` if one page has everything. */
  readonly cursor: string | null
  /** What is lost with a key. `null` for what soon expires and for what is not encrypted yet. */
  readonly lost: keyof Pick<MissingKey, "connections" | "other_data"> | null
  readonly reEncryption: Effect.Effect<ReEncryption, never, R>
}

export const FeatureSecrets = Context.Reference<ReadonlyArray<StoredSecrets>>("openaccounts/Secrets/FeatureSecrets", {
  defaultValue: () => []
})
