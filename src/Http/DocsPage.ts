import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Api } from "../Api/Api.ts"

/** Loads no fonts from other origins, and offers no button that sends the document to one. */
const scalar = { withDefaultFonts: false, hideClientButton: true, showDeveloperTools: "never" }

const compressBrotli = promisify<Uint8Array, { readonly params: Record<number, number> }, Uint8Array>(brotliCompress)
const compressGzip = promisify<Uint8Array, Uint8Array>(gzip)

interface Page {
  readonly identity: Uint8Array
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}

const renderPage: Effect.Effect<Page> = Effect.gen(function*() {
  const HttpApiScalar = yield* Effect.promise(() => import("effect/http-api/HttpApiScalar"))
  const render = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs", scalar }))
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const response = yield* Effect.provideService(render, HttpServerRequest.HttpServerRequest, request)
  const identity = yield* Effect.promise(() => HttpServerResponse.toWeb(response).arrayBuffer())
  const html = new Uint8Array(identity)
  const [gzip, br] = yield* Effect.promise(() =>
    Promise.all([
      compressGzip(html),
      compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    ])
  )
  return { identity: html, gzip, br }
}).pipe(Effect.scoped, Effect.orDie)

const encodingFor = (acceptEncoding: string | undefined): keyof Page => {
  const accepted = (acceptEncoding ?? "").split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.trim().toLowerCase().split(/\s*;\s*/)
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : "identity"
}

/** `GET /docs`. The page has 3 MB: it is rendered at the first request, and all responses share its bytes. */
export const DocsPage = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const page = yield* Effect.cached(Effect.uninterruptible(renderPage))
  const respond = Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const encoding = encodingFor(headers["accept-encoding"])
    return HttpServerResponse.uint8Array((yield* page)[encoding], {
      contentType: "text/html; charset=utf-8",
      headers: { vary: "accept-encoding", ...(encoding === "identity" ? {} : { "content-encoding": encoding }) }
    })
  })
  yield* router.add("GET", "/docs", respond)
}))
