import { FindMyWay } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../../Api/Api.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * Paths match exactly, so that a proxy's rule for `/admin` covers every admin route. Parameters may be as long as the
 * request line, so that a long id is an unknown id.
 */
export const routerConfig = { maxParamLength: 65_536, caseSensitive: true, ignoreDuplicateSlashes: false }

const encodedUnreserved = /^[^?]*%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

/** True if a path encodes an unreserved character (RFC 3986, section 2.3), which the router would decode. */
export const isObscured = (url: string): boolean => encodedUnreserved.test(url)

const router = FindMyWay.make<true>(routerConfig)
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => router.on(endpoint.method, `/${endpoint.path.slice(1)}`, true)
})
router.on("GET", "/openapi.json", true)
router.on("GET", "/docs", true)
router.on("GET", "/", true)
router.on("GET", "/dashboard", true)
router.on("GET", "/dashboard/*", true)
router.on("GET", "/connect/:token", true)
router.on("POST", "/connect/:token", true)
router.on("POST", "/connect/:token/confirm", true)
router.on("POST", "/connect/:token/cancel", true)
router.on("GET", "/connect/:token/connected/:provider", true)
router.on("GET", "/connect/logo", true)

export const allowedMethods = (url: string): ReadonlyArray<string> =>
  methods
    .filter((method) => router.find(method, url) !== undefined)
    .flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method])
