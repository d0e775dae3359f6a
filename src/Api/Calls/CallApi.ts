import { Predicate, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { TablePart } from "../../Domain/Calls/TablePart.ts"
import { CallId, ConnectionId } from "../../Domain/Ids.ts"
import { tableFormats } from "../../Domain/Table/TableText.ts"
import { type Issue } from "../../Domain/Validation/Issue.ts"
import { callErrors } from "../Errors.ts"
import { group } from "../Group.ts"
import { jsonSchema } from "../JsonSchema.ts"

const weekInSeconds = 604_800

export const Format = Schema.Literals(["json", ...tableFormats])
export type Format = typeof Format.Type

export const CallRequest = Schema.Struct({
  provider: Schema.String.annotate({ description: "Provider id.", examples: ["gsc"] }),
  endpoint: Schema.String.annotate({ description: "Raw endpoint id; exactly one of `endpoint` and `tool`." }).pipe(
    Schema.optionalKey
  ),
  tool: Schema.String.annotate({ description: "Smart tool name; exactly one of `endpoint` and `tool`." }).pipe(
    Schema.optionalKey
  ),
  input: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The operation's input: see its `input_schema` at `GET /v1/providers/:id`. " +
      "A raw endpoint takes up to three parts: `path`, `query` and `body`. A smart tool takes a flat object."
  }).pipe(Schema.optionalKey),
  // Not a `Lookup`: Effect compiles no strict decoder for a schema with a transformation.
  connection_id: Schema.String.annotate({
    description: "The connection to use. Required when the key sees several active connections of the provider."
  }).pipe(Schema.optionalKey),
  max_age: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: weekInSeconds })).annotate({
    description: "Seconds. A cached response of at most this age is returned. 0, the default, always asks the provider."
  }).pipe(Schema.optionalKey),
  select: Schema.String.check(Schema.isBetweenLength(1, 10_000)).annotate({
    description: "For reads: a JMESPath expression. `data` is then what it selects."
  }).pipe(Schema.optionalKey),
  format: Format.annotate({
    description: "For reads of tables: `data` is then one text, CSV with a header line or a table in Markdown. `csv` " +
      "puts `'` before a text that a spreadsheet would run, `csv_raw` does not."
  }).pipe(Schema.optionalKey),
  dry_run: Schema.Boolean.annotate({
    description:
      "For an operation that writes: shows what it would change in `data`, and writes nothing. By default false."
  }).pipe(Schema.optionalKey),
  keep: Schema.Boolean.annotate({
    description:
      "For reads of tables: keeps the table for an hour. `data` is then `result`, with its id and columns, " +
      "and `preview`, its first 20 rows. `sheets_read` then reads the whole tab from `offset`."
  }).pipe(Schema.optionalKey)
}).annotate({
  identifier: "CallRequest",
  expected: "an object",
  description: "`endpoint` or `tool`, exactly one of them."
})
export type CallRequest = typeof CallRequest.Type

/** The fields that say what a read returns of a response. */
export const shapeFields = ["select", "format", "keep"] as const

/** The fields that only a step of a feature serves. */
export const stepFields = ["dry_run", ...shapeFields] as const
export type StepField = typeof stepFields[number]

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,255}$/, { message: "Expected 1 to 255 visible ASCII characters" })
).annotate({
  description: "Makes a write safe to repeat: a second request with the same key gets the first response. " +
    "Reads ignore it."
})

export const targetIssues = (request: object): ReadonlyArray<Issue> =>
  "endpoint" in request === "tool" in request
    ? [{ path: ["endpoint"], message: "Pass exactly one of `endpoint` and `tool`" }]
    : []

/** The provider and target of a request, as far as they can be read, also when other fields are invalid. */
export const namesOf = (request: unknown): { readonly provider: string | null; readonly target: string | null } => {
  if (!Predicate.isObject(request)) return { provider: null, target: null }
  const { endpoint, provider, tool } = request
  return {
    provider: typeof provider === "string" ? provider : null,
    target: typeof endpoint === "string" && tool === undefined
      ? `raw:${endpoint}`
      : typeof tool === "string" && endpoint === undefined
      ? `tool:${tool}`
      : null
  }
}

export const CallResponse = Schema.Struct({
  call_id: CallId,
  connection_id: ConnectionId,
  cached: Schema.Boolean.annotate({ description: "Whether the response came from the cache." }),
  cost_usd: Schema.Finite.annotate({ description: "Cost of the call in US dollars; 0 when cached." }),
  latency_ms: Schema.Finite.annotate({
    description: "How long the caller waited inside the service, in milliseconds with at most three decimals."
  }),
  page: TablePart.pipe(Schema.optionalKey).annotateKey({
    description:
      "With `select` or `format`: what the answer says of rows that it lacks. With `keep`, `data` has these " +
      "fields beside `result`."
  }),
  data: Schema.Unknown.annotate({ description: "The provider's response body, or the smart tool's compact output." })
}).annotate({ identifier: "CallResponse" })
export type CallResponse = typeof CallResponse.Type

export class CallApi extends group("call", { title: "Call", listener: "both" })
  .add(
    HttpApiEndpoint.post("call", "/call", {
      payload: CallRequest,
      success: CallResponse,
      error: callErrors.map(({ schema }) => schema)
    }).annotateMerge(OpenApi.annotations({
      identifier: "call",
      summary: "Call a raw endpoint or a smart tool through a connection",
      description: "`upstream_error` has the provider's status. A repeated write gets the first response, " +
        "with the `x-call-id` of the first and the header `Idempotency-Replayed: true`.",
      // The pipeline checks the key, so no middleware documents it.
      override: {
        security: [{ apiKey: [] }, { session: [] }],
        parameters: [{ name: "Idempotency-Key", in: "header", required: false, schema: jsonSchema(IdempotencyKey) }]
      }
    }))
  )
  .prefix("/v1")
{}
