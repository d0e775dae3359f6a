import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuthType } from "../Domain/Connection.ts"
import { CallerRequired } from "./Authentication.ts"
import { ProviderNotFound } from "./Errors.ts"
import { ErrorResponses } from "./Middleware.ts"
import { operation } from "./Responses.ts"

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

export const ProviderDetail = Schema.Struct({
  ...ProviderSummary.fields,
  endpoints: Schema.Array(Schema.Struct({
    id: Schema.String,
    description: Schema.String,
    method: Schema.String,
    url: Schema.String.annotate({ description: "The upstream URL template; `{name}` stands for `path.name`." }),
    writes: Schema.Boolean.annotate({ description: "Whether it changes data; read-only keys cannot call it." }),
    input_schema: InputSchema
  })),
  tools: Schema.Array(Schema.Struct({
    name: Schema.String,
    description: Schema.String,
    writes: Schema.Boolean,
    input_schema: InputSchema,
    output_schema: OutputSchema
  }))
}).annotate({ identifier: "ProviderDetail" })

export class ProvidersApi extends HttpApiGroup.make("providers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Struct({ providers: Schema.Array(ProviderSummary) })
    }).annotateMerge(operation("listProviders", "List the providers")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Schema.String },
      success: ProviderDetail,
      error: ProviderNotFound.schema
    }).annotateMerge(
      operation("getProvider", "List a provider's raw endpoints and smart tools with their input schemas")
    )
  )
  .middleware(CallerRequired)
  .middleware(ErrorResponses)
  .prefix("/v1/providers")
  .annotateMerge(OpenApi.annotations({ title: "Providers" }))
{}
