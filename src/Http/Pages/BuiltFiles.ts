import { Effect, FileSystem, Path } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { RouteNotFound } from "../../Api/Errors/RequestErrors.ts"

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2"
}

type ContentEncoding = "br" | "gzip"

const weightOf = (part: string): readonly [coding: string, weight: number] => {
  const [coding = "", weight = "1"] = part.split(/\s*;\s*q=\s*/)
  return [coding.trim(), Number(weight)]
}

const acceptedEncoding = (header: string | undefined): ContentEncoding | undefined => {
  const weights = new Map(header?.toLowerCase().split(",").map(weightOf))
  return (["br", "gzip"] as const).find((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0)
}

const compressions = {
  br: promisify<Uint8Array, object, Uint8Array>(brotliCompress),
  gzip: promisify<Uint8Array, object, Uint8Array>(gzip)
}

const effort = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 }, level: 9 }

/** Compressed at the first request. All responses share the bytes: Effect's middleware would compress each anew. */
export interface ServedFile extends Readonly<Record<ContentEncoding | "identity", Effect.Effect<Uint8Array>>> {
  readonly contentType: string
}

export const servedFile = Effect.fnUntraced(function*(contentType: string, read: Effect.Effect<Uint8Array>) {
  const identity = yield* Effect.cached(Effect.uninterruptible(read))
  const compressed = (encoding: ContentEncoding) =>
    Effect.cached(Effect.flatMap(identity, (bytes) => Effect.promise(() => compressions[encoding](bytes, effort))))
  return {
    contentType,
    identity,
    gzip: yield* compressed("gzip"),
    br: yield* compressed("br")
  } satisfies ServedFile
})

/** The folder beside `src` in a clone and in the image, and beside the JavaScript in the package. */
const dist = new URL("../../../dist/", import.meta.url)

/** The files of `dist/<folder>`, by their paths. Without the folder, there are none. `fill` changes the page. */
export const builtFiles = Effect.fn("builtFiles")(function*(
  folder: string,
  fill: (page: Uint8Array) => Uint8Array = (page) => page
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* path.fromFileUrl(new URL(folder, dist))
  const names = yield* Effect.orElseSucceed(fs.readDirectory(root, { recursive: true }), () => [])
  const files = new Map<string, ServedFile>()
  for (const name of names) {
    const contentType = contentTypes[path.extname(name)]
    if (contentType === undefined) continue
    const read = Effect.orDie(fs.readFile(path.join(root, name)))
    files.set(
      name.replaceAll(path.sep, "/"),
      yield* servedFile(contentType, name === "index.html" ? Effect.map(read, fill) : read)
    )
  }
  return files
})

export const respond = Effect.fnUntraced(function*(file: ServedFile, headers: Readonly<Record<string, string>>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const isCompressed = file.contentType === contentTypes[".woff2"]
  const encoding = isCompressed ? undefined : acceptedEncoding(request.headers["accept-encoding"])
  return HttpServerResponse.uint8Array(yield* file[encoding ?? "identity"], {
    contentType: file.contentType,
    headers: {
      vary: "accept-encoding",
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      ...headers
    }
  })
})

export const respondWith = (
  file: ServedFile | undefined,
  headers: Readonly<Record<string, string>>
): Effect.Effect<HttpServerResponse.HttpServerResponse, RouteNotFound, HttpServerRequest.HttpServerRequest> =>
  file ? respond(file, headers) : Effect.fail(new RouteNotFound())

/** The names of assets change with their content. */
export const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }
