import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { ConnectRequest } from "../../src/Domain/Connection.ts"
import { assertError, errorIn, issuePaths, issuesIn } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { manage } from "./Fixture.ts"

const start = (more: object) => manage("POST", "/connect", { provider: "gsc", label: "Acme", ...more })

const baseUrl = "https://accounts.example.com"

const signIn = Effect.fnUntraced(function*(more: Partial<ConnectRequest> = {}) {
  const { admin } = yield* TestServer
  const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "Acme", ...more } })
  const url = new URL(authorize_url)
  const parameters: Record<string, string> = Object.fromEntries(url.searchParams)
  return { url, parameters }
})

const callback = Effect.fnUntraced(function*(parameters: Record<string, string>) {
  const server = yield* TestServer
  return yield* server.request("GET", `/connect/callback?${new URLSearchParams(parameters)}`)
})

const tokens = {
  access_token: "ya29.signed-in-0123456789",
  refresh_token: "1//signed-in-0123456789",
  expires_in: 3599,
  scope: "https://www.googleapis.com/auth/webmasters.readonly openid",
  token_type: "Bearer"
}

const identityProvider = (token: Handler): Handler => (request) => {
  switch (request.url) {
    case "/googleToken":
      return token(request)
    case "/googleUserinfo":
      return { body: { sub: "1", email: "jane@example.com" } }
    default:
      return { body: {} }
  }
}

layer(TestServer.make({ BASE_URL: `${baseUrl}/`, SITESEARCH_CLIENT_ID: "" }), {
  excludeTestServices: true
})("The connect flow", (it) => {
  it.effect("connects an account through a sign-in, for the client that began it", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      upstream.handle(identityProvider(() => ({ body: tokens })))
      const { parameters, url } = yield* signIn({ client_id: client.id, label: "Jane's" })
      assert.strictEqual(`${url.origin}${url.pathname}`, `${upstream.url}/googleAuth`)
      const { code_challenge = "", scope, state = "", ...rest } = parameters
      assert.deepStrictEqual(rest, {
        client_id: "test-client-id",
        response_type: "code",
        redirect_uri: `${baseUrl}/connect/callback`,
        code_challenge_method: "S256",
        access_type: "offline",
        prompt: "consent"
      })
      assert.sameMembers(scope?.split(" ") ?? [], [
        "https://www.googleapis.com/auth/webmasters.readonly",
        "openid",
        "email"
      ])

      // Google adds `scope`, `authuser` and `iss`.
      const back = { state, code: "4/0code", scope: tokens.scope, authuser: "0", iss: "https://accounts.google.com" }
      const answer = yield* callback(back)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
      assert.match(answer.callId, /^call_/)
      assert.notMatch(answer.text, /ya29|1\/\/|4\/0/)
      const exchange = Object.fromEntries(new URLSearchParams(upstream.requests[0]?.body))
      const { code_verifier = "", ...sent } = exchange
      assert.deepStrictEqual(sent, {
        grant_type: "authorization_code",
        code: "4/0code",
        redirect_uri: `${baseUrl}/connect/callback`,
        client_id: "test-client-id",
        client_secret: "GOCSPX-test-client-secret"
      })
      assert.match(code_verifier, /^[\w.~-]{43,128}$/)
      assert.strictEqual(createHash("sha256").update(code_verifier).digest("base64url"), code_challenge)

      const { connections } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
      const { created_at: _, id, ...connection } = connections[0] ?? assert.fail()
      assert.include(answer.text, id)
      assert.deepStrictEqual(connection, {
        provider: "gsc",
        auth_type: "oauth",
        label: "Jane's",
        client_id: client.id,
        external_account: "jane@example.com",
        scopes: tokens.scope.split(" "),
        status: "active",
        last_error: null,
        health: { state: "ok", reasons: [] },
        resources: null,
        parent_id: null,
        last_used_at: null
      })
      yield* admin.managedConnections.test({ params: { id } })
      assert.strictEqual(upstream.requests.at(-1)?.headers.authorization, `Bearer ${tokens.access_token}`)

      const asked = upstream.requests.length
      assert.deepStrictEqual(issuePaths(yield* callback(back)), ["state"])
      assert.strictEqual(upstream.requests.length, asked)
    }))

  it.effect("ends a sign-in that the person refuses or that comes back without a code", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(identityProvider(() => ({ body: tokens })))
      const refusals: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [{ error: "access_denied" }, "error"],
        [{ error: "<script>", code: "4/0code" }, "error"],
        [{}, "code"]
      ]
      for (const [parameters, path] of refusals) {
        const { state = "" } = (yield* signIn()).parameters
        assert.deepStrictEqual(issuePaths(yield* callback({ state, ...parameters })), [path])
        assert.deepStrictEqual(issuePaths(yield* callback({ state, code: "4/0code" })), ["state"])
      }
      for (const parameters of [{}, { code: "4/0code" }, { state: "", code: "x" }, { state: "\0" }, { error: "x" }]) {
        assert.deepStrictEqual(issuePaths(yield* callback(parameters)), ["state"])
      }
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect("makes no connection when the provider does not complete a sign-in", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      const { refresh_token: _, ...withoutRefreshToken } = tokens
      const outcomes: ReadonlyArray<readonly [ReturnType<Handler>, number, string]> = [
        [{ body: withoutRefreshToken }, 502, "credentials_rejected"],
        [{ body: { id_token: "x" } }, 502, "credentials_rejected"],
        [{ status: 400, body: { error: "invalid_grant" } }, 400, "upstream_error"],
        [{ status: 401, body: { error: "invalid_client" } }, 502, "credentials_rejected"],
        [(response) => response.destroy(), 502, "upstream_unreachable"]
      ]
      for (const [reply, status, code] of outcomes) {
        const { state = "" } = (yield* signIn({ client_id: client.id })).parameters
        upstream.handle(identityProvider(() => reply))
        const answer = yield* callback({ state, code: "4/0canary-code" })
        assert.deepStrictEqual([answer.status, errorIn(answer).code], [status, code])
        assert.notMatch(answer.text, /canary|ya29|GOCSPX/)
        assert.strictEqual(upstream.requests.length, 1)
      }
      const { connections } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
      assert.deepStrictEqual(connections, [])
    }))

  it.effect("rejects a sign-in with an unknown provider or client, an invalid label or scope, or without an OAuth application", () =>
    Effect.gen(function*() {
      assertError(yield* start({ provider: "x" }), 404, "provider_not_found")
      assertError(yield* start({ client_id: "cli_x" }), 404, "client_not_found")
      assert.deepStrictEqual(issuePaths(yield* start({ label: "", scopes: [] })), ["label", "scopes"])
      assert.deepStrictEqual(issuePaths(yield* start({ scopes: ["a b"] })), ["scopes.0"])
      const unregistered = yield* start({ provider: "sitesearch" })
      assert.deepStrictEqual(issuePaths(unregistered), ["provider"])
      assert.include(issuesIn(unregistered)[0]?.message, "SITESEARCH_CLIENT_ID")
      const { scope } = (yield* signIn({ scopes: ["https://www.googleapis.com/auth/webmasters"] })).parameters
      assert.include(scope?.split(" ") ?? [], "https://www.googleapis.com/auth/webmasters")
    }))
})
