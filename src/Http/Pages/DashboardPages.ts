import { Effect, FileSystem, Path } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { RouteNotFound } from "../../Api/Errors.ts"
import { escapeHtml } from "../../Domain/Text/EscapeHtml.ts"
import { operator, ownBaseUrl } from "../../Settings.ts"
import { acceptedEncoding, compress } from "../Server/ContentEncoding.ts"

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

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2"
}

const effort = 9

interface File {
  readonly contentType: string
  readonly identity: Effect.Effect<Uint8Array>
  readonly gzip: Effect.Effect<Uint8Array>
  readonly br: Effect.Effect<Uint8Array>
}

const respond = Effect.fnUntraced(function*(file: File, headers: Readonly<Record<string, string>>) {
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

const pageHeaders = { "cache-control": "no-store", "content-security-policy": contentSecurityPolicy }
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }

/** Beside `src` in a clone and in the image, beside the JavaScript in the package. */
const folder = new URL("../../../dist/dashboard/", import.meta.url)

const meta = (name: string, content: string): string => `<meta name="${name}" content="${escapeHtml(content)}">`

/** The page contains the service's name and public URL, because it may be served at another address. */
const fillMeta = (page: Uint8Array, contents: Readonly<Record<string, string>>): Uint8Array =>
  new TextEncoder().encode(
    Object.entries(contents).reduce(
      (html, [name, content]) =>
        html.replace(new RegExp(`<meta name="${name}" content="[^"]*">`), () => meta(name, content)),
      new TextDecoder().decode(page)
    )
  )

const readFiles = Effect.gen(function*() {
  const contents = { "application-name": (yield* operator).name, "service-url": yield* ownBaseUrl }
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* path.fromFileUrl(folder)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(root, { recursive: true }), () => [])
  const files = new Map<string, File>()
  for (const name of names) {
    const contentType = contentTypes[path.extname(name)]
    if (contentType === undefined) continue
    const read = Effect.orDie(fs.readFile(path.join(root, name)))
    const identity = yield* Effect.cached(
      name === "index.html" ? Effect.map(read, (page) => fillMeta(page, contents)) : read
    )
    const compressed = (encoding: "br" | "gzip") =>
      Effect.cached(Effect.flatMap(identity, (bytes) => Effect.promise(() => compress(bytes, encoding, effort))))
    files.set(name.replaceAll(path.sep, "/"), {
      contentType,
      identity,
      gzip: yield* compressed("gzip"),
      br: yield* compressed("br")
    })
  }
  return files
})

export const DashboardPages = HttpApiBuilder.group(
  Api,
  "dashboard",
  Effect.fn(function*(handlers) {
    const files = yield* readFiles
    const application = Effect.suspend(() => {
      const file = files.get("index.html")
      return file ? respond(file, pageHeaders) : Effect.fail(new RouteNotFound())
    })

    return handlers.handleAll({
      file: ({ request }) => {
        const [path = ""] = request.url.slice("/dashboard/".length).split("?")
        if (!path.startsWith("assets/")) return application
        const file = files.get(path)
        return file ? respond(file, assetHeaders) : Effect.fail(new RouteNotFound())
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
