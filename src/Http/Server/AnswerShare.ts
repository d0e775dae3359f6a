import { Context, Effect } from "effect"
import { type HttpBody, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AnswerBytes } from "../../Api/Middleware.ts"
import type { Capacity, RateLimited } from "../../Capacity/Capacity.ts"
import { maxPageBytes } from "../../Domain/Page.ts"
import { responseScope } from "./ResponseScope.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Takes the bytes of an answer from the share of a member until the client has received them. As many as an answer may
 * have are taken before it is made, so that few answers that wait for their room are in memory.
 */
export const withinShare = <E, R>(
  capacity: Capacity["Service"],
  member: string,
  { annotations, method }: HttpApiEndpoint.Top,
  handler: Effect.Effect<Response, E, R>
): Effect.Effect<Response, E | RateLimited, R | HttpServerRequest.HttpServerRequest> =>
  Effect.scopedWith((making) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const isRead = method === "GET"
      const declared = Context.get(annotations, AnswerBytes)
      const share = capacity.open(member, making)
      if (declared !== null) yield* share.reserve("answer", declared)
      else if (isRead) yield* share.reserve("page", maxPageBytes)
      const response = yield* handler
      const bytes = bytesOf(response.body)
      // The answer to a change goes out in any case.
      const sending = isRead || declared !== null ? share : share.neverRefusing
      if (bytes > 0) yield* sending.reserve("response", bytes, responseScope(request))
      return response
    })
  )

/** A stream has read a page of a list, or a part of a file, ahead of its client. */
const bytesOf = (body: HttpBody.HttpBody): number => {
  if (body._tag === "Stream") return maxPageBytes
  return body._tag === "Empty" ? 0 : body.contentLength ?? 0
}
