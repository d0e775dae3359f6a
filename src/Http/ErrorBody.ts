import { Cause, Effect, Layer, Option } from "effect"
import { HttpServerError, type HttpServerResponse } from "effect/http"
import * as HttpApiError from "effect/http-api/HttpApiError"
import { ErrorBody } from "../Api/ErrorBody.ts"
import {
  type ApiError,
  InternalError,
  InvalidInput,
  isApiError,
  MethodNotAllowed,
  RouteNotFound
} from "../Api/Errors.ts"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { issuesOf } from "../Domain/Validation.ts"
import { errorResponse } from "./ErrorResponse.ts"
import { methodsOf } from "./Paths.ts"

/** The public error that a failure is answered with; what is none of them is logged in full and becomes internal. */
const publicError = (cause: Cause.Cause<unknown>): Effect.Effect<ApiError> => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isApiError(failure)) return Effect.succeed(failure)
  if (HttpServerError.isHttpServerError(failure) && failure.reason._tag === "RouteNotFound") {
    const allow = methodsOf(failure.reason.request.url)
    return Effect.succeed(allow.length === 0 ? new RouteNotFound() : new MethodNotAllowed({ allow }))
  }
  if (HttpApiError.HttpApiSchemaError.is(failure) && isAboutTheRequest(failure)) {
    return Effect.succeed(new InvalidInput({ details: issuesOf(failure.cause.issue) }))
  }
  const internal = new InternalError({ cause })
  // The caller went away; nobody reads the answer.
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(internal)
  return Effect.as(Effect.logError("A request failed inside the service", cause), internal)
}

const isAboutTheRequest = ({ kind }: HttpApiError.HttpApiSchemaError): boolean =>
  kind === "Params" || kind === "Query" || kind === "Payload"

/** Answers every failure below it with the error body. */
export const withErrorBody = <E, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchCause(effect, (cause) =>
    Effect.gen(function*() {
      return errorResponse(yield* publicError(cause), yield* CurrentCallId)
    }))

export const ErrorBodyLayer = Layer.succeed(ErrorBody, withErrorBody)
