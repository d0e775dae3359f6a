import { FindMyWay } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../Api/Api.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Allows path parameters of any length that fits the request line: a long id is unknown, not another path. */
export const routerConfig = { maxParamLength: 65_536 }

const router = FindMyWay.make<true>(routerConfig)
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => router.on(endpoint.method, `/${endpoint.path.slice(1)}`, true)
})
router.on("GET", "/openapi.json", true)
router.on("GET", "/docs", true)

/** The methods of a path, for the header `Allow`. Empty for an unknown path. */
export const allowedMethods = (url: string): ReadonlyArray<string> =>
  methods
    .filter((method) => router.find(method, url) !== undefined)
    .flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method])
