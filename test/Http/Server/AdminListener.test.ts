import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { adminListenerUrl } from "../../../src/Http/Server/Listeners/AdminListener.ts"
import { runOa } from "../../Cli/RunCli.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { apiClient } from "../../support/ApiClient.ts"
import { withSession } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { requestHead, sendRaw } from "../RawRequest.ts"

const adminUrl = Effect.map(adminListenerUrl, Option.getOrThrow)

const atAdmin = Effect.fnUntraced(function*(method: string, path: string, headers: Record<string, string> = {}) {
  const { request } = TestServer.at(yield* adminUrl, "")
  return yield* request(method, path, { headers, ...method === "POST" && { body: {} } })
})

const list = (settings: Record<string, string>) => runOa(["client", "list"], { settings })

layer(TestServer.make({ ADMIN_PORT: "0", APP_NAME: "Acme & Sons" }), { excludeTestServices: true })(
  "With ADMIN_PORT",
  (it) => {
    it.effect("the management API exists on its own listener alone", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const key = server.adminToken
        const moved = ["/admin/v1/clients", "/admin/v1/audit", "/admin/v1/nothing", "/admin/v1", "/dashboard", "/"]
        const spellings = [
          ..."http://localhost/admin/v1/clients /admin/v1/clients;x /admin/v1/clients#x /admin/v1/clients/".split(" "),
          ..."/admin/v1/clients?x /ADMIN/v1/clients //admin/v1/clients /%61dmin/v1/clients".split(" "),
          ..."/admin%2fv1/clients /./admin/v1/clients /v1/../admin/v1/clients".split(" ")
        ]
        for (const path of [...moved, ...spellings]) {
          for (const method of ["GET", "POST", "PUT"]) {
            const answer = yield* sendRaw(requestHead(method, path, { authorization: `Bearer ${key}` }))
            assertError(answer, 404, "route_not_found")
          }
        }
        const headers = { authorization: `Bearer ${key}` }
        assert.strictEqual((yield* atAdmin("GET", "/admin/v1/clients", headers)).status, 200)
        assert.strictEqual((yield* atAdmin("GET", "/healthz")).status, 200)
        assertError(yield* atAdmin("GET", "/admin/v1/clients"), 401, "unauthenticated")
        assertError(yield* atAdmin("PUT", "/admin/v1/clients", headers), 405, "method_not_allowed")
        assert.deepStrictEqual(issuePaths(yield* atAdmin("POST", "/admin/v1/clients", headers)), ["name"])
      }))

    it.effect("oa finds it with OA_ADMIN_URL", () =>
      Effect.gen(function*() {
        const { adminToken: ADMIN_TOKEN, url: OA_URL } = yield* TestServer
        const OA_ADMIN_URL = yield* adminUrl
        assert.include((yield* list({ OA_URL, ADMIN_TOKEN })).stderr, "route_not_found")
        assert.strictEqual((yield* list({ OA_URL, ADMIN_TOKEN, OA_ADMIN_URL })).exitCode, 0)
        assert.strictEqual((yield* list({ ADMIN_TOKEN, ADMIN_PORT: new URL(OA_ADMIN_URL).port })).exitCode, 0)
      }))

    it.effect("the dashboard there knows the service's name and address, and can use the API, and nothing else exists", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { text } = yield* atAdmin("GET", "/dashboard")
        assert.include(text, "<meta name=\"application-name\" content=\"Acme &#38; Sons\">")
        assert.include(text, `<meta name="service-url" content="http://localhost:${new URL(server.url).port}">`)
        for (const path of ["/docs", "/openapi.json", "/metrics", "/readyz", "/connect/callback", "/oauth/token"]) {
          for (const method of ["GET", "POST"]) {
            const headers = { authorization: `Bearer ${server.adminToken}` }
            assertError(yield* atAdmin(method, path, headers), 404, "route_not_found")
          }
        }
        assertError(yield* atAdmin("GET", "/v1/providers"), 401, "unauthenticated")
        for (const answer of [yield* atAdmin("POST", "/v1/call"), yield* server.request("POST", "/v1/call")]) {
          assertError(answer, 401, "unauthenticated")
        }
        for (const path of ["/healthz", "/docs"]) assert.strictEqual((yield* server.request("GET", path)).status, 200)
      }))

    it.effect("for a browser without Sec-Fetch-Site, its pages are the service's own", () =>
      Effect.gen(function*() {
        const { adminToken, url } = yield* TestServer
        const { cookie } = yield* withSession(
          yield* apiClient(yield* adminUrl, adminToken).members.create({
            payload: { email: "bea@example.com", role: "admin" }
          })
        )
        const own = ["http://localhost:0", `http://localhost:${new URL(url).port}`]
        const foreign = ["http://localhost:1", "https://localhost:0", "http://evil.example.com", "null"]
        for (const origin of [...own, ...foreign]) {
          const { status } = yield* atAdmin("POST", "/admin/v1/clients", { cookie, origin })
          assert.strictEqual(status, own.includes(origin) ? 400 : 403, origin)
        }
      }))

    it.effect("a member who lets an agent in signs in and consents there", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const members = apiClient(yield* adminUrl, server.adminToken).members
        const { cookie } = yield* withSession(yield* members.create({ payload: { email: "ada@example.com" } }))
        const { json } = yield* server.request("POST", "/oauth/register", {
          headers: { "content-type": "application/json" },
          body: { redirect_uris: ["http://127.0.0.1/callback"] }
        })
        const query = new URLSearchParams({
          response_type: "code",
          client_id: Object(json).client_id,
          redirect_uri: "http://127.0.0.1/callback",
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256"
        })
        const asked = yield* server.request("GET", `/oauth/authorize?${query}`)
        assert.strictEqual(asked.status, 401)
        assert.match(asked.text, /href="http:\/\/localhost:\d+\/dashboard\?next=%2Foauth%2Fauthorize/)
        const started = yield* atAdmin("GET", `/oauth/authorize?${query}`, { cookie })
        const path = started.headers.get("location") ?? ""
        assert.match(path, /^\/oauth\/consent\//)
        const cookies = [cookie, ...started.headers.getSetCookie().map((each) => each.split(";")[0])].join("; ")
        assert.strictEqual((yield* atAdmin("GET", path, { cookie: cookies })).status, 200)
      }))
  }
)
