import { Context, Effect, Layer } from "effect"
import { FindMyWay } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { type Groups, served } from "../../Api/Group.ts"
import { Listener } from "../../Api/Listener.ts"
import { Served } from "../Served.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Paths match exactly, so that a proxy's rule for `/admin` covers every admin route. Parameters may be as long as the
 * request line, so that a long id is an unknown id.
 */
export const routerConfig = {
  maxParamLength: 65_536,
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false
}

interface Route {
  readonly path: string
  readonly listener: Listener
}

interface Request {
  readonly method: string
  readonly url: string
}

/** The routes of the APIs that are served. Matches as the server's router does, so that both agree on every path. */
export class DeclaredRoutes extends Context.Service<DeclaredRoutes, {
  /** The method and the path as it is declared, such as `GET /v1/logs/:call_id`. */
  readonly nameOf: (request: Request) => string
  readonly allowedMethods: (url: string) => ReadonlyArray<string>
  /** True if the path leaves the main listener when there is an admin listener. */
  readonly isMoved: (url: string) => boolean
  readonly isOnAdminListener: (url: string) => boolean
}>()("openaccounts/Http/Server/DeclaredRoutes") {
  static readonly layer = Layer.effect(DeclaredRoutes, Effect.map(Served, ({ groups }) => declaredRoutes(groups)))
}

export const declaredRoutes = (groups: Groups): DeclaredRoutes["Service"] => {
  const router = FindMyWay.make<Route>(routerConfig)
  HttpApi.reflect(served(groups), {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path }, mergedAnnotations }) => {
      const listener = Context.get(mergedAnnotations, Listener)
      const route = { path, listener }
      router.on(method, `/${path.slice(1)}`, route)
      if (path.endsWith("/*")) router.on(method, `/${path.slice(1, -2)}`, route)
    }
  })

  const declared = (url: string) =>
    methods.flatMap((method) => {
      const found = router.find(method, url)
      return found === undefined ? [] : [{ method, listener: found.handler.listener }]
    })

  return {
    nameOf: ({ method, url }) => {
      const known = methods.find((each) => each === (method === "HEAD" ? "GET" : method))
      const path = known && router.find(known, url)?.handler.path
      return path === undefined ? method : `${method} ${path}`
    },
    allowedMethods: (url) => declared(url).flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]),
    isMoved: (url) => declared(url).some(({ listener }) => listener === "admin"),
    isOnAdminListener: (url) => declared(url).some(({ listener }) => listener !== "main")
  }
}
