import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as OpenApi from "effect/http-api/OpenApi"
import { Catalog } from "../Providers/Catalog.ts"
import { acceptedEncoding, compress } from "./ContentEncoding.ts"
import { type DocumentedApi, documentedApi } from "./OpenApi/DocumentedApi.ts"

const scalar = {
  withDefaultFonts: false,
  hideClientButton: true,
  hideModels: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "apiKey" }
}

interface Page {
  readonly contentType: string
  readonly identity: Uint8Array
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}

const effort = 6

const compressPage = (contentType: string, identity: Uint8Array): Effect.Effect<Page> =>
  Effect.promise(async () => {
    const [gzip, br] = await Promise.all([compress(identity, "gzip", effort), compress(identity, "br", effort)])
    return { contentType, identity, gzip, br }
  })

const renderDocument = (api: DocumentedApi) =>
  compressPage("application/json", Buffer.from(JSON.stringify(OpenApi.fromApi(api))))

const renderDocs = Effect.fnUntraced(function*(api: DocumentedApi) {
  const HttpApiScalar = yield* Effect.promise(() => import("effect/http-api/HttpApiScalar"))
  const render = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: "/docs", scalar }))
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const response = yield* Effect.provideService(render, HttpServerRequest.HttpServerRequest, request)
  const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).arrayBuffer())
  return yield* compressPage("text/html; charset=utf-8", new Uint8Array(html))
}, Effect.scoped)

/** Rendered at the first request. All responses share the bytes: the page has 3 MB. */
export const DocsPage = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const catalog = yield* Catalog
  const api = yield* Effect.cached(documentedApi(catalog))

  const serve = Effect.fnUntraced(
    function*(path: "/docs" | "/openapi.json", render: (api: DocumentedApi) => Effect.Effect<Page, unknown>) {
      const page = yield* Effect.cached(Effect.uninterruptible(Effect.orDie(Effect.flatMap(api, render))))
      const respond = Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const encoding = acceptedEncoding(headers["accept-encoding"])
        const rendered = yield* page
        return HttpServerResponse.uint8Array(rendered[encoding ?? "identity"], {
          contentType: rendered.contentType,
          headers: {
            "cache-control": "public, max-age=300",
            vary: "accept-encoding",
            ...(encoding === undefined ? {} : { "content-encoding": encoding })
          }
        })
      })
      yield* router.add("GET", path, respond)
    }
  )
  yield* serve("/docs", renderDocs)
  yield* serve("/openapi.json", renderDocument)
}))
