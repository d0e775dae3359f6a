import { Effect, Schema } from "effect"
import { ConnectionId } from "./Ids.ts"
import type { PageRequest } from "./Page.ts"

export const UndecryptedCredentials = Schema.Struct({
  connection_id: Schema.NullOr(ConnectionId).annotate({
    description: "`null` for data without a connection, such as a pending sign-in, a stored response or a webhook."
  }),
  encryption_key_id: Schema.String.annotate({ description: "The key that encrypts them." }),
  reason: Schema.String
}).annotate({ identifier: "Unopened" })
export type UndecryptedCredentials = typeof UndecryptedCredentials.Type

export interface ReEncryptedPage {
  readonly rotated: number
  readonly failed: ReadonlyArray<UndecryptedCredentials>
  /** The id of the last row. `null` on the last page. */
  readonly cursor: string | null
}

export const MissingKey = Schema.Struct({
  key_id: Schema.String,
  reason: Schema.Literals(["not_configured", "other_bytes"]).annotate({
    description: "`other_bytes`: a key with this id is configured, but it is not the key that encrypted the data."
  }),
  connections: Schema.Int.annotate({ description: "How many connections need the key." }),
  other_data: Schema.Int.annotate({
    description: "How much other stored data needs the key, such as responses, results, approvals and webhooks."
  })
}).annotate({ identifier: "MissingKey" })
export type MissingKey = typeof MissingKey.Type

/** Data that no configured key decrypts. */
export interface UnreadableData extends Pick<MissingKey, "key_id" | "reason"> {
  readonly count: number
}

/** Implemented by each service that stores data encrypted with the `Vault`. A rotation of the keys asks them all. */
export interface ReEncryption {
  /** Re-encrypts a page of the data that another key than the first encrypts. */
  readonly reEncrypt: (page: PageRequest) => Effect.Effect<ReEncryptedPage>
  /** How much `reEncrypt` has yet to do, by the id of the key that encrypts it. */
  readonly remaining: Effect.Effect<ReadonlyMap<string, number>>
  /** Without it, `remaining` finds the keys that are not configured, but no key with other bytes. */
  readonly unreadable?: Effect.Effect<ReadonlyArray<UnreadableData>>
}

/** The part of a service that encrypts nothing, or nothing that must outlast its key. */
export const nothingToReEncrypt: ReEncryption = {
  reEncrypt: () => Effect.succeed({ rotated: 0, failed: [], cursor: null }),
  remaining: Effect.succeed(new Map())
}
