import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidHttp, PayloadTooLarge, type RequestTimeout } from "../../Api/Errors.ts"
import { smallBytes } from "../../Capacity/Capacity.ts"

export const maxRequestBytes = Config.schema(
  Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0)),
  "MAX_REQUEST_BYTES"
).pipe(Config.withDefault(10_485_760))

export type AbortReason = InvalidHttp | RequestTimeout

const abortReasons = new WeakMap<IncomingMessage, AbortReason>()

export const abortRequest = (request: IncomingMessage, reason: AbortReason): void => {
  abortReasons.set(request, reason)
  request.emit("broken")
}

export type ReadError = PayloadTooLarge | AbortReason

/**
 * Reads a body of at most `limit` bytes. Discards the rest of a longer body, so that the caller can read the response.
 * `hold` gets the largest possible size before more than `small` bytes are read.
 */
export const readBody = <E = never>(
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  hold: (bytes: number) => Effect.Effect<void, E> = () => Effect.void,
  small = smallBytes
): Effect.Effect<Uint8Array, ReadError | E> => {
  const declared = request.headers["content-length"]
  const length = declared === undefined ? undefined : Number(declared)
  if (length !== undefined && length > limit) return tooLarge(limit)
  const message = NodeHttpServerRequest.toIncomingMessage(request)
  const chunks: Array<Uint8Array> = []
  const takeAll = () => Buffer.concat(chunks.splice(0))
  const receiveAll = Effect.map(receive(message, chunks, limit), takeAll)
  const receiveLarge = Effect.andThen(
    Effect.onError(hold(length ?? limit), () => Effect.sync(() => message.resume())),
    receiveAll
  )
  if (length !== undefined) return length <= small ? receiveAll : receiveLarge
  return Effect.flatMap(
    receive(message, chunks, limit, small),
    (isComplete) => isComplete ? Effect.sync(takeAll) : receiveLarge
  )
}

const tooLarge = (limit: number) =>
  Effect.suspend(() =>
    new PayloadTooLarge({ message: `The request body is larger than the ${limit} bytes that this path accepts.` })
  )

const receive = (
  message: IncomingMessage,
  chunks: Array<Uint8Array>,
  limit: number,
  pauseAt = Infinity
): Effect.Effect<boolean, ReadError> =>
  Effect.callback((resume) => {
    let bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    let isDone = false
    const finish = (result: Effect.Effect<boolean, ReadError>) => {
      isDone = true
      resume(result)
    }
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (isDone) return
      if (bytes > limit) {
        chunks.length = 0
        return finish(tooLarge(limit))
      }
      chunks.push(chunk)
      if (bytes <= pauseAt) return
      message.pause().off("data", onData)
      finish(Effect.succeed(false))
    }
    const onEnd = () => {
      if (!isDone) finish(Effect.succeed(true))
    }
    const onBroken = () => {
      if (!isDone) finish(Effect.fail(abortReasons.get(message) ?? new InvalidHttp()))
    }
    if (message.destroyed || abortReasons.has(message)) return onBroken()
    message.on("data", onData).on("end", onEnd).on("broken", onBroken).on("close", onBroken).on("error", onBroken)
    message.resume()
    return Effect.sync(() => {
      isDone = true
      chunks.length = 0
    })
  })
