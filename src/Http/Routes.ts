import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api, RoutedApi } from "../Api/Api.ts"
import { AdminTokenRequiredLayer, ApiKeyRequiredLayer, MetricsTokenRequiredLayer } from "./Authentication.ts"
import { ConnectHandlers } from "./ConnectHandlers.ts"
import { ConnectionsHandlers } from "./ConnectionsHandlers.ts"
import { DocsPage } from "./DocsPage.ts"
import { EncryptionHandlers } from "./EncryptionHandlers.ts"
import { ErrorBodyLayer } from "./ErrorBody.ts"
import { HealthHandlers } from "./HealthHandlers.ts"
import { JsonBodyLayer } from "./JsonBody.ts"
import { LogsHandlers } from "./LogsHandlers.ts"
import { ClientsHandlers, KeysHandlers, ManagedConnectionsHandlers, MembersHandlers } from "./ManagementHandlers.ts"
import { MetricsHandlers } from "./MetricsHandlers.ts"
import { ProvidersHandlers } from "./ProvidersHandlers.ts"

const Handlers = Layer.mergeAll(
  ProvidersHandlers,
  ConnectionsHandlers,
  LogsHandlers,
  ClientsHandlers,
  MembersHandlers,
  KeysHandlers,
  ManagedConnectionsHandlers,
  ConnectHandlers,
  EncryptionHandlers,
  HealthHandlers,
  MetricsHandlers
)

const Middleware = Layer.mergeAll(
  ApiKeyRequiredLayer,
  AdminTokenRequiredLayer,
  MetricsTokenRequiredLayer,
  ErrorBodyLayer,
  JsonBodyLayer
)

const OpenApiDocument = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))))
  yield* router.add("GET", "/openapi.json", document)
}))

/** Every route but `POST /v1/call`. */
export const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(RoutedApi).pipe(Layer.provide(Handlers), Layer.provide(Middleware)),
  OpenApiDocument,
  DocsPage
)
