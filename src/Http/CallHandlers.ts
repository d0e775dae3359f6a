import { Effect, References } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/unstable/http"
import { HttpApiBuilder } from "effect/unstable/httpapi"
import { Api } from "../Api/Api.ts"
import { CurrentCallId } from "../Api/ApiError.ts"
import type { CallError } from "../Api/Errors.ts"
import { CallId } from "../Api/Ids.ts"
import { Calls } from "../Calls/Calls.ts"
import { newId } from "../NewId.ts"
import { makeBearerTokens } from "./Authentication.ts"
import { answerOf } from "./ErrorBody.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** In characters. */
const longText = 1_000_000

/** Raw: the pipeline checks the key before it reads the body, and its answer is JSON text already. */
const answerer = Effect.gen(function*() {
  const calls = yield* Calls
  const limit = yield* maxRequestBytes
  const bearerToken = makeBearerTokens()
  return (request: HttpServerRequest.HttpServerRequest, id: CallId): Effect.Effect<Answer, CallError> =>
    Effect.map(
      calls.call({ id, key: bearerToken(request.headers["authorization"]), body: readBody(request, limit) }),
      (text) => {
        const options = { contentType: "application/json", headers: { "x-call-id": id } }
        // Node would make a long text longer by the header, all of it, before it encodes it.
        return text.length > longText
          ? HttpServerResponse.uint8Array(Buffer.from(text), options)
          : HttpServerResponse.text(text, options)
      }
    )
})

export const CallHandlers = HttpApiBuilder.group(
  Api,
  "call",
  Effect.fn(function*(handlers) {
    const answer = yield* answerer
    return handlers.handleRaw("call", ({ request }) => Effect.flatMap(CurrentCallId, (id) => answer(request, id)))
  })
)

const path = "/v1/call"

/**
 * Takes the calls past the router and what is prepared for every other request, of which they need nothing: it is a
 * good part of what a call costs.
 */
export const takingCalls = Effect.gen(function*() {
  const answer = yield* answerer
  // What the router would tell of them.
  const traced = (yield* References.TracerEnabled) ? Effect.annotateCurrentSpan("http.route", path) : undefined

  const take = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(newId("call"), (text) => {
      const id = CallId.make(text)
      const answered = Effect.catchCause(answer(request, id), (cause) => answerOf(cause, id))
      return Effect.provideService(traced ? Effect.andThen(traced, answered) : answered, CurrentCallId, id)
    })

  return <E, R>(routes: Effect.Effect<Answer, E, R>) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<Answer, E, R> =>
        request.method === "POST" && request.url === path ? take(request) : routes
    )
})
