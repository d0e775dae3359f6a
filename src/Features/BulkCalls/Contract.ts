import { Schema, Struct } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { apiError } from "../../Api/ApiError.ts"
import { CallerRequired } from "../../Api/Authentication.ts"
import { CallRequest } from "../../Api/Calls/CallApi.ts"
import {
  ConnectionInactive,
  ConnectionNotFound,
  EndpointNotFound,
  InvalidInput,
  ProviderNotFound,
  RateLimited,
  ToolNotFound
} from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { Accepted, operation, pagesOf } from "../../Api/Responses.ts"
import { TablePart } from "../../Domain/Calls/TablePart.ts"
import { CallId, ClientId, ConnectionId } from "../../Domain/Ids.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { KeptResult } from "../Results/Result.ts"
import { BulkCallSummary } from "./Declared.ts"

export const maxConnections = 5000

const { endpoint, input, max_age, provider, select, tool } = CallRequest.fields

const ids = (description: string) =>
  Schema.Array(Lookup).check(Schema.isBetweenLength(1, maxConnections)).annotate({ description }).pipe(
    Schema.optionalKey
  )

export const NewBulkCall = Schema.Struct({
  provider,
  endpoint,
  tool,
  input: input.annotateKey({ description: "With `resources`, it may leave out what names the resource." }),
  connection_ids: ids("The connections. By default every active one of the provider that the caller sees."),
  client_ids: ids("The clients whose connections are asked, in place of `connection_ids`."),
  resources: Schema.Union([
    Schema.Literal("all"),
    Schema.Array(Schema.String.check(Schema.isBetweenLength(1, 2048))).check(Schema.isBetweenLength(1, 1000))
  ]).annotate({
    description: "Runs the operation for each resource that an account lists, or for those of the list that it lists."
  }).pipe(Schema.optionalKey),
  max_age,
  select
}).annotate({ identifier: "NewBulkCall", description: "`endpoint` or `tool`, exactly one of them." })
export type NewBulkCall = typeof NewBulkCall.Type

const Failure = Schema.Struct({
  connection_id: ConnectionId,
  client_id: Schema.NullOr(ClientId),
  resource: Schema.NullOr(Schema.String),
  code: Schema.String,
  message: Schema.String,
  call_id: Schema.NullOr(CallId)
}).annotate({ identifier: "BulkCallFailure" })
export type Failure = typeof Failure.Type

const Part = Schema.Struct({ ...Struct.omit(Failure.fields, ["code", "message"]), page: TablePart })
  .annotate({ identifier: "BulkCallPart" })

export const BulkCall = Schema.Struct({
  ...BulkCallSummary.fields,
  result: Schema.NullOr(KeptResult).annotate({
    description: "Once it is `done`, for 24 hours. `GET /v1/results/:id` has its rows."
  }),
  preview: Schema.Array(Schema.Array(Schema.Unknown)).annotate({ description: "The first 20 rows." }),
  failures: Schema.Array(Failure).annotate({ description: "The first 100." }),
  failures_by_code: Schema.Record(Schema.String, Schema.Int),
  parts: Schema.Array(Part).pipe(Schema.optionalKey).annotateKey({
    description: "The first 100 runs that have answered with a part of their rows. Absent if none has."
  })
}).annotate({ identifier: "BulkCall" })
export type BulkCall = typeof BulkCall.Type

export class BulkCallNotFound extends apiError("BulkCallNotFound", {
  code: "bulk_call_not_found",
  status: 404,
  when: "The caller has no bulk call with that id"
}) {}

export const Wait = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })).annotate({
  description: "Seconds to wait for the end."
})

export class BulkCallsGroup extends group("bulkCalls", { title: "Bulk calls", listener: "both" })
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: NewBulkCall,
      success: BulkCall.pipe(Accepted),
      error: [
        InvalidInput.schema,
        ProviderNotFound.schema,
        EndpointNotFound.schema,
        ToolNotFound.schema,
        ConnectionNotFound.schema,
        ConnectionInactive.schema,
        RateLimited.schema
      ]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("startBulkCall", "Run one reading operation through many connections", {
        provider: "gsc",
        tool: "gsc_top_queries",
        input: { days: 7 },
        resources: "all"
      })
    ),
    pagesOf("bulk_calls", BulkCallSummary).annotateMerge(
      operation("listBulkCalls", "List the bulk calls of the caller, newest first")
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      query: { wait: Wait.pipe(Schema.optionalKey) },
      success: BulkCall,
      error: [InvalidInput.schema, BulkCallNotFound.schema]
    }).annotateMerge(operation("getBulkCall", "Get a bulk call, and wait for its end")),
    HttpApiEndpoint.get("events", "/:id/events", {
      params: { id: Lookup },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
      error: BulkCallNotFound.schema
    }).annotateMerge(
      operation("followBulkCall", "Get the progress of a bulk call as server-sent events, until it ends")
    ),
    HttpApiEndpoint.delete("cancel", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: BulkCallNotFound.schema
    }).annotateMerge(operation("cancelBulkCall", "Cancel the runs of a bulk call that have not begun"))
  )
  .middleware(CallerRequired)
  .prefix("/v1/bulk-calls")
{}

export class BulkCallsApi extends served([BulkCallsGroup]) {}
