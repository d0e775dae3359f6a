import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConnectRequest } from "../Domain/Connection.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { upstreamStatuses } from "./Document.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import {
  ClientNotFound,
  CredentialsExpired,
  CredentialsRejected,
  InvalidInput,
  ProviderNotFound,
  UpstreamError,
  UpstreamUnreachable
} from "./Errors.ts"

export class ConnectApi extends HttpApiGroup.make("connect")
  .add(
    HttpApiEndpoint.post("start", "/admin/v1/connect", {
      payload: ConnectRequest,
      success: Schema.Struct({
        authorize_url: Schema.String.annotate({ description: "Where the account's owner grants access, in a browser." })
      }),
      error: [ProviderNotFound.schema, ClientNotFound.schema]
    })
      .middleware(JsonBody)
      .middleware(AdminTokenRequired)
      .annotate(OpenApi.Summary, "Begin an OAuth sign-in that makes a connection"),
    HttpApiEndpoint.get("callback", "/connect/callback", {
      query: {
        state: Schema.String.pipe(Schema.optionalKey),
        code: Schema.String.pipe(Schema.optionalKey),
        error: Schema.String.pipe(Schema.optionalKey)
      },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
      error: [
        InvalidInput.schema,
        CredentialsExpired.schema,
        CredentialsRejected.schema,
        UpstreamError.schema,
        UpstreamUnreachable.schema
      ]
    })
      // Providers send more than is asked for (`scope`, `authuser`, `iss`).
      .annotate(HttpApi.ParseOptions, { errors: "all" })
      .annotate(OpenApi.Summary, "Where the provider sends the browser back; finishes the sign-in")
      .annotateMerge(upstreamStatuses)
  )
  .middleware(ErrorBody)
  .annotateMerge(OpenApi.annotations({ title: "Connect" }))
{}
