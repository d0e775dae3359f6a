import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { InvalidHttp, PayloadTooLarge, type RequestTimeout } from "../../Api/Errors/RequestErrors.ts"
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

/** Node's request. The service speaks no HTTP/2, which a proxy in front of it does. */
export const incomingMessageOf = (request: HttpServerRequest.HttpServerRequest): IncomingMessage => {
  const message = NodeHttpServerRequest.toIncomingMessage(request)
  if (message instanceof IncomingMessage) return message
  throw new Error("A request came over HTTP/2")
}

export type ReadError = PayloadTooLarge | AbortReason

/**
 * Reads a body of at most `limit` bytes. Discards the rest of a longer body, so that the caller can read the response.
 * `hold` reserves the size before more than `small` bytes are read. For a body of unknown length it first reserves
 * `smallBytes`, if `small` is less, and then the limit.
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
  const message = incomingMessageOf(request)
  const chunks: Array<Uint8Array> = []
  const takeAll = () => Buffer.concat(chunks.splice(0))
  const holdOrDiscard = (bytes: number) => Effect.onError(hold(bytes), () => Effect.sync(() => message.resume()))
  const receiveFrom = (known: number): Effect.Effect<Uint8Array, ReadError | E> => {
    const next = length ?? (known < smallBytes ? Math.min(smallBytes, limit) : limit)
    return Effect.andThen(holdOrDiscard(next), receiveUpTo(next))
  }
  const receiveUpTo = (most: number): Effect.Effect<Uint8Array, ReadError | E> =>
    Effect.flatMap(
      receive(message, chunks, limit, most < limit ? most : Infinity),
      (isComplete) => isComplete ? Effect.sync(takeAll) : receiveFrom(most)
    )
  return length !== undefined && length > small ? receiveFrom(small) : receiveUpTo(length === undefined ? small : limit)
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
