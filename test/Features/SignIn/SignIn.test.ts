import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash, hash } from "node:crypto"
import type { ConnectRequest } from "../../../src/Domain/Connection.ts"
import { baseUrl, connectionsOf, Hosted, manage } from "../../Http/Fixture.ts"
import { assertError, errorIn, issuePaths } from "../../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const start = (body: object) => manage("POST", "/connect", body)

const signIn = Effect.fnUntraced(function*(more: Partial<ConnectRequest> = {}) {
  const { admin } = yield* TestServer
  const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "Acme", ...more } })
  const url = new URL(authorize_url)
  const parameters: Record<string, string> = Object.fromEntries(url.searchParams)
  return { url, parameters, state: parameters["state"] ?? "" }
})

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

const callback = Effect.fnUntraced(function*(parameters: Record<string, string>, headers = {}, method = "GET") {
  const server = yield* TestServer
  return yield* server.request(method, `/connect/callback?${new URLSearchParams(parameters)}`, { headers })
})

const code = "4/0canary-code"

const tokens = {
  access_token: "ya29.signed-in-0123456789",
  refresh_token: "1//signed-in-0123456789",
  expires_in: 3599,
  scope: "https://www.googleapis.com/auth/webmasters.readonly openid",
  token_type: "Bearer"
}

/** Gives tokens for an account, or another reply to the code. */
const identityProvider = (token: ReturnType<Handler> = { body: tokens }) =>
  Effect.map(LoopbackUpstream, (upstream) => {
    upstream.handle(({ url }) =>
      url === "/googleToken" ? token : { body: url === "/googleUserinfo" ? { email: "jane<b>@example.com" } : {} }
    )
    return upstream
  })

layer(Hosted, { excludeTestServices: true })("The connect flow", (it) => {
  it.effect("connects an account through a sign-in, for the client that began it", () =>
    Effect.gen(function*() {
      const upstream = yield* identityProvider()
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme & Sons <Ltd>" } })
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
      const back = { state, code, scope: tokens.scope, authuser: "0", iss: "https://accounts.google.com" }
      const page = yield* callback(back)
      assert.strictEqual(page.status, 200, page.text)
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      assert.match(page.callId, /^call_/)
      assert.notMatch(page.text, /ya29|1\/\/|4\/0/)
      const { code_verifier = "", ...sent } = Object.fromEntries(new URLSearchParams(upstream.requests[0]?.body))
      assert.deepStrictEqual(sent, {
        grant_type: "authorization_code",
        code,
        redirect_uri: `${baseUrl}/connect/callback`,
        client_id: "test-client-id",
        client_secret: "GOCSPX-test-client-secret"
      })
      assert.match(code_verifier, /^[\w.~-]{43,128}$/)
      assert.strictEqual(createHash("sha256").update(code_verifier).digest("base64url"), code_challenge)

      const { created_at: _, id, ...connection } = (yield* connectionsOf(client.id))[0] ?? assert.fail()
      assert.deepStrictEqual(connection, {
        provider: "gsc",
        auth_type: "oauth",
        label: "Jane's",
        client_id: client.id,
        external_account: "jane<b>@example.com",
        scopes: tokens.scope.split(" "),
        status: "active",
        last_error: null,
        health: { state: "ok", reasons: [] },
        resources: null,
        parent_id: null,
        last_used_at: null
      })
      const texts = [
        "Search Console is connected",
        "jane&#60;b&#62;@example.com",
        "Acme &#38; Sons &#60;Ltd&#62;",
        "Jane&#39;s",
        id
      ]
      for (const text of texts) assert.include(page.text, text)
      yield* admin.managedConnections.test({ params: { id } })
      assert.strictEqual(upstream.requests.at(-1)?.headers.authorization, `Bearer ${tokens.access_token}`)
      const { entries } = yield* admin.audit.list({ query: { subject: id, action: "connection.created" } })
      assert.deepInclude(entries[0], { actor: { type: "token", member_id: null }, address: "127.0.0.1" })

      const asked = upstream.requests.length
      assert.deepStrictEqual(issuePaths(yield* callback(back)), ["state"])
      assert.strictEqual(upstream.requests.length, asked)
    }))

  it.effect("ends a sign-in that the person refuses or that comes back without a code", () =>
    Effect.gen(function*() {
      const upstream = yield* identityProvider()
      const refusals: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [{ error: "access_denied" }, "error"],
        [{ error: "<script>", code }, "error"],
        [{}, "code"]
      ]
      for (const [parameters, path] of refusals) {
        const { state } = yield* signIn()
        assert.deepStrictEqual(issuePaths(yield* callback({ state, ...parameters })), [path])
        assert.deepStrictEqual(issuePaths(yield* callback({ state, code })), ["state"])
      }
      for (const parameters of [{}, { code }, { state: "", code }, { state: "\0" }, { error: "x" }]) {
        assert.deepStrictEqual(issuePaths(yield* callback(parameters)), ["state"])
      }
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect("makes no connection when the provider does not complete a sign-in", () =>
    Effect.gen(function*() {
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
      for (const [reply, status, expected] of outcomes) {
        const { state } = yield* signIn({ client_id: client.id })
        const upstream = yield* identityProvider(reply)
        const answer = yield* callback({ state, code })
        assert.deepStrictEqual([answer.status, errorIn(answer).code], [status, expected])
        assert.notMatch(answer.text, /canary|ya29|GOCSPX/)
        assert.strictEqual(upstream.requests.length, 1)
      }
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
    }))

  const pages: ReadonlyArray<readonly [title: string, Record<string, string>, ...says: ReadonlyArray<string>]> = [
    [
      "was cancelled",
      { error: "access_denied" },
      "invalid_input",
      "You did not grant access",
      "nothing was changed",
      "Begin again where you began, or ask the person who sent you a link for a new one"
    ],
    [
      "was ended by the provider",
      { error: "<script>alert(1)</script>" },
      "invalid_input",
      "The provider ended the sign-in",
      "&#60;script&#62;"
    ],
    ["has ended", { state: "unknown", code }, "invalid_input", "This sign-in has ended", "nothing is left to do"],
    [
      "failed at the provider",
      { code },
      "upstream_unreachable",
      "The account was not connected",
      "give them the details for support"
    ]
  ]
  it.effect.each(pages)(
    "that %s shows a browser a page that says what to do next, runs no script and is not cached",
    ([, parameters, ...says]) =>
      Effect.gen(function*() {
        yield* identityProvider((response) => response.destroy())
        const { callId, headers, text, ...page } = yield* callback(
          { state: (yield* signIn()).state, ...parameters },
          browser
        )
        assert.strictEqual(page.status, says[0] === "invalid_input" ? 400 : 502, text)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        for (const part of [...says, callId]) assert.include(text, part)
        assert.notInclude(text, "<script")
        const [, style = ""] = /<style>([^]*)<\/style>/.exec(text) ?? []
        assert.strictEqual(
          headers.get("content-security-policy"),
          `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; font-src 'self'; ` +
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        assert.strictEqual(headers.get("cache-control"), "no-store")
      })
  )

  it.effect("refuses what is unknown, an invalid label or scope, and another provider or client of a connection", () =>
    Effect.gen(function*() {
      const acme = { provider: "gsc", label: "Acme" }
      assertError(yield* start({ ...acme, provider: "x" }), 404, "provider_not_found")
      assertError(yield* start({ ...acme, client_id: "cli_x" }), 404, "client_not_found")
      assertError(yield* start({ connection_id: "con_unknown" }), 404, "connection_not_found")
      const { connection: { id: connection_id } } = yield* seed()
      const invalid = [
        [{ ...acme, label: "", scopes: [] }, ["label", "scopes"]],
        [{ ...acme, scopes: ["a b"] }, ["scopes.0"]],
        [{ provider: "gsc" }, ["label"]],
        [{}, ["provider", "label"]],
        [{ connection_id, provider: "ga4" }, ["provider"]],
        [{ connection_id, client_id: null }, ["client_id"]]
      ] as const
      for (const [body, paths] of invalid) assert.deepStrictEqual(issuePaths(yield* start(body)), paths)
      const { parameters } = yield* signIn({ scopes: ["https://www.googleapis.com/auth/webmasters"] })
      assert.include(parameters["scope"]?.split(" ") ?? [], "https://www.googleapis.com/auth/webmasters")
    }))
})
