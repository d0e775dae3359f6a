import { Context, Effect, Layer } from "effect"
import { type HttpBody, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AnswerBytes, VisitorShare } from "../../Api/Middleware.ts"
import { Capacity, CurrentShare, type RateLimited, type Share } from "../../Capacity/Capacity.ts"
import { maxPageBytes } from "../../Domain/Page.ts"
import { responseScope } from "./ResponseScope.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Takes the bytes of an answer from the share of a member until the client has received them. The most that the answer
 * may have are taken before it is made, so that no finished answer waits for room. Responses of providers count to the
 * same share.
 */
export const withinShare = <E, R>(
  capacity: Capacity["Service"],
  member: string,
  { annotations, method }: HttpApiEndpoint.Top,
  handler: Effect.Effect<Response, E, R>
): Effect.Effect<Response, E | RateLimited, R | HttpServerRequest.HttpServerRequest> =>
  Effect.scopedWith((making) =>
    Effect.gen(function*() {
      const isRead = method === "GET"
      const declared = Context.get(annotations, AnswerBytes)
      const share = capacity.open(member, making)
      if (declared !== null) yield* share.reserve("answer", declared)
      else if (isRead) yield* share.reserve("page", maxPageBytes)
      const response = yield* Effect.provideService(handler, CurrentShare, share)
      // The answer to a change is sent in any case.
      yield* holdUntilSent(isRead || declared !== null ? share : share.neverRefusing, response)
      return response
    })
  )

/** Visitors share as one member does, because nobody knows who they are. */
export const VisitorShareLayer = Layer.effect(
  VisitorShare,
  Effect.map(Capacity, (capacity) => (handler, { endpoint: { method } }) =>
    Effect.scopedWith((scope) => {
      const share = capacity.open("visitors", scope)
      return Effect.tap(
        handler,
        (response) => holdUntilSent(method === "GET" ? share : share.neverRefusing, response)
      )
    }))
).pipe(Layer.provide(Capacity.layer))

const holdUntilSent = Effect.fnUntraced(function* holdUntilSent(share: Share, { body }: Response) {
  const bytes = bytesOf(body)
  if (bytes > 0) yield* share.reserve("response", bytes, responseScope(yield* HttpServerRequest.HttpServerRequest))
})

/** A stream has read a page of a list, or a part of a file, ahead of its client. */
const bytesOf = (body: HttpBody.HttpBody): number => {
  if (body._tag === "Stream") return maxPageBytes
  return body._tag === "Empty" ? 0 : body.contentLength ?? 0
}
