import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallFilter, LoggedCall } from "../../Domain/Calls/Call.ts"
import { Cursor, maxPageBytes, pagesOfEntries } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { CallerRequired } from "../Authentication.ts"
import { CallNotFound, InvalidInput } from "../Errors.ts"
import { Unavailable } from "../Errors/RequestErrors.ts"
import { group } from "../Group.ts"
import { ListFormat } from "../ListFormat.ts"
import { AnswerBytes, JsonRequestBody } from "../Middleware.ts"
import { operation } from "../Responses.ts"

export const LoggedCallDetail = Schema.Struct({
  ...LoggedCall.fields,
  request: Schema.Unknown.annotate({
    description: "The redacted request body. A large one is `{ truncated, bytes, preview }`, one without its " +
      "encryption key `{ unreadable, reason }`."
  }),
  response: Schema.Unknown.annotate({
    description: "The redacted response body. A large one is `{ truncated, bytes, preview }`, one without its " +
      "encryption key `{ unreadable, reason }`."
  })
}).annotate({ identifier: "LoggedCallDetail" })
export type LoggedCallDetail = typeof LoggedCallDetail.Type

const query = { ...pagesOfEntries(LoggedCall), ...CallFilter }
const success = Schema.Struct({ calls: Schema.Array(LoggedCall), cursor: Cursor })
const error = [InvalidInput.schema, Unavailable.schema] as const

// These endpoints are here and under `/admin/v1`, with different summaries and rights.

export const listEndpoint = (id: string, summary: string) =>
  HttpApiEndpoint.get("list", "/", { query: { ...query, ...ListFormat }, success, error })
    .annotateMerge(operation(id, summary))

/** The secret is in the body, because proxies log URLs. */
const SecretSearch = Schema.Struct({
  ...query,
  secret: Schema.RedactedFromValue(
    Schema.String.check(Schema.isMaxLength(16_384, { message: "Must have at most 16384 characters" }))
  )
})

export const searchEndpoint = (id: string, summary: string) =>
  HttpApiEndpoint.post("search", "/search", { payload: SecretSearch, success, error })
    .annotate(AnswerBytes, maxPageBytes)
    .middleware(JsonRequestBody)
    .annotateMerge(operation(id, summary, { secret: "what-leaked-1a2b3c4d", outcome: "ok", limit: 20 }))

export const getEndpoint = (id: string, summary: string) =>
  HttpApiEndpoint.get("get", "/:call_id", {
    params: { call_id: Lookup },
    success: LoggedCallDetail,
    error: [CallNotFound.schema, Unavailable.schema]
  }).annotateMerge(operation(id, summary))

export class LogsApi extends group("logs", { title: "Logs", listener: "both" })
  .add(
    listEndpoint("listCalls", "List the calls that the key can see, newest first"),
    searchEndpoint("searchCalls", "List the calls from which redaction removed a secret, newest first"),
    getEndpoint("getCall", "Get a call with its redacted request and response")
  )
  .middleware(CallerRequired)
  .prefix("/v1/logs")
{}
