import { Cause, Effect, Layer, Option } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiError from "effect/http-api/HttpApiError"
import { type ApiError, InternalError, InvalidInput, isApiError } from "../../Api/Errors.ts"
import { RouteNotFound } from "../../Api/Errors/RequestErrors.ts"
import { ErrorResponses } from "../../Api/Middleware.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { issuesOf } from "../../Domain/Validation/Validation.ts"
import { withRepeated } from "./QueryIssues.ts"

export const withErrorResponse = <E, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(effect, (cause) =>
    Effect.gen(function*() {
      return errorResponse(yield* toApiError(cause), yield* CurrentCallId)
    }))

export const ErrorResponsesLayer = Layer.succeed(ErrorResponses, withErrorResponse)

export const toApiError = (cause: Cause.Cause<unknown>): Effect.Effect<ApiError> => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isApiError(failure)) return Effect.succeed(failure)
  if (HttpServerError.isHttpServerError(failure) && failure.reason._tag === "RouteNotFound") {
    return Effect.succeed(new RouteNotFound())
  }
  if (HttpApiError.HttpApiSchemaError.is(failure) && isRequestError(failure)) {
    const issues = issuesOf(failure.cause.issue)
    if (failure.kind !== "Query") return Effect.succeed(new InvalidInput({ details: issues }))
    return Effect.map(
      Effect.serviceOption(HttpServerRequest.HttpServerRequest),
      Option.match({
        onNone: () => new InvalidInput({ details: issues }),
        onSome: ({ url }) => new InvalidInput({ details: withRepeated(issues, url) })
      })
    )
  }
  const internal = new InternalError({ cause })
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(internal)
  return Effect.as(Effect.logError("A request failed inside the service", cause), internal)
}

const isRequestError = ({ kind }: HttpApiError.HttpApiSchemaError): boolean =>
  kind === "Params" || kind === "Query" || kind === "Payload"

const errorResponse = (error: ApiError, callId: CallId): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(error.body(callId)), {
    status: error.status,
    contentType: "application/json",
    headers: {
      ...(error.retryAfter === undefined ? {} : { "retry-after": error.retryAfter }),
      ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
      ...(error.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {})
    }
  })
