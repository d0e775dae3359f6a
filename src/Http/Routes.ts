import { Effect, Layer, Scope } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../Api/Api.ts"
import { AdminTokenRequiredLayer, ApiKeyRequiredLayer, MetricsTokenRequiredLayer } from "./Authentication.ts"
import { CallHandlers } from "./CallHandlers.ts"
import { ConnectHandlers } from "./ConnectHandlers.ts"
import { ConnectionsHandlers } from "./ConnectionsHandlers.ts"
import { EncryptionHandlers } from "./EncryptionHandlers.ts"
import { ErrorBodyLayer } from "./ErrorBody.ts"
import { HealthHandlers } from "./HealthHandlers.ts"
import { JsonBodyLayer } from "./JsonBody.ts"
import { LogsHandlers } from "./LogsHandlers.ts"
import { ClientsHandlers, KeysHandlers, ManagedConnectionsHandlers, MembersHandlers } from "./ManagementHandlers.ts"
import { MetricsHandlers } from "./MetricsHandlers.ts"
import { ProvidersHandlers } from "./ProvidersHandlers.ts"

const Handlers = Layer.mergeAll(
  CallHandlers,
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

/** Three megabytes, loaded when somebody first looks at it. */
const DocsPage = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const page = yield* Effect.cached(
    Effect.flatMap(
      Effect.promise(() => import("effect/http-api/HttpApiScalar")),
      (HttpApiScalar) => HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs" }))
    ).pipe(Scope.provide(yield* Effect.scope), Effect.uninterruptible)
  )
  yield* router.add("GET", "/docs", Effect.flatten(page))
}))

/** Every route of the service: the API, its OpenAPI document and the page to read and try it. */
export const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(Layer.provide(Handlers), Layer.provide(Middleware)),
  DocsPage
)
