import { Effect, identity, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RouteNotFound } from "../Api/Errors.ts"
import { CurrentAddress } from "../Domain/CurrentAddress.ts"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { isObscured, routerConfig } from "./AllowedMethods.ts"
import { callRoute } from "./CallRoute.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { withErrorResponse } from "./ErrorResponses.ts"
import { rateLimitHeaders } from "./RateLimitHeaders.ts"
import { Routes } from "./Routes.ts"

const withCallId = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.flatMap(newId("call"), (id) =>
    app.pipe(
      withErrorResponse,
      // A repeated write has the id of the first call.
      Effect.map((response) =>
        response.headers["x-call-id"] === undefined ? HttpServerResponse.setHeader(response, "x-call-id", id) : response
      ),
      Effect.provideService(CurrentCallId, CallId.make(id))
    ))

/** For all routes except `POST /v1/call`. */
const exactRoutes = Effect.gen(function*() {
  const clientAddress = yield* ClientAddress
  const routes = yield* HttpRouter.toHttpEffect(Routes)
  return Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (
      request
    ): Effect.Effect<
      Effect.Success<typeof routes>,
      Effect.Error<typeof routes> | RouteNotFound,
      Effect.Services<typeof routes>
    > =>
      isObscured(request.url)
        ? Effect.fail(new RouteNotFound())
        : Effect.provideService(routes, CurrentAddress, clientAddress.of(request))
  )
})

export const HttpApp = Effect.all([exactRoutes, callRoute, rateLimitHeaders]).pipe(
  Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  // Without a middleware, the server's scope holds each response until the next full garbage collection.
  Effect.map(([routes, serveCalls, addRateLimitHeaders]) =>
    HttpServer.serve(withCallId(addRateLimitHeaders(serveCalls(routes))), identity)
  ),
  Layer.unwrap,
  Layer.provide(ClientAddress.layer)
)
