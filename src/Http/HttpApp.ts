import { Effect, identity, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RouteNotFound } from "../Api/Errors.ts"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { isObscured, routerConfig } from "./AllowedMethods.ts"
import { callRoute } from "./CallRoute.ts"
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

const withExactPaths = <E, R>(routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ url }): Effect.Effect<HttpServerResponse.HttpServerResponse, E | RouteNotFound, R> =>
      isObscured(url) ? Effect.fail(new RouteNotFound()) : routes
  )

export const HttpApp = Effect.all([HttpRouter.toHttpEffect(Routes), callRoute, rateLimitHeaders]).pipe(
  Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  // Without a middleware, the server's scope holds each response until the next full garbage collection.
  Effect.map(([routes, serveCalls, addRateLimitHeaders]) =>
    HttpServer.serve(withCallId(addRateLimitHeaders(serveCalls(withExactPaths(routes)))), identity)
  ),
  Layer.unwrap
)
