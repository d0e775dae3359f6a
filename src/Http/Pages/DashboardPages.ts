import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { RouteNotFound } from "../../Api/Errors/RequestErrors.ts"
import { escapeHtml } from "../../Domain/Text/EscapeHtml.ts"
import { operator, ownBaseUrl } from "../../Settings.ts"
import { Served } from "../Served.ts"
import { assetHeaders, builtFiles, respondWith } from "./BuiltFiles.ts"

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const pageHeaders = { "cache-control": "no-store", "content-security-policy": contentSecurityPolicy }

const meta = (name: string, content: string): string => `<meta name="${name}" content="${escapeHtml(content)}">`

/** The page contains the service's name and public URL, because it may be served at another address. */
const fillMeta = (contents: Readonly<Record<string, string>>) => (page: Uint8Array): Uint8Array =>
  new TextEncoder().encode(
    Object.entries(contents).reduce(
      (html, [name, content]) =>
        html.replace(new RegExp(`<meta name="${name}" content="[^"]*">`), () => meta(name, content)),
      new TextDecoder().decode(page)
    )
  )

export const DashboardPages = HttpApiBuilder.group(
  CoreApi,
  "dashboard",
  Effect.fn(function*(handlers) {
    const { features } = yield* Served
    const contents = {
      "application-name": (yield* operator).name,
      "service-url": yield* ownBaseUrl,
      "features-off": Object.keys(features).filter((name) => features[name] === false).join(" ")
    }
    const files = yield* builtFiles("dashboard", fillMeta(contents))

    return handlers.handleAll({
      file: ({ request }) => {
        const [path = ""] = request.url.slice("/dashboard/".length).split("?")
        return path.startsWith("assets/")
          ? respondWith(files.get(path), assetHeaders)
          : respondWith(files.get("index.html"), pageHeaders)
      },
      home: Effect.fnUntraced(function*({ request }) {
        if (!request.headers["accept"]?.includes("text/html")) return yield* new RouteNotFound()
        return HttpServerResponse.redirect("/dashboard", {
          status: 303,
          headers: { "cache-control": "no-store", vary: "accept" }
        })
      })
    })
  })
)
