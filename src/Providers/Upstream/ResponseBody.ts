import { Effect, Predicate } from "effect"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { JsonText } from "../../Domain/JsonText.ts"
import type { RawAnswer } from "./Dispatcher.ts"
import { isJson } from "./JsonSyntax.ts"
import { TransportError, type UpstreamResponse } from "./UpstreamResponse.ts"

/**
 * The whole body as text, and as JSON where it is that; at most `limit` bytes of it before and after decompression. An
 * error page that is not UTF-8 is still an error page; data that is not UTF-8 is none.
 */
export const readBody = (
  { bytes: received, headers, status }: RawAnswer,
  host: string,
  limit: number
): Effect.Effect<Pick<UpstreamResponse, "text" | "json">, TransportError> =>
  Effect.flatMapEager(decompress(received, headers["content-encoding"], host, limit), (bytes) => {
    let text: string
    try {
      text = (status < 300 ? strict : lenient).decode(bytes)
    } catch {
      return Effect.fail(TransportError.of(`${host} answered with bytes that are not UTF-8.`))
    }
    return Effect.succeed({ text, json: isJson(bytes) ? JsonText.trusted(text) : undefined })
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
