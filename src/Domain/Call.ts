import { Schema } from "effect"
import { Lookup, Timestamp } from "./Fields.ts"
import { CallId, ClientId, ConnectionId, KeyId } from "./Ids.ts"

export const Outcome = Schema.Literals(["ok", "error"])
export type Outcome = typeof Outcome.Type

/** What is not known, because the call failed before it was, is `null`. */
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
  key_id: Schema.NullOr(KeyId),
  created_at: Timestamp
}).annotate({ identifier: "LoggedCall" })
export type LoggedCall = typeof LoggedCall.Type

export const CallFilter = {
  provider: Lookup.pipe(Schema.optionalKey),
  outcome: Outcome.pipe(Schema.optionalKey)
}
export interface CallFilter {
  readonly provider?: string
  readonly outcome?: Outcome
}
