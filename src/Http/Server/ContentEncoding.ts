import { Effect } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib"
import { LongResponse } from "../../Calls/Response/LongResponse.ts"

export type ContentEncoding = "br" | "gzip"

export const acceptedEncoding = (acceptEncoding: string | undefined): ContentEncoding | undefined => {
  if (acceptEncoding === undefined) return undefined
  const weights = new Map(acceptEncoding.toLowerCase().split(",").map(parseCoding))
  const weightOf = (encoding: ContentEncoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [br, gzip] = [weightOf("br"), weightOf("gzip")]
  if (br === 0 && gzip === 0) return undefined
  return br >= gzip ? "br" : "gzip"
}

const parseCoding = (part: string): readonly [name: string, weight: number] => {
  const [name = "", ...parameters] = part.split(";").map((each) => each.trim())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  return [name, weight === undefined ? 1 : Number(weight) || 0]
}

const compressBrotli = promisify<Uint8Array, { readonly params: Record<number, number> }, Uint8Array>(brotliCompress)
const compressGzip = promisify<Uint8Array, { readonly level: number }, Uint8Array>(gzip)

export const compress = (bytes: Uint8Array, encoding: ContentEncoding, effort: number): Promise<Uint8Array> =>
  encoding === "gzip"
    ? compressGzip(bytes, { level: effort })
    : compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: effort } })

const compressParts = (parts: ReadonlyArray<Uint8Array>, encoding: ContentEncoding): Promise<Uint8Array> => {
  const stream = encoding === "gzip"
    ? createGzip({ level: 1, chunkSize })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, chunkSize })
  for (const part of parts) stream.write(part)
  return buffer(stream.end())
}

/** In bytes of compressed data. zlib's threads take a turn for each chunk. */
const chunkSize = 131_072

const minBytes = 1024

const largeBytes = 1_000_000

export const compressJson = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const encoding = acceptedEncoding(headers["accept-encoding"])
    return encoding === undefined ? app : Effect.flatMap(app, (response) => compressResponse(response, encoding))
  })

const compressResponse = (
  response: HttpServerResponse.HttpServerResponse,
  encoding: ContentEncoding
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, headers } = response
  const compressed = headers["content-encoding"] === undefined ? compressBody(body, encoding) : undefined
  return compressed === undefined || body._tag === "Empty" ? Effect.succeed(response) : Effect.map(
    Effect.promise(() => compressed),
    (bytes) =>
      HttpServerResponse.setBody(response, HttpBody.uint8Array(bytes, body.contentType)).pipe(
        HttpServerResponse.setHeaders({
          "content-encoding": encoding,
          vary: headers["vary"] === undefined ? "accept-encoding" : `${headers["vary"]}, accept-encoding`
        })
      )
  )
}

const compressBody = (body: HttpBody.HttpBody, encoding: ContentEncoding): Promise<Uint8Array> | undefined => {
  if (body._tag === "Empty" || body.contentType?.startsWith("application/json") !== true) return undefined
  if (body._tag === "Raw" && body.body instanceof LongResponse) return compressParts(body.body.parts, encoding)
  if (body._tag !== "Uint8Array" || body.contentLength < minBytes) return undefined
  return compress(body.body, encoding, body.contentLength > largeBytes ? 1 : 4)
}
