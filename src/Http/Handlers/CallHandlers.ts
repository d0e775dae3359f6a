import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { ErrorResponses } from "../../Api/Middleware.ts"
import { type CallResult, StoredResponse } from "../../Calls/CallResult.ts"
import { Calls } from "../../Calls/Calls.ts"
import type { IncomingCall } from "../../Calls/Request/IncomingCall.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { quotaHeaders } from "../Server/RateLimitHeaders.ts"
import { maxRequestBytes, readBody } from "../Server/RequestBody.ts"
import { responseScope } from "../Server/ResponseScope.ts"
import { inSteps } from "../Server/SentBodies.ts"
import { sessionCookie } from "../SessionCookie.ts"
import { contentTypes } from "./ContentTypes.ts"

const contentType = contentTypes.json

/** The size of most calls, in bytes. */
const smallBody = 16_384

/** The pipeline authenticates before it reads the body, and returns JSON text. `made` is a request of a feature. */
export const makeCallHandler = Effect.gen(function*() {
  const calls = yield* Calls
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
        sent: () => responseScope(request),
        ...made ?? { body: (hold) => readBody(request, limit, hold, smallBody) }
      })
      return Effect.flatMap(
        call,
        (result) => Effect.map(quotaHeaders, (headers) => toResponse(request, id, result, headers))
      )
    })
})

/** Each call copies the context in which its handler was made, so this one has only what the declared route needs. */
export const CallHandlers = Layer.effectContext(Effect.gen(function*() {
  const call = yield* makeCallHandler
  const handlers = HttpApiBuilder.group(
    CoreApi,
    "call",
    (handlers) => handlers.handleRaw("call", ({ request }) => call(request), { uninterruptible: true })
  )
  return yield* Effect.updateContext(
    Layer.buildWithScope(handlers, yield* Effect.scope),
    (context: Context.Context<ErrorResponses>) => Context.pick(ErrorResponses)(context)
  )
}))

/** Makes the response with all of its headers, because adding one later copies all of them. */
const toResponse = (
  request: HttpServerRequest.HttpServerRequest,
  id: CallId,
  { facts: { undoableUntil }, response }: CallResult,
  quota: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const headers = undoableUntil === undefined
    ? quota
    : { "openaccounts-undo": `until="${undoableUntil.toISOString()}"`, ...quota }
  if (response instanceof StoredResponse) {
    return HttpServerResponse.text(response.body, {
      contentType,
      status: response.status,
      headers: {
        "idempotency-replayed": "true",
        "x-call-id": response.callId,
        ...(response.retryAfter === undefined ? {} : { "retry-after": response.retryAfter }),
        ...headers
      }
    })
  }
  const options = { contentType, headers: { "x-call-id": id, ...headers } }
  if (response.data.bytes === undefined) return HttpServerResponse.text(response.text, options)
  NodeHttpServerRequest.toServerResponse(request).once("finish", () => response.sent())
  return HttpServerResponse.raw(inSteps(response.parts), { ...options, contentLength: response.byteLength })
}
