import { Context, Effect } from "effect"
import { type HttpBody, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AnswerBytes } from "../../Api/AnswerBytes.ts"
import type { Capacity, RateLimited } from "../../Capacity/Capacity.ts"
import { maxPageBytes } from "../../Domain/Page.ts"
import { responseScope } from "./ResponseScope.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Takes the bytes of an answer from the share of a member until the client has received them: as many as it may have
 * before it is made, so that answers that wait for room are not in memory, and then as many as it has.
 */
export const withinShare = <E, R>(
  capacity: Capacity["Service"],
  member: string,
  { annotations, method }: HttpApiEndpoint.Top,
  handler: Effect.Effect<Response, E, R>
): Effect.Effect<Response, E | RateLimited, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function*() {
    const share = capacity.open(member, responseScope(yield* HttpServerRequest.HttpServerRequest))
    const before = Context.get(annotations, AnswerBytes) ?? (method === "GET" ? maxPageBytes : 0)
    const settle = before > 0 ? yield* share.hold("response", before) : undefined
    const response = yield* handler
    const bytes = bytesOf(response.body)
    if (settle !== undefined) yield* settle(bytes)
    // The answer to a change goes out in any case.
    else yield* (method === "GET" ? share : share.neverRefusing).reserve("response", bytes)
    return response
  })

/** A stream has read a page of a list, or a part of a file, ahead of its client. */
const bytesOf = (body: HttpBody.HttpBody): number => {
  if (body._tag === "Stream") return maxPageBytes
  return body._tag === "Empty" ? 0 : body.contentLength ?? 0
}
