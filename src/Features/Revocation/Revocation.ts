import { Schema } from "effect"
import { ConnectionId, RevocationId } from "../../Domain/Ids.ts"
import { Lookup, Timestamp } from "../../Domain/Validation/Fields.ts"

export const Selector = Schema.Struct({
  client_id: Lookup.pipe(Schema.optionalKey).annotateKey({ description: "All connections of the client." }),
  provider: Lookup.pipe(Schema.optionalKey).annotateKey({ description: "All connections of the provider." }),
  connection_ids: Schema.Array(Lookup).check(Schema.isNonEmpty(), Schema.isMaxLength(10_000)).pipe(Schema.optionalKey),
  all: Schema.Literal(true).pipe(Schema.optionalKey).annotateKey({ description: "All connections." })
})
export type Selector = typeof Selector.Type

export const NewRevocation = Schema.Struct({
  ...Selector.fields,
  keys: Schema.Boolean.annotate({
    description:
      "With `client_id`, also revoke the keys made for it, and those of members who see it alone; with `all`, every key.",
    default: false
  }).pipe(Schema.optionalKey),
  with_shared: Schema.Boolean.annotate({
    description: "Also revoke the connections that have the refresh token of one of these, of whatever client.",
    default: false
  }).pipe(Schema.optionalKey)
}).annotate({ description: "Exactly one of `client_id`, `provider`, `connection_ids` and `all`." })
export type NewRevocation = typeof NewRevocation.Type

export const AtProvider = Schema.Literals(["revoked", "failed", "unsupported"])
export type AtProvider = typeof AtProvider.Type

export const RevocationError = Schema.Struct({
  code: Schema.String.annotate({
    description: "As in an error body, or `token_in_use` (another active connection has the same sign-in, so its " +
      "token stays), or `token_accepted` (the provider still accepts the revoked token)."
  }),
  message: Schema.String
})
export type RevocationError = typeof RevocationError.Type

export const RevokedLine = Schema.Struct({
  id: ConnectionId,
  at_provider: Schema.NullOr(AtProvider).annotate({
    description:
      "`null` until the provider has answered, and where it is not asked: for derived connections, for those that were " +
      "revoked before, and while another connection uses the token. `unsupported`: service accounts, API keys, and " +
      "providers without a way to revoke."
  }),
  verified: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether the provider then refused the old token. `null` until it was tried, and where it cannot be."
  }),
  error: Schema.NullOr(RevocationError).annotate({ description: "Of the last attempt, also while others follow." }),
  token_shared_with: Schema.Array(ConnectionId).annotate({
    description: "The other connections that had its refresh token. One that was not revoked too still has it."
  })
}).annotate({ identifier: "RevokedConnection" })
export type RevokedLine = typeof RevokedLine.Type

/** Whether a person must do something about it. */
export const needsCare = ({ at_provider, error, verified }: RevokedLine): boolean =>
  at_provider === "failed" || verified === false || error !== null

/** The connections that still have the token of one that was revoked. */
export const notRevokedToo = (lines: ReadonlyArray<RevokedLine>): ReadonlyArray<ConnectionId> => {
  const revoked = new Set(lines.map(({ id }) => id))
  const shared = lines.flatMap((line) => line.error?.code === "token_in_use" ? line.token_shared_with : [])
  return [...new Set(shared)].filter((id) => !revoked.has(id))
}

export const Revocation = Schema.Struct({
  id: RevocationId,
  selector: Selector,
  status: Schema.Literals(["running", "done"]),
  counts: Schema.Struct({
    connections: Schema.Int,
    pending: Schema.Int.annotate({ description: "Those that are worked on." }),
    revoked: Schema.Int,
    failed: Schema.Int,
    unsupported: Schema.Int,
    verified: Schema.Int
  }).annotate({ description: "By `at_provider` and `verified`." }),
  keys_revoked: Schema.NullOr(Schema.Int).annotate({ description: "`null` without `keys`." }),
  created_at: Timestamp,
  connections: Schema.Array(RevokedLine)
}).annotate({ identifier: "Revocation" })
export type Revocation = typeof Revocation.Type
