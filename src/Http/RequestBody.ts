import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidHttp, PayloadTooLarge } from "../Api/Errors.ts"
import { type AbortReason, abortReason } from "./AbortedRequest.ts"

/** The longest request body that is read, in bytes: `MAX_REQUEST_BYTES`. */
export const maxRequestBytes = Config.schema(
  Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
  "MAX_REQUEST_BYTES"
).pipe(Config.withDefault(10_485_760))

/**
 * The body of a request, read up to `limit` bytes. The rest of a longer one is not kept, but neither is the connection
 * cut: the caller is to get the answer that says so. Of one that does not come to its end nothing is used.
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
    let over = false
    const finish = (body: Effect.Effect<Uint8Array, PayloadTooLarge | AbortReason>) => {
      over = true
      resume(body)
    }
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (over) return
      if (bytes <= limit) chunks.push(chunk)
      else finish(tooLarge)
    }
    const onEnd = () => finish(Effect.succeed(Buffer.concat(chunks)))
    const onBroken = () => {
      if (!over) finish(Effect.fail(abortReason(message) ?? new InvalidHttp()))
    }
    if (message.destroyed || abortReason(message) !== undefined) return onBroken()
    message.on("data", onData).on("end", onEnd).on("broken", onBroken).on("close", onBroken).on("error", onBroken)
  })
}
