import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Config, Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidHttp, PayloadTooLarge, type RequestTimeout } from "../Api/Errors.ts"
import { JsonRequestBody } from "../Api/Middleware.ts"
import { parseJson } from "../Calls/CallRequest.ts"

export const maxRequestBytes = Config.schema(
  Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
  "MAX_REQUEST_BYTES"
).pipe(Config.withDefault(10_485_760))

export const JsonRequestBodyLayer = Layer.effect(
  JsonRequestBody,
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

export type AbortReason = InvalidHttp | RequestTimeout

const abortReasons = new WeakMap<IncomingMessage, AbortReason>()

/** Fails every read of the body, current and later. */
export const abortRequest = (request: IncomingMessage, reason: AbortReason): void => {
  abortReasons.set(request, reason)
  request.emit("broken")
}

/**
 * Reads a request body of at most `limit` bytes. The rest of a longer body is received and discarded, so that the caller
 * can read the response.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, PayloadTooLarge | AbortReason> => {
  const tooLarge = Effect.suspend(() =>
    new PayloadTooLarge({ message: `The request body is larger than the ${limit} bytes that the service accepts.` })
  )
  if (Number(request.headers["content-length"] ?? 0) > limit) return tooLarge

  return Effect.callback((resume) => {
    const message = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    let isDone = false
    const finish = (body: Effect.Effect<Uint8Array, PayloadTooLarge | AbortReason>) => {
      isDone = true
      resume(body)
    }
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (isDone) return
      if (bytes <= limit) chunks.push(chunk)
      else finish(tooLarge)
    }
    const onEnd = () => finish(Effect.succeed(Buffer.concat(chunks)))
    const onBroken = () => {
      if (!isDone) finish(Effect.fail(abortReasons.get(message) ?? new InvalidHttp()))
    }
    if (message.destroyed || abortReasons.has(message)) return onBroken()
    message.on("data", onData).on("end", onEnd).on("broken", onBroken).on("close", onBroken).on("error", onBroken)
  })
}
