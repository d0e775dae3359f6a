import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { type ApiRoute, apiRoutes } from "../support/ApiRoutes.ts"
import { signedIn } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { baseUrl, Hosted, seededServer } from "./Fixture.ts"

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

layer(Hosted, { excludeTestServices: true })("Requests that another site makes", (it) => {
  it.effect("do nothing with a session, unless they only read, and those of the service's own pages do", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const root = yield* signedIn({ role: "admin" })
      const done = server.admin.audit.list({ query: { actor: root.member.id } })
      const before = yield* done
      const send = Effect.fnUntraced(function*(route: ApiRoute, headers: Headers) {
        const isLast = route.path === "/auth/sign-out" && isOwnPage(headers)
        const cookie = toHostCookie(isLast ? (yield* signedIn()).cookie : root.cookie)
        const sent = { headers: { cookie, ...toHeaders(headers) }, ...bodyOf(route) }
        return yield* server.request(route.method, route.path, sent)
      })
      const each = requests.flatMap((route) => headersOf(route).map((headers) => ({ route, headers })))
      for (const { headers, route } of each.filter(({ headers }) => !isOwnPage(headers))) {
        const answer = yield* send(route, headers)
        const what = `${route.method} ${route.path} ${JSON.stringify(headers)}`
        if (isSafe(route)) assert.notInclude([401, 403], answer.status, what)
        else assert.deepStrictEqual([answer.status, errorIn(answer).code], [403, "forbidden"], what)
      }
      assert.deepStrictEqual(yield* done, before)
      for (const { headers, route } of each.filter(({ headers }) => isOwnPage(headers))) {
        const { status } = yield* send(route, headers)
        assert.notInclude([401, 403], status, `${route.method} ${route.path} ${JSON.stringify(headers)}`)
      }
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        assert.isTrue(routes.some((route) => route.method === method), method)
      }
    }))

  it.effect("are answered with a bearer token, which takes precedence over the session", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const root = yield* signedIn({ role: "admin" })
      const headers = { cookie: toHostCookie(root.cookie), "sec-fetch-site": "cross-site" }
      const post = (path: string, key: string, body: object) => server.request("POST", path, { key, headers, body })
      assert.strictEqual((yield* post("/admin/v1/clients", server.adminToken, { name: "x" })).status, 201)
      assertError(yield* post("/v1/call", readOnly, { provider: "x", tool: "y" }), 404, "provider_not_found")
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
})
