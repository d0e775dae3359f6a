import { Effect, Predicate, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/unstable/http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Unanswered } from "./UpstreamAnswer.ts"

/**
 * The whole body as text, at most `limit` bytes of it before and after decompression. What is over the limit is not read
 * on. An error page that is not UTF-8 is still an error page; data that is not UTF-8 is none.
 */
export const readText = Effect.fnUntraced(function*(
  response: HttpClientResponse.HttpClientResponse,
  host: string,
  limit: number
) {
  const received = yield* readBytes(response, host, limit)
  const bytes = yield* decompress(received, response.headers["content-encoding"], host, limit)
  if (response.status >= 300) return lenient.decode(bytes)
  return yield* Effect.try({
    try: () => strict.decode(bytes),
    catch: () => Unanswered.of(`${host} answered with bytes that are not UTF-8.`)
  })
})

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8")

const tooLong = (host: string, limit: number) =>
  Unanswered.of(`${host} answered with more than ${limit} bytes (MAX_RESPONSE_BYTES).`)

/** A body whose length is announced is read in one go: the HTTP parser holds the upstream to it. */
const readBytes = (
  response: HttpClientResponse.HttpClientResponse,
  host: string,
  limit: number
): Effect.Effect<Uint8Array, HttpClientError.HttpClientError | Unanswered> => {
  const length = Number(response.headers["content-length"] ?? Infinity)
  if (length <= limit) return Effect.map(response.arrayBuffer, (buffer) => new Uint8Array(buffer))
  let size = 0
  return response.stream.pipe(
    Stream.runFoldEffect((): Array<Uint8Array> => [], (chunks, chunk) => {
      size += chunk.length
      chunks.push(chunk)
      return size > limit ? Effect.fail(tooLong(host, limit)) : Effect.succeed(chunks)
    }),
    Effect.map((chunks) => Buffer.concat(chunks, size))
  )
}

const gunzipAsync = promisify<Uint8Array, { readonly maxOutputLength: number }, Uint8Array>(gunzip)

const decompress = (
  bytes: Uint8Array,
  encoding: string | undefined,
  host: string,
  limit: number
): Effect.Effect<Uint8Array, Unanswered> => {
  switch (encoding?.toLowerCase() ?? "identity") {
    case "identity":
      return Effect.succeed(bytes)
    case "gzip":
    case "x-gzip":
      return Effect.tryPromise({
        try: () => gunzipAsync(bytes, { maxOutputLength: limit }),
        catch: (cause) =>
          Predicate.hasProperty(cause, "code") && cause.code === "ERR_BUFFER_TOO_LARGE"
            ? tooLong(host, limit)
            : Unanswered.of(`${host} answered with a damaged gzip body.`)
      })
    default:
      return Effect.fail(Unanswered.of(`${host} answered in a content encoding that it was not asked for.`))
  }
}
