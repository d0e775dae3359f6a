import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallId, ClientId, ConnectionId, KeyId } from "../Domain/Ids.ts"
import { ApiKeyRequired } from "./Authentication.ts"
import { ErrorBody } from "./ErrorBody.ts"
import { CallNotFound, InvalidInput } from "./Errors.ts"
import { Cursor, Lookup, Page, Timestamp } from "./Fields.ts"

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

export const LoggedCallDetail = Schema.Struct({
  ...LoggedCall.fields,
  request: Schema.Unknown.annotate({
    description: "The body as received, redacted; a large one as `{ truncated, bytes, preview }`."
  }),
  response: Schema.Unknown.annotate({ description: "What was answered, redacted; truncated in the same way." })
}).annotate({ identifier: "LoggedCallDetail" })
export type LoggedCallDetail = typeof LoggedCallDetail.Type

export const CallFilter = {
  provider: Lookup.pipe(Schema.optionalKey),
  outcome: Outcome.pipe(Schema.optionalKey)
}
export interface CallFilter {
  readonly provider?: string
  readonly outcome?: Outcome
}

export class LogsApi extends HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...Page, ...CallFilter },
      success: Schema.Struct({ calls: Schema.Array(LoggedCall), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the calls that the key can see, newest first"),
    HttpApiEndpoint.get("get", "/:call_id", {
      params: { call_id: Lookup },
      success: LoggedCallDetail,
      error: CallNotFound.schema
    }).annotate(OpenApi.Summary, "One call with its redacted request and response")
  )
  .middleware(ApiKeyRequired)
  .middleware(ErrorBody)
  .prefix("/v1/logs")
  .annotateMerge(OpenApi.annotations({ title: "Logs" }))
{}
