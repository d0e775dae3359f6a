import { Context, Effect, identity, Layer, Option } from "effect"
import {
  HttpMiddleware,
  HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { InvalidHttp, MethodNotAllowed, RouteNotFound } from "../Api/Errors/RequestErrors.ts"
import { CallId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { CurrentCallId } from "../Domain/Request/CurrentCallId.ts"
import { ClientAddress } from "./Server/ClientAddress.ts"
import { DeclaredRoutes, routerConfig } from "./Server/DeclaredRoutes.ts"
import { withErrorResponse } from "./Server/ErrorResponses.ts"
import { AdminListener } from "./Server/Listeners/AdminListener.ts"
import { rateLimitHeaders } from "./Server/RateLimitHeaders.ts"
import { incomingMessageOf } from "./Server/RequestBody.ts"
import { sendBodies } from "./Server/SentBodies.ts"

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

type Refusal = InvalidHttp | MethodNotAllowed | RouteNotFound

const exactRoutes = Effect.gen(function*() {
  const { provide } = yield* ClientAddress
  const { allowedMethods } = yield* DeclaredRoutes
  const router = yield* HttpRouter.HttpRouter
  const routes = provide(Effect.catchIf(router.asHttpEffect(), isRouteNotFound, ({ reason }) => {
    const allow = allowedMethods(reason.request.url)
    return Effect.fail<Refusal>(allow.length === 0 ? new RouteNotFound() : new MethodNotAllowed({ allow }))
  }))

  return (isServed: (url: string) => boolean) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): typeof routes => {
        if (lacksHost(request)) return Effect.fail(new InvalidHttp())
        return isObscured(request.url) || !isServed(request.url) ? Effect.fail(new RouteNotFound()) : routes
      }
    )
})

const obscured = /^[^?]*(?:[;#]|%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae]))/i

/** Only paths of the dashboard may end in a slash. */
const emptySegment = /^[^?]*\/\/|^\/(?!dashboard\/)[^?]*\/(?:\?|$)/

/**
 * True if a path encodes an unreserved character (RFC 3986, section 2.3), which the router would decode, has a character
 * at which the router would end it, or an empty segment, which would be an empty parameter.
 */
const isObscured = (url: string): boolean => obscured.test(url) || emptySegment.test(url)

/** Only HTTP/1.0 knows requests without it (RFC 9112, section 3.2). */
const lacksHost = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["host"] === undefined && incomingMessageOf(request).httpVersion === "1.1"

const isRouteNotFound = (error: unknown): error is HttpServerError.HttpServerError & {
  readonly reason: HttpServerError.RouteNotFound
} => HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/**
 * Each request copies the context of the server. Handlers took their services when they were made, so the context keeps
 * only what Effect looks up: loggers, the tracer, the platform.
 */
const withoutOwnServices = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("openaccounts/"))))

const serve = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
  // Without a middleware, the server's scope keeps each response until the next full garbage collection.
  const served = HttpServer.serveEffect(sendBodies(withCallId(rateLimitHeaders(app))), identity)
  return Layer.effectDiscard(Effect.updateContext(served, withoutOwnServices<Effect.Services<typeof served>>))
}

/** Serves the routes that the core and the features have added to the router. */
export const HttpApp = Effect.gen(function*() {
  const { server: adminServer } = yield* AdminListener
  const { isMoved, isOnAdminListener } = yield* DeclaredRoutes
  const routes = yield* exactRoutes

  if (Option.isNone(adminServer)) return serve(routes(() => true))
  return Layer.merge(
    serve(routes((url) => !isMoved(url))),
    serve(routes(isOnAdminListener)).pipe(
      Layer.provide(Layer.succeed(HttpServer.HttpServer, adminServer.value))
    )
  )
}).pipe(
  Layer.unwrap,
  Layer.provide(Layer.effect(HttpMiddleware.SpanNameGenerator, Effect.map(DeclaredRoutes, ({ nameOf }) => nameOf))),
  Layer.provide([ClientAddress.layer, DeclaredRoutes.layer])
)

export const Router = HttpRouter.layer.pipe(Layer.provide(Layer.succeed(HttpRouter.RouterConfig, routerConfig)))
