import { Schema, Struct } from "effect"
import { Via } from "../Access/Principal.ts"
import { BulkCallId, CallId, ClientId, ConnectionId, GrantId, KeyId, MemberId } from "../Ids.ts"
import type { JsonText } from "../Json/JsonText.ts"
import { Instant, Lookup, Timestamp } from "../Validation/Fields.ts"

export const Outcome = Schema.Literals(["ok", "error"])
export type Outcome = typeof Outcome.Type

export const LoggedCall = Schema.Struct({
  id: CallId,
  provider: Schema.NullOr(Schema.String),
  target: Schema.NullOr(Schema.String).annotate({ description: "`raw:<endpoint>` or `tool:<name>`." }),
  outcome: Outcome,
  http_status: Schema.Int,
  error_code: Schema.NullOr(Schema.String),
  latency_ms: Schema.Finite,
  cost_usd: Schema.Finite,
  cached: Schema.Boolean,
  connection_id: Schema.NullOr(ConnectionId),
  client_id: Schema.NullOr(ClientId),
  resource: Schema.NullOr(Schema.String).annotate({ description: "The first resource that the input names." }),
  member_id: Schema.NullOr(MemberId),
  key_id: Schema.NullOr(KeyId),
  grant_id: Schema.NullOr(GrantId),
  via: Schema.NullOr(Via).annotate({ description: "How the member asked. `null` when authentication failed." }),
  dry_run: Schema.Boolean.annotate({ description: "Whether the call was a preview, which writes nothing." }),
  undo_of: Schema.NullOr(CallId).annotate({ description: "The call that this one has undone." }),
  bulk_call_id: Schema.NullOr(BulkCallId).annotate({ description: "The bulk call that it is a run of." }),
  undone_by: Schema.NullOr(CallId).annotate({ description: "The call that has undone this one." }),
  undoable_until: Schema.NullOr(Timestamp).annotate({ description: "`null` for a call that cannot be undone." }),
  created_at: Timestamp
}).annotate({ identifier: "LoggedCall" })
export type LoggedCall = typeof LoggedCall.Type

/** Leaves out fields that are not part of `LoggedCall`. */
export const loggedFields: (call: LoggedCall) => LoggedCall = Struct.pick(Struct.keys(LoggedCall.fields))

const filterBy = (description: string) => Lookup.pipe(Schema.annotateEncoded({ description }), Schema.optionalKey)

export const CallFilter = {
  provider: filterBy("Only calls to this provider."),
  outcome: Outcome.pipe(Schema.optionalKey),
  connection_id: filterBy("Only calls on this connection."),
  client_id: filterBy("Only calls on connections of this client."),
  member_id: filterBy("Only calls of this member."),
  key_id: filterBy("Only calls with this API key."),
  grant_id: filterBy("Only calls through this grant."),
  bulk_call_id: filterBy("Only the runs of this bulk call."),
  resource: filterBy("Only calls about this resource, such as `gsc:sc-domain:acme.com`."),
  target: filterBy("Only calls of this operation: `raw:<endpoint>` or `tool:<name>`."),
  error_code: filterBy("Only calls that failed with this code."),
  cached: Schema.Boolean.annotate({ description: "Only calls that the cache answered, or only the others." }).pipe(
    Schema.optionalKey
  ),
  since: Instant.pipe(Schema.annotateEncoded({ description: "Only calls from this time on." }), Schema.optionalKey),
  until: Instant.pipe(Schema.annotateEncoded({ description: "Only calls before this time." }), Schema.optionalKey)
}
export interface CallFilter extends Schema.Struct.Type<typeof CallFilter> {}

export interface CallSearch extends CallFilter {
  /** Only calls from which redaction removed a secret with one of these hashes. */
  readonly secret_hashes?: ReadonlyArray<string>
}

export const matchesFilter = (call: LoggedCall, { since, until, ...filter }: CallFilter): boolean =>
  Struct.keys(filter).every((name) => filter[name] === undefined || filter[name] === call[name]) &&
  (since === undefined || call.created_at >= since) && (until === undefined || call.created_at < until)

type RareFields = "dry_run" | "undo_of" | "undone_by" | "undoable_until" | "bulk_call_id"

export interface CallEntry extends Omit<LoggedCall, "created_at" | RareFields> {
  /** By default false. */
  readonly dry_run?: boolean
  readonly undo_of?: CallId | null
  readonly undoable_until?: Date | null
  readonly bulk_call_id?: BulkCallId | null
  readonly request: string | null
  readonly response: string
  /** Hashes of what redaction removed, separated by spaces. */
  readonly secret_hashes?: string | null
  /** A refused call of an unknown caller is stored without bodies, and for a shorter time. */
  readonly omitsBodies?: boolean
}

export interface StoredCall extends LoggedCall {
  readonly request: JsonText | null
  readonly response: JsonText | null
}

export const toLatencyMillis = (nanos: bigint): number => Math.round(Number(nanos) / 1000) / 1000
