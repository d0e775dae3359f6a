import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConnectRequest } from "../../Domain/Connection.ts"
import { ManagerRequired } from "../Authentication.ts"
import { ConnectionNotFound, Forbidden, InvalidInput, ProviderNotFound } from "../Errors.ts"
import { providerErrors } from "../Errors/ProviderErrors.ts"
import { Listener } from "../Listener.ts"
import { ClientNotFound, ConnectionDerived, LinkNotFound, LinkOver } from "../ManagementErrors.ts"
import { JsonRequestBody, SignInErrorPages } from "../Middleware.ts"
import { operation } from "../Responses.ts"
import { Right } from "../Right.ts"

export class ConnectApi extends HttpApiGroup.make("connect")
  .add(
    HttpApiEndpoint.post("start", "/admin/v1/connect", {
      payload: ConnectRequest,
      success: Schema.Struct({
        authorize_url: Schema.String.annotate({
          description: "The page where the account's owner grants access, for a browser."
        })
      }),
      error: [ProviderNotFound.schema, ClientNotFound.schema, ConnectionNotFound.schema, ConnectionDerived.schema]
    })
      .middleware(JsonRequestBody)
      .middleware(ManagerRequired)
      .annotate(Right, "member")
      .annotate(Listener, "admin")
      .annotateMerge(
        operation("startConnect", "Start an OAuth sign-in that creates or reconnects a connection", {
          provider: "gsc",
          label: "Fernhill"
        })
      ),
    HttpApiEndpoint.get("callback", "/connect/callback", {
      query: {
        state: Schema.String.pipe(Schema.optionalKey),
        code: Schema.String.pipe(Schema.optionalKey),
        error: Schema.String.pipe(Schema.optionalKey)
      },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
      error: [Forbidden.schema, InvalidInput.schema, LinkNotFound.schema, LinkOver.schema, ...providerErrors]
    })
      .middleware(SignInErrorPages)
      // Not strict: providers add parameters such as `scope`, `authuser` and `iss`.
      .annotate(HttpApi.ParseOptions, { errors: "all" })
      .annotateMerge(
        operation(
          "finishConnect",
          "Redirect URI of OAuth sign-ins. Finishes the sign-in; a browser gets pages, also for errors"
        )
      )
  )
  .annotateMerge(OpenApi.annotations({ title: "Connect" }))
{}
