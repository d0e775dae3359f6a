import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { adminListenerUrl } from "../../../src/Http/Server/Listeners/AdminListener.ts"
import { runOa } from "../../Cli/RunCli.ts"
import { type Answer, assertError, errorIn, issuePaths } from "../../support/Answer.ts"
import { apiClient } from "../../support/ApiClient.ts"
import { withSession } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { requestHead, sendRaw } from "../RawRequest.ts"

const adminRequest = Effect.fnUntraced(function*(method: string, path: string, key?: string) {
  const url = Option.getOrThrow(yield* adminListenerUrl)
  return yield* Effect.promise(async (): Promise<Answer> => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}${path}`, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === "" ? undefined : JSON.parse(text),
      callId: response.headers.get("x-call-id") ?? ""
    }
  })
})

const settings = { ADMIN_PORT: "0", APP_NAME: "Acme & Sons" }

layer(TestServer.make(settings), { excludeTestServices: true })("With ADMIN_PORT", (it) => {
  it.effect("the management API exists on its own listener alone", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const key = server.adminToken
      for (const path of ["/admin/v1/clients", "/admin/v1/audit", "/admin/v1/nothing", "/admin/v1", "/dashboard"]) {
        for (const method of ["GET", "POST", "PUT"]) {
          assertError(yield* server.request(method, path, { key }), 404, "route_not_found")
        }
      }
      assert.strictEqual((yield* adminRequest("GET", "/admin/v1/clients", key)).status, 200)
      assert.strictEqual((yield* adminRequest("GET", "/healthz")).status, 200)
      assertError(yield* adminRequest("GET", "/admin/v1/clients"), 401, "unauthenticated")
      assertError(yield* adminRequest("PUT", "/admin/v1/clients", key), 405, "method_not_allowed")
      assert.deepStrictEqual(issuePaths(yield* adminRequest("POST", "/admin/v1/clients", key)), ["name"])
    }))

  it.effect("oa finds it with OA_ADMIN_URL", () =>
    Effect.gen(function*() {
      const { adminToken, url } = yield* TestServer
      const settings = { OA_URL: url, ADMIN_TOKEN: adminToken }
      const lost = yield* runOa(["client", "list"], { settings })
      assert.include(lost.stderr, "route_not_found")
      const OA_ADMIN_URL = Option.getOrThrow(yield* adminListenerUrl)
      const found = yield* runOa(["client", "list"], { settings: { ...settings, OA_ADMIN_URL } })
      assert.strictEqual(found.exitCode, 0)
      const port = new URL(OA_ADMIN_URL).port
      const here = yield* runOa(["client", "list"], { settings: { ADMIN_TOKEN: adminToken, ADMIN_PORT: port } })
      assert.strictEqual(here.exitCode, 0)
    }))

  it.effect("the dashboard there knows the service's name, and the address for keys and agents", () =>
    Effect.gen(function*() {
      const { url } = yield* TestServer
      const dashboard = `${Option.getOrThrow(yield* adminListenerUrl)}/dashboard`
      const page = yield* Effect.promise(() => fetch(dashboard).then((response) => response.text()))
      assert.include(page, "<meta name=\"application-name\" content=\"Acme &#38; Sons\">")
      assert.include(page, `<meta name="service-url" content="http://localhost:${new URL(url).port}">`)
    }))

  it.effect("the dashboard can use the API from there, and nothing else exists", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      for (
        const path of ["/docs", "/openapi.json", "/metrics", "/readyz", "/connect/callback"]
      ) {
        for (const method of ["GET", "POST"]) {
          assertError(yield* adminRequest(method, path, server.adminToken), 404, "route_not_found")
        }
      }
      assertError(yield* adminRequest("GET", "/v1/providers"), 401, "unauthenticated")
      assertError(yield* adminRequest("POST", "/v1/call"), 401, "unauthenticated")
      assertError(yield* server.request("GET", "/", { headers: { accept: "text/html" } }), 404, "route_not_found")
      assert.strictEqual((yield* server.request("GET", "/healthz")).status, 200)
      assert.strictEqual((yield* server.request("GET", "/docs")).status, 200)
      assertError(yield* server.request("POST", "/v1/call"), 401, "unauthenticated")
    }))

  it.effect("for a browser without Sec-Fetch-Site, its pages are the service's own", () =>
    Effect.gen(function*() {
      const { adminToken, url } = yield* TestServer
      const admin = Option.getOrThrow(yield* adminListenerUrl)
      const { cookie } = yield* withSession(
        yield* apiClient(admin, adminToken).members.create({ payload: { email: "bea@example.com", role: "admin" } })
      )
      const statusFrom = (origin: string) =>
        Effect.promise(async () => {
          const headers = { cookie, origin }
          return (await fetch(`${admin}/admin/v1/clients`, { method: "POST", headers, body: "not JSON" })).status
        })
      for (const own of ["http://localhost:0", `http://localhost:${new URL(url).port}`]) {
        assert.strictEqual(yield* statusFrom(own), 400, own)
      }
      for (const foreign of ["http://localhost:1", "https://localhost:0", "http://evil.example.com", "null"]) {
        assert.strictEqual(yield* statusFrom(foreign), 403, foreign)
      }
    }))

  it.effect.each([
    "http://localhost/admin/v1/clients",
    "/admin/v1/clients;x",
    "/admin/v1/clients#x",
    "/admin/v1/clients/",
    "/admin/v1/clients?x",
    "/ADMIN/v1/clients",
    "//admin/v1/clients",
    "/%61dmin/v1/clients",
    "/admin%2fv1/clients",
    "/./admin/v1/clients",
    "/v1/../admin/v1/clients"
  ])("the main listener does not know %s", (path) =>
    Effect.gen(function*() {
      const { adminToken } = yield* TestServer
      for (const method of ["GET", "POST"]) {
        const answer = yield* sendRaw(requestHead(method, path, { authorization: `Bearer ${adminToken}` }))
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(errorIn(answer).code, "route_not_found")
      }
    }))

  it.effect("a member who lets an agent in signs in and consents there", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const admin = Option.getOrThrow(yield* adminListenerUrl)
      const member = yield* apiClient(admin, server.adminToken).members.create({
        payload: { email: "ada@example.com" }
      })
      const { cookie } = yield* withSession(member)
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
      const at = (path: string, cookie: string) =>
        Effect.promise(() => fetch(`${admin}${path}`, { redirect: "manual", headers: { cookie } }))
      const started = yield* at(`/oauth/authorize?${query}`, cookie)
      const path = started.headers.get("location") ?? ""
      assert.match(path, /^\/oauth\/consent\//)
      const cookies = [cookie, ...started.headers.getSetCookie().map((each) => each.split(";")[0])].join("; ")
      assert.strictEqual((yield* at(path, cookies)).status, 200)
      assertError(yield* adminRequest("POST", "/oauth/token"), 404, "route_not_found")
    }))
})
