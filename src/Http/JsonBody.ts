import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { JsonBody } from "../Api/ErrorBody.ts"
import { parseJson } from "../Calls/CallRequest.ts"
import { maxRequestBytes, readBody } from "./RequestBody.ts"

/** Hands the body on as the JSON that it is, whatever the request says of its type. */
export const JsonBodyLayer = Layer.effect(
  JsonBody,
  Effect.gen(function*() {
    const limit = yield* maxRequestBytes
    return (handler) =>
      Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { text } = yield* Effect.flatMap(readBody(request, limit), parseJson)
        return yield* Effect.provideService(handler, HttpServerRequest.HttpServerRequest, withJson(request, text))
      })
  })
)

const withJson = ({ method }: HttpServerRequest.HttpServerRequest, text: string) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", { method, body: text, headers: { "content-type": "application/json" } })
  )
