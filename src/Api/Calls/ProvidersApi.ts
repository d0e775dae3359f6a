import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuthType } from "../../Domain/Connection.ts"
import { CallerRequired } from "../Authentication.ts"
import { EndpointNotFound, InvalidInput, ProviderNotFound, ToolNotFound } from "../Errors.ts"
import { group } from "../Group.ts"
import { jsonSchema } from "../JsonSchema.ts"
import { operation } from "../Responses.ts"

const InputSchema = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description: "JSON Schema (draft 2020-12) of the operation's `input`."
})

const OutputSchema = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description: "JSON Schema (draft 2020-12) of the tool's output, which is `data` in the call response."
})

export const ProviderSummary = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  auth_methods: Schema.Array(AuthType)
}).annotate({ identifier: "ProviderSummary" })

const endpointFields = {
  id: Schema.String,
  description: Schema.String,
  method: Schema.String,
  url: Schema.String.annotate({ description: "The upstream URL template; `{name}` stands for `path.name`." }),
  writes: Schema.Boolean.annotate({ description: "Whether it changes data; read-only keys cannot call it." })
}

const toolFields = { name: Schema.String, description: Schema.String, writes: Schema.Boolean }

const EndpointDetail = Schema.Struct({ ...endpointFields, input_schema: InputSchema }).annotate({
  identifier: "EndpointDetail"
})

const ToolDetail = Schema.Struct({
  ...toolFields,
  input_schema: InputSchema,
  output_schema: OutputSchema
}).annotate({ identifier: "ToolDetail" })

export const ProviderDetail = Schema.Struct({
  ...ProviderSummary.fields,
  endpoints: Schema.Array(EndpointDetail),
  tools: Schema.Array(ToolDetail)
}).annotate({ identifier: "ProviderDetail" })

const ProviderPart = Schema.Struct({
  ...ProviderSummary.fields,
  endpoints: Schema.optionalKey(
    Schema.Array(Schema.Struct({ ...endpointFields, input_schema: Schema.optionalKey(InputSchema) }))
  ),
  tools: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        ...toolFields,
        input_schema: Schema.optionalKey(InputSchema),
        output_schema: Schema.optionalKey(OutputSchema)
      })
    )
  )
})

const Kind = Schema.Literals(["endpoints", "tools"]).annotate({
  description: "Leaves out operations of the other kind."
})

const Schemas = Schema.Literals(["true", "false"]).annotate({
  description: "`false` leaves out the schemas, which are long.",
  default: "true"
})

export const DetailQuery = Schema.Struct({ kind: Schema.optionalKey(Kind), schemas: Schema.optionalKey(Schemas) })

const detailQuery = OpenApi.annotations({
  identifier: "getProvider",
  summary: "List a provider's raw endpoints and smart tools with their schemas",
  transform: ({ parameters, responses, ...operation }) => ({
    ...operation,
    parameters: [
      ...parameters,
      { name: "kind", in: "query", required: false, schema: jsonSchema(Kind) },
      { name: "schemas", in: "query", required: false, schema: jsonSchema(Schemas) }
    ],
    responses: {
      ...responses,
      200: { description: "Success", content: { "application/json": { schema: jsonSchema(ProviderPart) } } }
    }
  })
})

export class ProvidersApi extends group("providers", { title: "Providers", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ providers: Schema.Array(ProviderSummary) })
    }).annotateMerge(operation("listProviders", "List the providers")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Schema.String },
      success: ProviderDetail,
      error: [ProviderNotFound.schema, InvalidInput.schema]
    }).annotateMerge(detailQuery),
    HttpApiEndpoint.get("endpoint", "/:id/endpoints/:endpoint", {
      params: { id: Schema.String, endpoint: Schema.String },
      success: EndpointDetail,
      error: [ProviderNotFound.schema, EndpointNotFound.schema]
    }).annotateMerge(operation("getEndpoint", "Get one raw endpoint with its input schema")),
    HttpApiEndpoint.get("tool", "/:id/tools/:name", {
      params: { id: Schema.String, name: Schema.String },
      success: ToolDetail,
      error: [ProviderNotFound.schema, ToolNotFound.schema]
    }).annotateMerge(operation("getTool", "Get one smart tool with its schemas"))
  )
  .middleware(CallerRequired)
  .prefix("/v1/providers")
{}
