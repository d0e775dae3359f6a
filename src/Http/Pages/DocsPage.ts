import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import { CoreApi } from "../../Api/CoreApi.ts"
import { CallSteps, fieldsOf } from "../../Calls/Steps.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { documentedApi } from "../OpenApi/DocumentedApi.ts"
import { Served } from "../Served.ts"
import { assetHeaders, builtFiles, respond, respondWith, servedFile } from "./BuiltFiles.ts"

/** The page's components set styles of their own, and show icons as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const documentHeaders = { "cache-control": "public, max-age=300" }

const pageHeaders = { ...documentHeaders, "content-security-policy": contentSecurityPolicy }

export const DocsPage = HttpApiBuilder.group(
  CoreApi,
  "docs",
  Effect.fn(function*(handlers) {
    const catalog = yield* Catalog
    const { groups } = yield* Served
    const stepFields = fieldsOf(yield* CallSteps)
    const files = yield* builtFiles("docs")
    const document = yield* servedFile(
      "application/json",
      Effect.map(
        Effect.orDie(documentedApi(groups, catalog, stepFields)),
        (api) => Buffer.from(JSON.stringify(OpenApi.fromApi(api)))
      )
    )

    return handlers.handleAll({
      page: () => respondWith(files.get("index.html"), pageHeaders),
      file: ({ request }) => respondWith(files.get(request.url.slice("/docs/".length)), assetHeaders),
      document: () => respond(document, documentHeaders)
    })
  })
)
