import { Effect, Predicate } from "effect"
import type { HttpClientResponse } from "effect/http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { JsonText } from "../../Domain/JsonText.ts"
import { isJson } from "./JsonSyntax.ts"
import { isSuccessful, TransportError, type UpstreamResponse } from "./UpstreamResponse.ts"

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
    try {
      const text = (isSuccessful(status) ? strict : lenient).decode(bytes)
      return Effect.succeed({ status, headers, text, json: isJson(bytes) ? JsonText.trusted(text) : undefined })
    } catch {
      return Effect.fail(TransportError.of(`${host} answered with bytes that are not UTF-8.`))
    }
  })

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8")

const tooLong = (host: string) => TransportError.of(`${host} answered with more bytes than MAX_RESPONSE_BYTES allows.`)

const gunzipAsync = promisify<Uint8Array, { readonly maxOutputLength: number }, Uint8Array>(gunzip)

const decompress = (
  bytes: Uint8Array,
  encoding: string | undefined,
  host: string,
  limit: number
): Effect.Effect<Uint8Array, TransportError> => {
  if (bytes.length > limit) return Effect.fail(tooLong(host))
  switch (encoding?.toLowerCase() ?? "identity") {
    case "identity":
      return Effect.succeed(bytes)
    case "gzip":
    case "x-gzip":
      return Effect.tryPromise({
        try: () => gunzipAsync(bytes, { maxOutputLength: limit }),
        catch: (cause) =>
          Predicate.hasProperty(cause, "code") && cause.code === "ERR_BUFFER_TOO_LARGE"
            ? tooLong(host)
            : TransportError.of(`${host} answered with a damaged gzip body.`)
      })
    default:
      return Effect.fail(TransportError.of(`${host} answered in a content encoding that it was not asked for.`))
  }
}
