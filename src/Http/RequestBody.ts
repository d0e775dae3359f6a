import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/unstable/http"
import { PayloadTooLarge } from "../Api/Errors.ts"

/** The longest request body that is read, in bytes: `MAX_REQUEST_BYTES`. */
export const maxRequestBytes = Config.schema(
  Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
  "MAX_REQUEST_BYTES"
).pipe(Config.withDefault(10_485_760))

/**
 * The body of a request, read up to `limit` bytes. The rest of a longer one is not kept, but neither is the connection
 * cut: the caller is to get the answer that says so. A caller that goes away leaves what it had sent.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, PayloadTooLarge> => {
  const tooLarge = Effect.fail(
    new PayloadTooLarge({ message: `The request body is larger than the ${limit} bytes that the service accepts.` })
  )
  if (Number(request.headers["content-length"] ?? 0) > limit) return tooLarge

  return Effect.callback((resume) => {
    const message = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    const done = () => {
      message.off("data", onData).off("end", done).off("close", done).off("error", done)
      resume(Effect.succeed(Buffer.concat(chunks)))
    }
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes <= limit) return void chunks.push(chunk)
      message.off("data", onData).off("end", done).off("close", done).resume()
      resume(tooLarge)
    }
    message.on("data", onData).on("end", done).on("close", done).on("error", done)
  })
}
