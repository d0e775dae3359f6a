import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { closingListener } from "../../support/ClosingListener.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import {
  authorizationRequest,
  authorize,
  browserOf,
  consent,
  form,
  oauthError,
  redeem,
  redirectUri,
  register,
  registered,
  tokensIn
} from "./Fixture.ts"

const baseUrl = "http://accounts.example.com"

const refusedAtRedirect = (location: string | null) => {
  const { origin, pathname, searchParams } = new URL(location ?? "", baseUrl)
  return [`${origin}${pathname}`, searchParams.get("error")]
}

const World = TestServer.make({ BASE_URL: baseUrl, TRUSTED_PROXIES: "127.0.0.1" })

layer(World, { excludeTestServices: true })("The authorization server", (it) => {
  it.effect("describes itself and the resource", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const server = yield* request("GET", "/.well-known/oauth-authorization-server")
      assert.deepInclude(Object(server.json), {
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        registration_endpoint: `${baseUrl}/oauth/register`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true
      })
      for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
        const { headers, json } = yield* request("GET", path)
        assert.deepInclude(Object(json), { resource: `${baseUrl}/mcp`, authorization_servers: [baseUrl] })
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      }
      for (const path of ["/.well-known/openid-configuration", "/jwks", "/me", "/oauth/register/x"]) {
        assert.strictEqual((yield* request("GET", path)).status, 404, path)
      }
    }))

  it.effect("lets agents in browsers of any origin use its endpoints", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"]) {
        const headers = { origin: "https://agent.example", "access-control-request-method": "POST" }
        const preflight = yield* request("OPTIONS", path, { headers })
        assert.strictEqual(preflight.status, 204)
        assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
        const answer = yield* request("POST", path, { headers })
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
        assert.isNull(answer.headers.get("access-control-allow-credentials"))
        assert.strictEqual((yield* request("GET", path)).status, 405)
      }
    }))

  it.effect("asks for a sign-in first, and returns to the request afterwards", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { parameters } = authorizationRequest(yield* registered(), { next: "https://evil.example" })
      const query = new URLSearchParams(parameters).toString()
      for (const cookie of ["", "openaccounts_session=oas_unknown"]) {
        const { headers, status, text } = yield* request("GET", `/oauth/authorize?${query}`, { headers: { cookie } })
        assert.strictEqual(status, 401)
        assert.isNull(headers.get("location"))
        assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'")
        const [, href = ""] = /href="([^"]*)"/.exec(text) ?? []
        const { origin, pathname, searchParams } = new URL(href.replaceAll("&amp;", "&"))
        assert.strictEqual(`${origin}${pathname}`, `${baseUrl}/dashboard`)
        assert.strictEqual(searchParams.get("next"), `/oauth/authorize?${query}`)
      }
    }))

  it.effect("completes what agents leave out, and refuses what it does not support", () =>
    Effect.gen(function*() {
      const member = yield* signedIn()
      const clientId = yield* registered()
      // Before the member consents, errors are a page.
      yield* consent(member, authorizationRequest(clientId))
      const asks = Effect.fnUntraced(function*(more: Readonly<Record<string, string | undefined>>, extra = "") {
        const { parameters } = authorizationRequest(clientId)
        const given = Object.entries({ ...parameters, ...more }).flatMap(([name, value]): Array<[string, string]> =>
          value === undefined ? [] : [[name, value]]
        )
        const query = `${new URLSearchParams(given)}${extra}`
        const { headers } = yield* browserOf(member).request("GET", `/oauth/authorize?${query}`)
        return headers.get("location")
      })
      const completed = [
        { resource: undefined },
        { resource: `${baseUrl}/mcp` },
        { resource: `${baseUrl.toUpperCase()}/mcp` },
        { scope: undefined },
        { scope: "openid offline_access profile" },
        { nonce: "n-0S6_WzA2Mj" },
        { redirect_uri: "http://127.0.0.1:1/callback" }
      ]
      for (const accepted of completed) {
        assert.match((yield* asks(accepted)) ?? "", /^\/oauth\/consent\//, JSON.stringify(accepted))
      }
      const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>, string?]> = [
        ["invalid_target", { resource: "https://other.example/mcp" }],
        ["invalid_target", { resource: baseUrl }],
        ["invalid_target", { resource: `${baseUrl}/MCP` }],
        ["invalid_request", { code_challenge_method: "plain" }],
        ["invalid_request", { code_challenge_method: undefined }],
        ["invalid_request", { code_challenge: undefined, code_challenge_method: undefined }],
        ["invalid_request", {}, "&state=2"],
        ["invalid_request", {}, "&scope=read"],
        ["invalid_request", {}, "&code_challenge=x"],
        ["unsupported_response_type", { response_type: "none" }],
        ["unsupported_response_mode", { response_mode: "form_post" }],
        ["unsupported_response_mode", { response_mode: "fragment" }]
      ]
      for (const [error, parameters, extra] of refused) {
        const found = refusedAtRedirect(yield* asks(parameters, extra))
        assert.deepStrictEqual(found, [redirectUri, error], JSON.stringify(parameters) + extra)
      }
    }))

  it.effect("redirects nowhere without a click for an agent that registered itself", () =>
    Effect.gen(function*() {
      const browser = browserOf(yield* signedIn())
      const target = "https://evil.example/login"
      const clientId = yield* registered({ redirect_uris: [target] })
      const mistakes: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
        ["login_required|consent_required|interaction_required", { prompt: "none" }],
        ["invalid_request", { code_challenge_method: "plain" }],
        ["unsupported_response_type", { response_type: "none" }],
        ["unsupported_response_type", { response_type: "token" }],
        ["unsupported_response_mode", { response_mode: "fragment" }],
        ["invalid_target", { resource: "https://other.example/mcp" }]
      ]
      for (const [error, mistake] of mistakes) {
        const { parameters } = authorizationRequest(clientId, { redirect_uri: target, ...mistake })
        const page = yield* authorize(browser, parameters)
        assert.strictEqual(page.status, 400, JSON.stringify(mistake))
        assert.isNull(page.headers.get("location"))
        assert.include(page.text, "Return to evil.example")
        assert.match(page.text, /href="https:\/\/evil\.example\/login[?#]error=/)
        assert.match(page.text, new RegExp(`<code>(${error})<`), JSON.stringify(mistake))
      }
    }))

  it.effect.each(
    [
      { scope: "", access: "read_write", when: "names no scope" },
      { scope: "write", access: "read_only", when: "asks for writing alone, where the member allows only reading" }
    ] as const
  )("gives reading to an agent that $when", ({ access, scope }) =>
    Effect.gen(function*() {
      const clientId = yield* registered()
      const request = authorizationRequest(clientId, { scope })
      const callback = yield* consent(yield* signedIn(), request, { access })
      assert.strictEqual(tokensIn(yield* redeem(clientId, request, callback)).scope, "read")
    }))

  it.effect("does not redirect to an address that the agent has not registered", () =>
    Effect.gen(function*() {
      const member = yield* signedIn()
      const clientId = yield* registered({
        redirect_uris: [redirectUri, "https://agent.example/callback", "cursor://oauth"]
      })
      const others = [
        "http://127.0.0.1:41041/other",
        "http://127.0.0.1:41041/callback?x=1",
        "http://127.0.0.1.evil.example:41041/callback",
        "http://localhost:41041/callback",
        "http://127.0.0.1:41041@evil.example/callback",
        "http://user@127.0.0.1:41041/callback",
        "http://2130706433:41041/callback",
        "https://127.0.0.1:41041/callback",
        "https://agent.example:444/callback",
        "cursor://oauth/other",
        "javascript:alert(1)"
      ]
      for (const uri of others) {
        const { parameters } = authorizationRequest(clientId, { redirect_uri: uri })
        const answer = yield* authorize(browserOf(member), parameters)
        assert.strictEqual(answer.status, 400, uri)
        assert.isNull(answer.headers.get("location"), uri)
        assert.include(answer.text, "invalid_redirect_uri")
      }
      const missing = yield* browserOf(member).request(
        "GET",
        `/oauth/authorize?${new URLSearchParams({ client_id: clientId, response_type: "code" })}`
      )
      assert.strictEqual(missing.status, 400)
      assert.isNull(missing.headers.get("location"))
    }))

  it.effect("registers public agents only, with bounds", () =>
    Effect.gen(function*() {
      const { json, status } = yield* register({
        token_endpoint_auth_method: "client_secret_basic",
        grant_types: ["authorization_code"],
        scope: "admin",
        application_type: "web",
        jwks_uri: "https://agent.example/keys",
        redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/callback"]
      })
      assert.strictEqual(status, 201)
      const answer: Record<string, unknown> = Object(json)
      assert.deepInclude(answer, {
        client_name: "Test agent",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"]
      })
      for (const dropped of ["client_secret", "scope", "jwks_uri", "registration_access_token"]) {
        assert.notProperty(answer, dropped)
      }
      const refused: ReadonlyArray<object> = [
        { redirect_uris: ["javascript:alert(1)"] },
        { redirect_uris: ["ftp://agent.example/callback"] },
        { redirect_uris: ["WSS://agent.example/callback"] },
        { redirect_uris: Array.from({ length: 20 }, (_, index) => `http://127.0.0.1/${"x".repeat(200)}${index}`) },
        { redirect_uris: ["http://agent.example/callback"] },
        { redirect_uris: ["http://user:password@127.0.0.1/callback"] },
        { redirect_uris: ["https://agent.example/callback#fragment"] },
        { redirect_uris: [] },
        { redirect_uris: Array.from({ length: 21 }, (_, index) => `http://127.0.0.1/${index}`) },
        { redirect_uris: [`http://127.0.0.1/${"x".repeat(1000)}`] },
        { client_name: "x".repeat(101) },
        { client_name: "Claude\u202e" },
        { client_name: "Claude\ud800" },
        { client_uri: "https://agent.example/\0" },
        { redirect_uris: ["https://agent.example/\0"] },
        { redirect_uris: ["agent:\ud800"] }
      ]
      for (const metadata of refused) {
        const answer = yield* register(metadata)
        assert.strictEqual(answer.status, 400, JSON.stringify(metadata).slice(0, 100))
        assert.include(["invalid_redirect_uri", "invalid_client_metadata"], oauthError(answer))
        assert.isBelow(answer.text.length, 1000)
      }
      const { status: large } = yield* register({ client_name: "x".repeat(17_000) })
      assert.strictEqual(large, 413)
    }))

  it.effect("does not know an agent that has not registered, and opens no connection to a private address for its document", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* closingListener
      const browser = browserOf(yield* signedIn())
      const hosts = ["127.0.0.1", "2130706433", "localhost", "agent.localhost", "[::ffff:7f00:1]"]
      for (
        const client_id of ["agent_unknown", "agent\0", ...hosts.map((host) => `https://${host}:${port}/client.json`)]
      ) {
        for (const [name, grant_type] of [["refresh_token", "refresh_token"], ["code", "authorization_code"]]) {
          const answer = yield* form("/oauth/token", { client_id, grant_type: `${grant_type}`, [`${name}`]: "x" })
          assert.deepStrictEqual([answer.status, oauthError(answer)], [401, "invalid_client"], client_id)
        }
        const page = yield* authorize(browser, authorizationRequest(client_id).parameters)
        assert.deepStrictEqual([page.status, page.headers.get("location")], [400, null], client_id)
        assert.include(page.text, "invalid_client", client_id)
      }
      assert.strictEqual(connections(), 0)
    }))

  it.effect("limits the registrations and the token requests of one address", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const limits: ReadonlyArray<readonly [string, number, string]> = [
        ["/oauth/register", 60, "192.0.2.1"],
        ["/oauth/token", 300, "192.0.2.2"]
      ]
      for (const [path, limit, address] of limits) {
        const answers = yield* Effect.forEach(
          Array.from({ length: limit + 1 }),
          () => request("POST", path, { headers: { "x-forwarded-for": address } }),
          { concurrency: 20 }
        )
        const limited = answers.filter(({ status }) => status === 429)
        assert.isAtLeast(limited.length, 1)
        const seconds = Number(limited[0]?.headers.get("retry-after"))
        assert.isAbove(seconds, 0)
        assert.strictEqual(oauthError(limited[0]), "temporarily_unavailable")
        assert.deepInclude(limited[0]?.json, { details: { limited_by: "sign_in", retry_after_seconds: seconds } })
        const other = yield* request("POST", path, { headers: { "x-forwarded-for": "192.0.2.3" } })
        assert.notStrictEqual(other.status, 429)
      }
    }))
})
