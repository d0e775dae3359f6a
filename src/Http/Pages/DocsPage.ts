import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../../Api/Api.ts"
import { sourceHash } from "../../Pages/Html/HtmlPage.ts"
import { Catalog } from "../../Providers/Catalog.ts"
import { type DocumentedApi, documentedApi } from "../OpenApi/DocumentedApi.ts"
import { acceptedEncoding, compress } from "../Server/ContentEncoding.ts"

const scalar = {
  withDefaultFonts: false,
  hideClientButton: true,
  hideModels: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "apiKey" }
}

interface Page {
  readonly contentType: string
  readonly policy?: string
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

/** Allows the scripts that the page has, by their hashes. Scalar sets styles without one, and shows icons as data. */
const policyOf = (html: string): string => {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, source = ""]) => sourceHash(source))
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

const renderDocument = (api: DocumentedApi) =>
  compressPage("application/json", Buffer.from(JSON.stringify(OpenApi.fromApi(api))))

const renderDocs = Effect.fnUntraced(function*(api: DocumentedApi) {
  const HttpApiScalar = yield* Effect.promise(() => import("effect/http-api/HttpApiScalar"))
  const { dispose, handler } = HttpRouter.toWebHandler(HttpApiScalar.layer(api, { path: "/docs", scalar }), {
    disableLogger: true
  })
  const html = yield* Effect.promise(async () => (await handler(new Request("http://localhost/docs"))).text())
  yield* Effect.promise(dispose)
  const page = yield* compressPage("text/html; charset=utf-8", Buffer.from(html))
  return { ...page, policy: policyOf(html) }
})

/** Rendered at the first request. All responses share the bytes: the page has 3 MB. */
export const DocsPage = HttpApiBuilder.group(
  Api,
  "docs",
  Effect.fn(function*(handlers) {
    const catalog = yield* Catalog
    const api = yield* Effect.cached(documentedApi(catalog))

    const serve = Effect.fnUntraced(function*(render: (api: DocumentedApi) => Effect.Effect<Page, unknown>) {
      const page = yield* Effect.cached(Effect.uninterruptible(Effect.orDie(Effect.flatMap(api, render))))
      return Effect.fnUntraced(function*({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
        const encoding = acceptedEncoding(request.headers["accept-encoding"])
        const rendered = yield* page
        return HttpServerResponse.uint8Array(rendered[encoding ?? "identity"], {
          contentType: rendered.contentType,
          headers: {
            "cache-control": "public, max-age=300",
            vary: "accept-encoding",
            ...(rendered.policy === undefined ? {} : { "content-security-policy": rendered.policy }),
            ...(encoding === undefined ? {} : { "content-encoding": encoding })
          }
        })
      })
    })

    return handlers.handleAll({ page: yield* serve(renderDocs), document: yield* serve(renderDocument) })
  })
)
