import { Effect, References } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../Api/Api.ts"
import type { CallError } from "../Api/Errors.ts"
import { Calls } from "../Calls/Calls.ts"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { makeBearerTokens } from "./Authentication.ts"
import { withErrorBody } from "./ErrorBody.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** In characters. */
const longText = 1_000_000

/** Raw: the pipeline checks the key before it reads the body, and its answer is JSON text already. */
const answerer = Effect.gen(function*() {
  const calls = yield* Calls
  const limit = yield* maxRequestBytes
  const bearerToken = makeBearerTokens()
  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Answer, CallError> =>
    Effect.flatMap(CurrentCallId, (id) =>
      Effect.map(
        calls.call({ id, key: bearerToken(request.headers["authorization"]), body: readBody(request, limit) }),
        // Node would make a long text longer by the header, all of it, before it encodes it.
        (text) =>
          text.length > longText
            ? HttpServerResponse.uint8Array(Buffer.from(text), { contentType: "application/json" })
            : HttpServerResponse.text(text, { contentType: "application/json" })
      ))
})

export const CallHandlers = HttpApiBuilder.group(
  Api,
  "call",
  Effect.fn(function*(handlers) {
    const answer = yield* answerer
    return handlers.handleRaw("call", ({ request }) => answer(request))
  })
)

const path = "/v1/call"

/**
 * Takes the calls past the router and what is prepared for every other request, of which they need nothing: it is a
 * good part of what a call costs.
 */
export const callRoute = Effect.gen(function*() {
  const answer = yield* answerer
  // What the router would tell of them.
  const traced = (yield* References.TracerEnabled) ? Effect.annotateCurrentSpan("http.route", path) : undefined

  return <E, R>(routes: Effect.Effect<Answer, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Effect.Effect<Answer, E, R> => {
      if (request.method !== "POST" || request.url !== path) return routes
      const answered = withErrorBody(answer(request))
      return traced ? Effect.andThen(traced, answered) : answered
    })
})
