import { Schema } from "effect"
import { Lookup, Timestamp } from "./Fields.ts"
import { CallId, ClientId, ConnectionId, KeyId, type MemberId } from "./Ids.ts"
import type { JsonText } from "./JsonText.ts"

export const Outcome = Schema.Literals(["ok", "error"])
export type Outcome = typeof Outcome.Type

/** Fields are `null` when the call failed before they were known. */
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

/** A finished call, already redacted. */
export interface CallEntry extends Omit<LoggedCall, "created_at"> {
  readonly member_id: MemberId | null
  /** JSON text, like `response`. `null` when no body was read. */
  readonly request: string | null
  readonly response: string
  /** Also the last field of a successful `response`. */
  readonly data: JsonText | null
  /** Kept without its bodies, and for a shorter time: a refused call, which got no connection. */
  readonly isBrief?: boolean
}

export interface StoredCall extends LoggedCall {
  readonly request: JsonText | null
  readonly response: JsonText | null
}

export const toLatencyMillis = (nanos: bigint): number => Math.round(Number(nanos) / 1000) / 1000
