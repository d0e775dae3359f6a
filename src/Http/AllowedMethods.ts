import { FindMyWay } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../Api/Api.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * Matches paths exactly: a proxy's rule for `/admin` also covers what the service serves there. Parameters have any
 * length that fits the request line: a long id is unknown, not another path.
 */
export const routerConfig = { maxParamLength: 65_536, caseSensitive: true, ignoreDuplicateSlashes: false }

const encodedUnreserved = /^[^?]*%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

/** Whether a path encodes a character that needs no encoding (RFC 3986, section 2.3). The router would decode it. */
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

export const allowedMethods = (url: string): ReadonlyArray<string> =>
  methods
    .filter((method) => router.find(method, url) !== undefined)
    .flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method])
