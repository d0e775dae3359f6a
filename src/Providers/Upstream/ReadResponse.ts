import { Effect, Predicate } from "effect"
import type { HttpClientResponse } from "effect/http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { JsonText } from "../../Domain/JsonText.ts"
import { holdBytes, smallBytes } from "../CallBytes.ts"
import { isJson } from "./JsonSyntax.ts"
import { isSuccessful, toTransportError, TransportError, type UpstreamResponse } from "./UpstreamResponse.ts"

/**
 * Decompresses and decodes a body; `limit` is its length in bytes, before and after decompression. The body of an error
 * need not be UTF-8 or JSON.
 */
export const readResponse = (
  { headers, status }: HttpClientResponse.HttpClientResponse,
  received: Uint8Array,
  host: string,
  limit: number
): Effect.Effect<UpstreamResponse, TransportError> =>
  Effect.flatMapEager(decompress(received, headers["content-encoding"], host, limit), (bytes) => {
    const isBodyJson = isJson(bytes)
    const decode = (): Effect.Effect<UpstreamResponse, TransportError> => {
      try {
        const text = (isSuccessful(status) ? strict : lenient).decode(bytes)
        return Effect.succeed({ status, headers, text, json: isBodyJson ? JsonText.trusted(text) : undefined })
      } catch {
        return Effect.fail(TransportError.of(`${host} answered with bytes that are not UTF-8.`))
      }
    }
    return bytes.length > longBytes ? Effect.andThen(Effect.yieldNow, Effect.suspend(decode)) : decode()
  })

/** `isJson` takes 25 ms for 10 MB, and parsing as long. Other calls run in between. */
const longBytes = 4_194_304

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8")

const tooLong = (host: string) => TransportError.of(`${host} answered with more bytes than MAX_RESPONSE_BYTES allows.`)

const gunzipAsync = promisify<Uint8Array, { readonly maxOutputLength: number }, Uint8Array>(gunzip)

const gunzipUpTo = (maxOutputLength: number, bytes: Uint8Array, host: string) =>
  Effect.tryPromise({
    try: () => gunzipAsync(bytes, { maxOutputLength }),
    catch: (cause) => Predicate.hasProperty(cause, "code") && cause.code === "ERR_BUFFER_TOO_LARGE"
  }).pipe(
    Effect.catch((isLonger) =>
      isLonger ? Effect.undefined : Effect.fail(TransportError.of(`${host} answered with a damaged gzip body.`))
    )
  )

const hold = (bytes: number, host: string): Effect.Effect<void, TransportError> =>
  Effect.mapErrorEager(holdBytes("body", bytes), (cause) => toTransportError(cause, host))

const decompress = (
  bytes: Uint8Array,
  encoding: string | undefined,
  host: string,
  limit: number
): Effect.Effect<Uint8Array, TransportError> => {
  if (bytes.length > limit) return Effect.fail(tooLong(host))
  switch (encoding?.toLowerCase() ?? "identity") {
    case "identity":
      return Effect.as(hold(bytes.length, host), bytes)
    case "gzip":
    case "x-gzip":
      return Effect.gen(function*() {
        const expected = Math.min(Math.max(gzipLength(bytes), smallBytes), limit)
        yield* hold(expected, host)
        const decompressed = yield* gunzipUpTo(expected, bytes, host)
        if (decompressed !== undefined) return decompressed
        yield* hold(limit - expected, host)
        return (yield* gunzipUpTo(limit, bytes, host)) ?? (yield* tooLong(host))
      })
    default:
      return Effect.fail(TransportError.of(`${host} answered in a content encoding that the request does not accept.`))
  }
}

/** The length that the end of a gzip body says (RFC 1952). A body of several members has more. */
const gzipLength = ({ buffer, byteLength, byteOffset }: Uint8Array): number =>
  byteLength < 4 ? 0 : new DataView(buffer, byteOffset + byteLength - 4).getUint32(0, true)
