import { Context, Effect, Layer } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../Api/Errors.ts"
import { AnonymousJsonBody, JsonRequestBody, MaxBodyBytes, maxSmallBodyBytes } from "../../Api/Middleware.ts"
import { parseJson } from "../../Calls/Request/CallRequest.ts"
import { exceededBound } from "../../Domain/Json/JsonSyntax.ts"
import { CurrentActor } from "../../Domain/Request/Actor.ts"
import { AnonymousBodies } from "./AnonymousBodies.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

const maxOperatorBytes = 10_485_760

export const JsonRequestBodyLayer = Layer.effect(
  JsonRequestBody,
  Effect.map(maxRequestBytes, (longest) => (handler, { endpoint }) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { type } = yield* CurrentActor
      const limit = type === "token" ? maxOperatorBytes : Context.get(endpoint.annotations, MaxBodyBytes)
      const body = yield* readBody(request, Math.min(limit, longest))
      return yield* withJson(handler, request, body, limit)
    }))
)

export const AnonymousJsonBodyLayer = Layer.effect(
  AnonymousJsonBody,
  Effect.map(AnonymousBodies, (bodies) => (handler) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => bodies.use((body) => withJson(handler, request, body, maxSmallBodyBytes))
    ))
)

const withJson = Effect.fnUntraced(function*<A, E, R>(
  handler: Effect.Effect<A, E, R>,
  { headers, method }: HttpServerRequest.HttpServerRequest,
  body: Uint8Array,
  limit: number
) {
  const message = exceededBound(body, maxValuesOf(limit))
  if (message !== undefined) return yield* new InvalidInput({ details: [{ path: [], message }] })
  const { text } = yield* parseJson(body)
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/", { method, body: text })).modify({
    headers: Headers.set(headers, "content-type", "application/json")
  })
  return yield* Effect.provideService(handler, HttpServerRequest.HttpServerRequest, request)
})

/**
 * An invalid value costs a hundred times as much as a valid one, and the schemas of these bodies report every issue.
 */
const maxValuesOf = (limit: number): number => Math.min(20_000, Math.floor(limit / 16))
