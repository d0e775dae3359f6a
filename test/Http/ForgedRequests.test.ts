import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertError, errorIn } from "../support/Answer.ts"
import { type ApiRoute, apiRoutes } from "../support/ApiRoutes.ts"
import { signedIn } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const baseUrl = "https://accounts.example.com"

const sites = [undefined, "same-origin", "same-site", "cross-site", "none", "", "same-origin, same-origin"]
const origins = [undefined, baseUrl, "https://evil.example.com", "null", "https://accounts.example.com.evil.com"]

interface Headers {
  readonly site?: string | undefined
  readonly origin?: string | undefined
}

const isOwnPage = ({ origin, site }: Headers) => site === undefined ? origin === baseUrl : site === "same-origin"

const isSafe = ({ method }: ApiRoute) => method === "GET" || method === "HEAD"

/** Not JSON, so that an accepted request changes nothing. */
const bodyOf = ({ method }: ApiRoute) => ["POST", "PUT", "PATCH"].includes(method) ? { rawBody: "not JSON" } : {}

const routes = apiRoutes.filter(({ schemes }) => schemes.includes("session"))
const requests = routes.flatMap((route) => route.method === "GET" ? [route, { ...route, method: "HEAD" }] : [route])

const combinations: ReadonlyArray<Headers> = sites.flatMap((site) => origins.map((origin) => ({ site, origin })))

/** Of each route. The first of each method gets all combinations. */
const essential: ReadonlyArray<Headers> = [
  {},
  { site: "cross-site", origin: "https://evil.example.com" },
  { origin: "https://evil.example.com" },
  { site: "same-site", origin: baseUrl },
  { site: "same-origin" },
  { origin: baseUrl }
]

const headersOf = (route: ApiRoute) =>
  requests.find(({ method }) => method === route.method) === route ? combinations : essential

const toHostCookie = (cookie: string) => `__Host-${cookie}`

const toHeaders = ({ origin, site }: Headers) => ({
  ...(origin === undefined ? {} : { origin }),
  ...(site === undefined ? {} : { "sec-fetch-site": site })
})

layer(TestServer.make({ BASE_URL: baseUrl }), { excludeTestServices: true })(
  "Requests that another site makes",
  (it) => {
    it("can reach every kind of route", () => {
      assert.isAtLeast(routes.length, 30)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        assert.isTrue(routes.some((route) => route.method === method), method)
      }
    })

    it.effect("do nothing with a session, unless they only read", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        const root = yield* signedIn({ role: "admin" })
        const cookie = toHostCookie(root.cookie)
        const state = sql`SELECT (SELECT count(*) FROM audit) AS audit, (SELECT count(*) FROM sessions) AS sessions`
        const before = yield* state
        for (const route of requests) {
          for (const headers of headersOf(route).filter((each) => !isOwnPage(each))) {
            const { headers: answered, status, text } = yield* server.request(route.method, route.path, {
              headers: { cookie, ...toHeaders(headers) },
              ...bodyOf(route)
            })
            const what = `${route.method} ${route.path} ${JSON.stringify(headers)}`
            if (isSafe(route)) {
              assert.notInclude([401, 403], status, what)
            } else {
              assert.strictEqual(status, 403, what)
              assert.strictEqual(errorIn({ headers: answered, text }).code, "forbidden", what)
            }
          }
        }
        assert.deepStrictEqual(yield* state, before)
      }))

    it.effect("are distinguished from those of the service's own pages", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const [root, leaving] = [yield* signedIn({ role: "admin" }), yield* signedIn({ role: "admin" })]
        for (const route of requests) {
          const ends = route.path === "/auth/sign-out"
          const cookie = toHostCookie(ends ? leaving.cookie : root.cookie)
          for (const headers of ends ? [{ site: "same-origin" }] : headersOf(route)) {
            if (!isOwnPage(headers)) continue
            const { status } = yield* server.request(route.method, route.path, {
              headers: { cookie, ...toHeaders(headers) },
              ...bodyOf(route)
            })
            assert.notInclude([401, 403], status, `${route.method} ${route.path} ${JSON.stringify(headers)}`)
          }
        }
      }))

    it.effect("are answered with a bearer token, which takes precedence over the session", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const root = yield* signedIn({ role: "admin" })
        const headers = {
          cookie: toHostCookie(root.cookie),
          "sec-fetch-site": "cross-site"
        }
        const client = yield* server.request("POST", "/admin/v1/clients", {
          key: server.adminToken,
          headers,
          body: { name: "x" }
        })
        assert.strictEqual(client.status, 201)
        const called = yield* server.request("POST", "/v1/call", {
          key: readOnly,
          headers,
          body: { provider: "x", tool: "y" }
        })
        assertError(called, 404, "provider_not_found")
        const own = { ...headers, "sec-fetch-site": "same-origin" }
        for (const path of ["/v1/providers", "/admin/v1/clients"]) {
          const wrong = yield* server.request("GET", path, { key: "wrong", headers: own })
          assertError(wrong, 401, "unauthenticated")
        }
      }))

    it.effect("sign no one in", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        for (const path of ["/auth/sign-in", "/auth/link"]) {
          for (const headers of combinations) {
            const { site, origin } = headers
            const isForeign = !isOwnPage(headers) && !(site === undefined && origin === undefined)
            const { status } = yield* server.request("POST", path, { headers: toHeaders(headers), rawBody: "not JSON" })
            assert.strictEqual(status, isForeign ? 403 : 400, `${path} ${JSON.stringify(headers)}`)
          }
        }
      }))
  }
)
