import { Effect } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

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

/** In bytes. Shorter bodies hardly shrink. */
const minLength = 1024

/** In bytes. Longer bodies get the fastest compression. */
const largeLength = 1_000_000

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
  if (
    body._tag !== "Uint8Array" || body.contentLength < minLength || headers["content-encoding"] !== undefined ||
    body.contentType?.startsWith("application/json") !== true
  ) return Effect.succeed(response)
  const effort = body.contentLength > largeLength ? 1 : 4
  return Effect.map(
    Effect.promise(() => compress(body.body, encoding, effort)),
    (compressed) =>
      HttpServerResponse.setBody(response, HttpBody.uint8Array(compressed, body.contentType)).pipe(
        HttpServerResponse.setHeaders({
          "content-encoding": encoding,
          vary: headers["vary"] === undefined ? "accept-encoding" : `${headers["vary"]}, accept-encoding`
        })
      )
  )
}
