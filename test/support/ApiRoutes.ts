import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Api } from "../../src/Features/Contracts.ts"

export interface ApiRoute {
  readonly method: string
  /** With `x` for each parameter. */
  readonly path: string
  readonly name: string
  readonly schemes: ReadonlyArray<string>
}

export const apiRoutes: ReadonlyArray<ApiRoute> = (() => {
  const routes: Array<ApiRoute> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) => {
      const path = endpoint.path.replace(/(?<=.)\/$/, "")
      const { method } = endpoint
      const name = `${method} ${path}`
      const schemes = [...middleware].flatMap((each) =>
        HttpApiMiddleware.isSecurity(each) ? Object.keys(each.security) : []
      )
      // The pipeline authenticates calls, without a middleware.
      const own = path === "/v1/call" ? ["apiKey", "session"] : schemes
      routes.push({ method, path: path.replaceAll(/:\w+/g, "x"), name, schemes: own })
    }
  })
  return routes
})()
