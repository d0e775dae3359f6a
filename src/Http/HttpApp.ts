import { Effect } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/unstable/http"
import { CurrentCallId } from "../Api/ApiError.ts"
import { MethodNotAllowed, RouteNotFound } from "../Api/Errors.ts"
import { CallId } from "../Api/Ids.ts"
import { newId } from "../NewId.ts"
import { answeringErrors } from "./ErrorBody.ts"
import { methodsOf } from "./Paths.ts"

/** Gives every request its `call_id`, first of all, and every answer the header that tells it. */
export const withCallId = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(newId("call"), (id) =>
    app.pipe(
      Effect.catchIf(isUnknownRoute, () => noSuchRoute),
      answeringErrors,
      Effect.map(HttpServerResponse.setHeader("x-call-id", id)),
      Effect.provideService(CurrentCallId, CallId.make(id))
    ))

const isUnknownRoute = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

const noSuchRoute = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const allow = methodsOf(url)
  return Effect.fail(allow.length === 0 ? new RouteNotFound() : new MethodNotAllowed({ allow }))
})
