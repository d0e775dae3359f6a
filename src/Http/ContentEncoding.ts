import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

export type ContentEncoding = "br" | "gzip"

/** The best encoding that the header `Accept-Encoding` allows (RFC 9110, section 12.5.3). */
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

/** Runs in a thread of the pool. `effort` is a level of gzip and a quality of Brotli, 1 to 9. */
export const compress = (bytes: Uint8Array, encoding: ContentEncoding, effort: number): Promise<Uint8Array> =>
  encoding === "gzip"
    ? compressGzip(bytes, { level: effort })
    : compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: effort } })
