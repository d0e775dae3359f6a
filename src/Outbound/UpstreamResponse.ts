import { Effect, Predicate } from "effect"
import type { HttpClientResponse } from "effect/http"
import { isUtf8 } from "node:buffer"
import { promisify } from "node:util"
import { constants, gunzip } from "node:zlib"
import { type RateLimited, reserve, smallBytes } from "../Capacity/Capacity.ts"
import { byteOrderMarkLength, isJson } from "../Domain/Json/JsonSyntax.ts"
import { JsonText } from "../Domain/Json/JsonText.ts"
import { TransportError } from "./TransportError.ts"

export interface UpstreamResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded when it is read, if it is long. */
  readonly text: string
  readonly json: JsonText | undefined
}

export const isSuccessful = (status: number): boolean => status >= 200 && status < 300

/**
 * Decompresses and checks a body of at most `limit` bytes, before and after decompression. The body of an error need
 * not be UTF-8 or JSON.
 */
export const readResponse = (
  { headers, status }: HttpClientResponse.HttpClientResponse,
  received: Bytes,
  host: string,
  limit: number
): Effect.Effect<UpstreamResponse, TransportError | RateLimited> =>
  Effect.flatMapEager(decompress(received, headers["content-encoding"], host, limit), (bytes) => {
    if (isSuccessful(status) && bytes.length > smallBytes) return readLong(bytes, { status, headers }, host)
    try {
      const text = (isSuccessful(status) ? strict : lenient).decode(bytes)
      return Effect.succeed({ status, headers, text, json: isJson(bytes) ? JsonText.trusted(text) : undefined })
    } catch {
      return notUtf8(host)
    }
  })

type Bytes = Uint8Array<ArrayBuffer>

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8")

const notUtf8 = (host: string) => Effect.fail(TransportError.of(`${host} answered with bytes that are not UTF-8.`))

const readLong = (
  bytes: Bytes,
  response: Pick<UpstreamResponse, "status" | "headers">,
  host: string
): Effect.Effect<UpstreamResponse, TransportError> => {
  if (!isUtf8(bytes)) return notUtf8(host)
  const json = isJson(bytes) ? JsonText.trustedBytes(bytes.subarray(byteOrderMarkLength(bytes))) : undefined
  const read = {
    ...response,
    json,
    get text() {
      return json === undefined ? strict.decode(bytes) : json.text
    }
  }
  // `isJson` takes 15 ms for 10 MB, and the rest as long. Other calls run in between.
  return bytes.length > longBytes ? Effect.as(Effect.yieldNow, read) : Effect.succeed(read)
}

const longBytes = 4_194_304

const tooLong = (host: string) => TransportError.of(`${host} answered with more bytes than MAX_RESPONSE_BYTES allows.`)

const gunzipAsync = promisify<Bytes, { readonly maxOutputLength: number; readonly chunkSize: number }, Bytes>(gunzip)

const gunzipUpTo = (maxOutputLength: number, bytes: Bytes, host: string) =>
  Effect.tryPromise({
    try: () => {
      const expected = Math.min(gzipLength(bytes), maxOutputLength)
      return gunzipAsync(bytes, { maxOutputLength, chunkSize: Math.max(expected, constants.Z_DEFAULT_CHUNK) })
    },
    catch: (cause) => Predicate.hasProperty(cause, "code") && cause.code === "ERR_BUFFER_TOO_LARGE"
  }).pipe(
    Effect.catch((isLonger) =>
      isLonger ? Effect.undefined : Effect.fail(TransportError.of(`${host} answered with a damaged gzip body.`))
    )
  )

const decompress = (
  bytes: Bytes,
  encoding: string | undefined,
  host: string,
  limit: number
): Effect.Effect<Bytes, TransportError | RateLimited> => {
  if (bytes.length > limit) return Effect.fail(tooLong(host))
  switch (encoding?.toLowerCase() ?? "identity") {
    case "identity":
      return Effect.as(reserve("body", bytes.length), bytes)
    case "gzip":
    case "x-gzip":
      return Effect.gen(function*() {
        const expected = Math.min(Math.max(gzipLength(bytes), smallBytes), limit)
        yield* reserve("body", expected)
        const decompressed = yield* gunzipUpTo(expected, bytes, host)
        if (decompressed !== undefined) return decompressed
        yield* reserve("body", limit - expected)
        return (yield* gunzipUpTo(limit, bytes, host)) ?? (yield* tooLong(host))
      })
    default:
      return Effect.fail(TransportError.of(`${host} answered in a content encoding that the request does not accept.`))
  }
}

/** From the end of a gzip body (RFC 1952). A body of several members has more. */
const gzipLength = ({ buffer, byteLength, byteOffset }: Uint8Array): number =>
  byteLength < 4 ? 0 : new DataView(buffer, byteOffset + byteLength - 4).getUint32(0, true)
