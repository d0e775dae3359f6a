import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { type CallResult, StoredResponse } from "../../Calls/Answered.ts"
import { Calls } from "../../Calls/Calls.ts"
import type { IncomingCall } from "../../Calls/Request/IncomingCall.ts"
import { type CallResponse, LongResponse } from "../../Calls/Response/LongResponse.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { ClientAddress } from "../Server/ClientAddress.ts"
import { quotaHeaders } from "../Server/RateLimitHeaders.ts"
import { maxRequestBytes, readBody } from "../Server/RequestBody.ts"
import { responseScope } from "../Server/ResponseScope.ts"
import { sessionCookie } from "../SessionCookie.ts"

/** In bytes, of most calls. */
const smallBody = 16_384

/** The pipeline authenticates before it reads the body, and returns JSON text. `made` is a request of a feature. */
export const makeCallHandler = Effect.gen(function*() {
  const calls = yield* Calls
  const clientAddress = yield* ClientAddress
  const limit = yield* maxRequestBytes
  const { credentialOf } = yield* sessionCookie

  return (
    request: HttpServerRequest.HttpServerRequest,
    made?: Pick<IncomingCall, "origin" | "body">
  ) =>
    Effect.flatMap(CurrentCallId, (id) => {
      const call = calls.call({
        id,
        credential: credentialOf(request),
        headers: {
          idempotencyKey: made === undefined ? request.headers["idempotency-key"] : undefined,
          prefer: request.headers["prefer"],
          priority: request.headers["priority"]
        },
        address: () => Option.fromNullOr(clientAddress.of(request)),
        sent: () => responseScope(request),
        ...made ?? { body: (hold) => readBody(request, limit, hold, smallBody) }
      })
      return Effect.flatMap(
        call,
        (result) => Effect.map(quotaHeaders, (headers) => toResponse(id, result, headers))
      )
    })
})

export const CallHandlers = HttpApiBuilder.group(
  CoreApi,
  "call",
  Effect.fn(function*(handlers) {
    const call = yield* makeCallHandler

    return handlers.handleRaw("call", ({ request }) => call(request), { uninterruptible: true })
  })
)

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

/** Has its headers from the start, because adding a header copies all of them. */
const toResponse = (
  id: CallId,
  { facts: { undoableUntil }, response }: CallResult,
  quota: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const headers = undoableUntil === undefined
    ? quota
    : { "openaccounts-undo": `until="${undoableUntil.toISOString()}"`, ...quota }
  return response instanceof StoredResponse
    ? jsonResponse(response.body, {
      status: response.status,
      headers: {
        "idempotency-replayed": "true",
        "x-call-id": response.callId,
        ...(response.retryAfter === undefined ? {} : { "retry-after": response.retryAfter }),
        ...headers
      }
    })
    : jsonResponse(response, { headers: { "x-call-id": id, ...headers } })
}
