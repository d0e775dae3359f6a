import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/unstable/http"
import { HttpApiBuilder } from "effect/unstable/httpapi"
import { Api } from "../Api/Api.ts"
import { CurrentCallId } from "../Api/ApiError.ts"
import { Calls } from "../Calls/Calls.ts"
import { makeBearerTokens } from "./Authentication.ts"
import { answeringErrors } from "./ErrorBody.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

/** Raw: the pipeline checks the key before it reads the body, and its answer is JSON text already. */
const answerer = Effect.gen(function*() {
  const calls = yield* Calls
  const limit = yield* maxRequestBytes
  const bearerToken = makeBearerTokens()
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(CurrentCallId, (id) =>
      Effect.map(
        calls.call({ id, key: bearerToken(request.headers["authorization"]), body: readBody(request, limit) }),
        (text) => HttpServerResponse.text(text, { contentType: "application/json" })
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

/**
 * Takes the calls past the router and what it prepares for every request, which they need nothing of: it is about a
 * tenth of what a call costs.
 */
export const takingCalls = Effect.map(
  answerer,
  (answer) => <E, R>(routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
        request.method === "POST" && request.url === "/v1/call" ? answeringErrors(answer(request)) : routes
    )
)
