import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Option, References } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type CallResult, Calls } from "../Calls/Calls.ts"
import { StoredResponse } from "../Calls/Idempotency/Idempotency.ts"
import { type CallResponse, LongResponse } from "../Calls/Results/LongResponse.ts"
import type { CallId } from "../Domain/Ids.ts"
import { CurrentCallId } from "../Domain/Request/CurrentCallId.ts"
import { ClientAddress } from "./Server/ClientAddress.ts"
import { withErrorResponse } from "./Server/ErrorResponses.ts"
import { maxRequestBytes, readBody } from "./Server/RequestBody.ts"
import { sessionCookie } from "./SessionCookie.ts"

const path = "/v1/call"

/**
 * Serves `POST /v1/call` before the router, which would cost a small read 8 to 9 % more CPU. The pipeline authenticates
 * before it reads the body, and returns JSON text.
 */
export const callRoute = Effect.gen(function*() {
  const calls = yield* Calls
  const clientAddress = yield* ClientAddress
  const limit = yield* maxRequestBytes
  const { credentialOf } = yield* sessionCookie
  const annotateSpan = (yield* References.TracerEnabled) ? Effect.annotateCurrentSpan("http.route", path) : undefined

  const call = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(CurrentCallId, (id) =>
      Effect.map(
        calls.call({
          id,
          credential: credentialOf(request),
          idempotencyKey: request.headers["idempotency-key"],
          address: () => Option.fromNullOr(clientAddress.of(request)),
          body: (hold) => readBody(request, limit, hold),
          whenSent: (release) => {
            const response = NodeHttpServerRequest.toServerResponse(request)
            if (response.closed) release()
            else response.once("close", release)
          }
        }),
        (result) => toResponse(id, result)
      ))

  return <E, R>(routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
        if (request.method !== "POST" || !isCallUrl(request.url)) return routes
        const response = withErrorResponse(call(request))
        return annotateSpan ? Effect.andThen(annotateSpan, response) : response
      }
    )
})

const isCallUrl = (url: string): boolean => url === path || url.startsWith(`${path}?`)

/** In characters. Node copies a longer string to prepend the headers, so it is sent as bytes. */
const longText = 1_000_000

const jsonResponse = (
  json: CallResponse,
  options?: Pick<HttpServerResponse.Options, "status" | "headers">
): HttpServerResponse.HttpServerResponse => {
  const withType = { ...options, contentType: "application/json" }
  if (json instanceof LongResponse) {
    return HttpServerResponse.raw(json, { ...withType, contentLength: json.byteLength })
  }
  return json.length > longText
    ? HttpServerResponse.uint8Array(Buffer.from(json), withType)
    : HttpServerResponse.text(json, withType)
}

/** Has the id from the start, because adding a header copies all of them. */
const toResponse = (id: CallId, result: CallResult): HttpServerResponse.HttpServerResponse =>
  result instanceof StoredResponse
    ? jsonResponse(result.body, {
      status: result.status,
      headers: {
        "idempotency-replayed": "true",
        "x-call-id": result.callId,
        ...(result.retryAfter === undefined ? {} : { "retry-after": result.retryAfter })
      }
    })
    : jsonResponse(result, { headers: { "x-call-id": id } })
