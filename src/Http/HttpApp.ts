import { Effect, identity, Layer, Option } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RouteNotFound } from "../Api/Errors.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { CurrentAddress } from "../Domain/Request/CurrentAddress.ts"
import { CurrentCallId } from "../Domain/Request/CurrentCallId.ts"
import { callRoute } from "./CallRoute.ts"
import { Routes } from "./Routes.ts"
import { ClientAddress } from "./Server/ClientAddress.ts"
import { compressJson } from "./Server/ContentEncoding.ts"
import { isMoved, isObscured, isOnAdminListener, routeOf, routerConfig } from "./Server/DeclaredRoutes.ts"
import { withErrorResponse } from "./Server/ErrorResponses.ts"
import { AdminListener } from "./Server/Listeners/AdminListener.ts"
import { rateLimitHeaders } from "./Server/RateLimitHeaders.ts"

const withCallId = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.flatMap(newId("call"), (id) =>
    app.pipe(
      withErrorResponse,
      // A repeated write has the id of its first call.
      Effect.map((response) =>
        response.headers["x-call-id"] === undefined ? HttpServerResponse.setHeader(response, "x-call-id", id) : response
      ),
      Effect.provideService(CurrentCallId, CallId.make(id))
    ))

const exactRoutes = Effect.gen(function*() {
  const clientAddress = yield* ClientAddress
  const routes = yield* HttpRouter.toHttpEffect(Routes)
  type Routes = typeof routes

  return (isServed: (url: string) => boolean) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<
        Effect.Success<Routes>,
        Effect.Error<Routes> | RouteNotFound,
        Effect.Services<Routes>
      > =>
        isObscured(request.url) || !isServed(request.url)
          ? Effect.fail(new RouteNotFound())
          : Effect.andThen(
            clientAddress.warn(request),
            Effect.provideService(routes, CurrentAddress, clientAddress.of(request))
          )
    )
})

const serve = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  // Without a middleware, the server's scope keeps each response until the next full garbage collection.
  HttpServer.serve(compressJson(withCallId(rateLimitHeaders(app))), identity)

export const HttpApp = Effect.gen(function*() {
  const { server: adminServer } = yield* AdminListener
  const routes = yield* exactRoutes
  const serveCalls = yield* callRoute

  if (Option.isNone(adminServer)) return serve(serveCalls(routes(() => true)))
  return Layer.merge(
    serve(serveCalls(routes((url) => !isMoved(url)))),
    serve(serveCalls(routes(isOnAdminListener))).pipe(
      Layer.provide(Layer.succeed(HttpServer.HttpServer, adminServer.value))
    )
  )
}).pipe(
  Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  Layer.unwrap,
  Layer.provide([ClientAddress.layer, Layer.succeed(HttpMiddleware.SpanNameGenerator, routeOf)])
)
