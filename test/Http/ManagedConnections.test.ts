import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { ask, assertError, issuePaths, sitesList } from "./World.ts"

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const newConnection = { provider: "gsc", auth_type: "oauth", credentials: freshGrant("new"), label: "Acme" }

const create = (more: object) => ask("POST", "/connections", { ...newConnection, ...more })

const test = (id: string) => ask("POST", `/connections/${id}/test`)

const start = (more: object) => ask("POST", "/connect", { provider: "gsc", label: "Acme", ...more })

const baseUrl = "https://accounts.example.com"

/** Where a sign-in sends the person, and what it says there. */
const signIn = Effect.fnUntraced(function*(more: object = {}) {
  const { json, status, text } = yield* start(more)
  assert.strictEqual(status, 200, text)
  assert.deepStrictEqual(Object.keys(json), ["authorize_url"])
  const url = new URL(json.authorize_url)
  return { url, said: Object.fromEntries(url.searchParams) }
})

/** The person comes back from the provider. */
const comeBack = Effect.fnUntraced(function*(parameters: Record<string, string>) {
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
})("The operator's connections", (it) => {
  it.effect("connections are created, and listed by provider, client and status, without their credentials", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { json: client } = yield* ask("POST", "/clients", { name: "Acme" })
      const scopes = ["https://www.googleapis.com/auth/webmasters.readonly"]
      const created = yield* ask("POST", "/connections", {
        ...newConnection,
        client_id: client.id,
        external_account: "jane@example.com",
        scopes
      })
      assert.strictEqual(created.status, 201)
      const { created_at, id, ...rest } = created.json
      assert.match(id, /^con_/)
      assert.match(created_at, timestamp)
      assert.deepStrictEqual(rest, {
        provider: "gsc",
        auth_type: "oauth",
        label: "Acme",
        client_id: client.id,
        external_account: "jane@example.com",
        scopes,
        status: "active",
        last_used_at: null
      })
      const { json: revoked } = yield* ask("POST", "/connections", { ...newConnection, client_id: client.id })
      yield* ask("DELETE", `/connections/${revoked.id}`)
      const list = Effect.fnUntraced(function*(query: string) {
        const { json, text } = yield* ask("GET", `/connections?client_id=${client.id}&${query}`)
        assert.notMatch(text, /ya29|1\/\/|credentials/)
        return json.connections.map((connection: { readonly id: string }) => connection.id)
      })
      assert.deepStrictEqual(yield* list(""), [revoked.id, id])
      assert.deepStrictEqual(yield* list("status=active"), [id])
      assert.deepStrictEqual(yield* list("status=revoked&provider=gsc"), [revoked.id])
      assert.deepStrictEqual(yield* list("provider=ga4"), [])
      assert.deepStrictEqual(yield* list("provider=%00"), [])
      assert.deepStrictEqual((yield* ask("GET", "/connections?client_id=x")).json.connections, [])
      assert.deepStrictEqual(issuePaths(yield* ask("GET", "/connections?status=gone")), ["status"])
    }))

  it.effect("connections need a provider, client and credentials that fit", () =>
    Effect.gen(function*() {
      assertError(yield* create({ provider: "x" }), 404, "provider_not_found")
      assertError(yield* create({ client_id: "cli_x" }), 404, "client_not_found")
      const refused: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{ auth_type: "basic" }, ["auth_type"]],
        [{ auth_type: "api_key", credentials: { api_key: "x" } }, ["auth_type"]],
        [{ provider: "sitesearch", auth_type: "service_account", credentials: keyFile }, ["auth_type"]],
        [{ label: " " }, ["label"]],
        [{ scopes: ["a b", ""] }, ["scopes.0", "scopes.1"]],
        [{ credentials: "x" }, ["credentials"]],
        [{ credentials: {} }, ["credentials.refresh_token"]],
        [{ credentials: { refresh_token: "" } }, ["credentials.refresh_token"]],
        [{ credentials: { ...freshGrant("x"), expires_at: "soon", token: "x" } }, [
          "credentials.token",
          "credentials.expires_at"
        ]],
        [{ auth_type: "service_account", credentials: { type: "authorized_user" } }, [
          "credentials.type",
          "credentials.client_email",
          "credentials.private_key"
        ]],
        [{ provider: "sitesearch", auth_type: "api_key", credentials: { api_key: "" } }, ["credentials.api_key"]]
      ]
      for (const [more, paths] of refused) {
        const answer = yield* create(more)
        assert.deepStrictEqual(new Set(issuePaths(answer)), new Set(paths), JSON.stringify(more))
      }
      const secret = yield* create({ credentials: { refresh_token: ["1//canary-0123456789"] } })
      assert.notInclude(secret.text, "canary")
    }))

  it.effect("a service account and an API key are used as they are", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, readOnly } = yield* seed()
      const robot = yield* connect({ auth_type: "service_account", credentials: keyFile })
      assert.deepStrictEqual([robot.auth_type, robot.external_account], ["service_account", keyFile.client_email])
      upstream.handle(({ url }) =>
        url === "/googleToken" ? { body: { access_token: "ya29.robot-0123456789", expires_in: 3599 } } : { body: {} }
      )
      assert.strictEqual((yield* server.call(readOnly, { ...sitesList, connection_id: robot.id })).status, 200)
      assert.deepStrictEqual(upstream.requests.map(({ headers }) => headers.authorization), [
        undefined,
        "Bearer ya29.robot-0123456789"
      ])

      const withKey = yield* connect({
        provider: "sitesearch",
        auth_type: "api_key",
        credentials: { api_key: "0123456789abcdef" }
      })
      upstream.handle(() => ({ body: { d: [] } }))
      const { json } = yield* server.call(readOnly, { provider: "sitesearch", endpoint: "GetUserSites" })
      assert.strictEqual(json.connection_id, withKey.id)
      assert.include(upstream.requests[0]?.url, "apikey=0123456789abcdef")
    }))

  it.effect("a connection is tested with the provider's cheapest read, and says what a call would", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connect, connection } = yield* seed()
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { json, status } = yield* test(connection.id)
      assert.deepStrictEqual([status, { ...json, latency_ms: 0 }], [200, { ok: true, latency_ms: 0 }])
      assert.match(String(json.latency_ms), /^\d+(?:\.\d{1,3})?$/)
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/gsc/webmasters/v3/sites"])

      const body = { error: { code: 429, message: "Slow down" } }
      upstream.handle(() => ({ status: 429, body, headers: { "retry-after": "60" } }))
      const throttled = yield* test(connection.id)
      assertError(throttled, 429, "upstream_error", body)
      assert.strictEqual(throttled.headers.get("retry-after"), "60")
      upstream.handle(() => (response) => response.destroy())
      assertError(yield* test(connection.id), 502, "upstream_unreachable")

      const dead = yield* connect({ credentials: expiredGrant("dead") })
      upstream.handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      assertError(yield* test(dead.id), 401, "credentials_expired")
      assertError(yield* test(dead.id), 409, "connection_inactive")

      const sheets = yield* connect({ provider: "gsheets" })
      upstream.handle(() => ({ body: { access_token: "ya29.fresh-0123456789", expires_in: 3599 } }))
      assert.strictEqual((yield* test(sheets.id)).status, 200)
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/googleToken"])
      for (const id of ["x", "%00", "con_00000000000000000000000000"]) {
        assertError(yield* test(id), 404, "connection_not_found")
      }
    }))

  it.effect("an expired connection is active again with new credentials, under the same id", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection, readOnly } = yield* seed({ credentials: expiredGrant("lost") })
      upstream.handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      assertError(yield* server.call(readOnly, sitesList), 401, "credentials_expired")
      const put = (body: unknown) => ask("PUT", `/connections/${connection.id}/credentials`, body)
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {} })), ["credentials.refresh_token"])
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {}, auth_type: "api_key" })), ["auth_type"])
      const reconnected = yield* put({ credentials: freshGrant("found") })
      assert.strictEqual(reconnected.status, 200)
      assert.deepStrictEqual({ ...reconnected.json, last_used_at: null }, connection)
      upstream.handle(() => ({ body: {} }))
      assert.strictEqual((yield* server.call(readOnly, sitesList)).json.connection_id, connection.id)
      assert.strictEqual(upstream.requests[0]?.headers.authorization, "Bearer ya29.access-found-0123456789")

      const robot = yield* put({ credentials: keyFile, auth_type: "service_account" })
      assert.deepStrictEqual([robot.status, robot.json.auth_type], [200, "service_account"])
      const path = "/connections/con_x/credentials"
      assertError(yield* ask("PUT", path, { credentials: freshGrant("x") }), 404, "connection_not_found")
    }))

  it.effect("revoking a connection tells the provider, as far as it listens", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      for (
        const reply of [{ body: {} }, { status: 503, body: {} }, { status: 400, body: { error: "invalid_token" } }]
      ) {
        const { connection, name, readOnly } = yield* seed()
        upstream.handle(() => reply)
        const revoked = yield* ask("DELETE", `/connections/${connection.id}`)
        assert.strictEqual(revoked.status, 200)
        assert.deepStrictEqual(revoked.json, { ...connection, status: "revoked" })
        assert.deepStrictEqual(upstream.requests.map(({ body, method, url }) => ({ body, method, url })), [{
          method: "POST",
          url: "/googleRevoke",
          body: new URLSearchParams({ token: freshGrant(name).refresh_token }).toString()
        }])
        assertError(yield* server.call(readOnly, sitesList), 404, "connection_not_found")
        const again = yield* ask("DELETE", `/connections/${connection.id}`)
        assert.deepStrictEqual([again.status, again.json.status], [200, "revoked"])
        assert.strictEqual(upstream.requests.length, 1)
        yield* ask("PUT", `/connections/${connection.id}/credentials`, { credentials: freshGrant(name) })
        upstream.handle(() => ({ body: {} }))
        assert.strictEqual((yield* server.call(readOnly, sitesList)).status, 200)
      }
      assertError(yield* ask("DELETE", "/connections/con_x"), 404, "connection_not_found")
    }))

  it.effect("a sign-in makes a connection of the client that it was begun for", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { json: client } = yield* ask("POST", "/clients", { name: "Acme" })
      upstream.handle(identityProvider(() => ({ body: tokens })))
      const { said, url } = yield* signIn({ client_id: client.id, label: "Jane's" })
      assert.strictEqual(`${url.origin}${url.pathname}`, `${upstream.url}/googleAuth`)
      const { code_challenge = "", scope, state = "", ...rest } = said
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

      // Google adds the last three.
      const back = { state, code: "4/0code", scope: tokens.scope, authuser: "0", iss: "https://accounts.google.com" }
      const answer = yield* comeBack(back)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
      assert.match(answer.headers.get("x-call-id") ?? "", /^call_/)
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

      const { json } = yield* ask("GET", `/connections?client_id=${client.id}`)
      const { created_at: _, id, ...connection } = json.connections[0]
      assert.include(answer.text, id)
      assert.deepStrictEqual(connection, {
        provider: "gsc",
        auth_type: "oauth",
        label: "Jane's",
        client_id: client.id,
        external_account: "jane@example.com",
        scopes: tokens.scope.split(" "),
        status: "active",
        last_used_at: null
      })
      yield* test(id)
      assert.strictEqual(upstream.requests.at(-1)?.headers.authorization, `Bearer ${tokens.access_token}`)

      const asked = upstream.requests.length
      assert.deepStrictEqual(issuePaths(yield* comeBack(back)), ["state"])
      assert.strictEqual(upstream.requests.length, asked)
    }))

  it.effect("a sign-in that was refused, or came back without a code, is over", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(identityProvider(() => ({ body: tokens })))
      const refusals: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [{ error: "access_denied" }, "error"],
        [{ error: "<script>", code: "4/0code" }, "error"],
        [{}, "code"]
      ]
      for (const [parameters, path] of refusals) {
        const { state = "" } = (yield* signIn()).said
        assert.deepStrictEqual(issuePaths(yield* comeBack({ state, ...parameters })), [path])
        assert.deepStrictEqual(issuePaths(yield* comeBack({ state, code: "4/0code" })), ["state"])
      }
      for (const parameters of [{}, { code: "4/0code" }, { state: "", code: "x" }, { state: "\0" }, { error: "x" }]) {
        assert.deepStrictEqual(issuePaths(yield* comeBack(parameters)), ["state"])
      }
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect("a sign-in that the provider does not complete makes no connection", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { json: client } = yield* ask("POST", "/clients", { name: "Acme" })
      const { refresh_token: _, ...withoutRefreshToken } = tokens
      const outcomes: ReadonlyArray<readonly [ReturnType<Handler>, number, string]> = [
        [{ body: withoutRefreshToken }, 502, "credentials_rejected"],
        [{ body: { id_token: "x" } }, 502, "credentials_rejected"],
        [{ status: 400, body: { error: "invalid_grant" } }, 400, "upstream_error"],
        [{ status: 401, body: { error: "invalid_client" } }, 502, "credentials_rejected"],
        [(response) => response.destroy(), 502, "upstream_unreachable"]
      ]
      for (const [reply, status, code] of outcomes) {
        const { state = "" } = (yield* signIn({ client_id: client.id })).said
        upstream.handle(identityProvider(() => reply))
        const answer = yield* comeBack({ state, code: "4/0canary-code" })
        assertError(answer, status, code, answer.json?.error?.details)
        assert.notMatch(answer.text, /canary|ya29|GOCSPX/)
        assert.strictEqual(upstream.requests.length, 1)
      }
      assert.deepStrictEqual((yield* ask("GET", `/connections?client_id=${client.id}`)).json.connections, [])
    }))

  it.effect("a sign-in needs a provider, client, label and application that there are", () =>
    Effect.gen(function*() {
      assertError(yield* start({ provider: "x" }), 404, "provider_not_found")
      assertError(yield* start({ client_id: "cli_x" }), 404, "client_not_found")
      assert.deepStrictEqual(issuePaths(yield* start({ label: "", scopes: [] })), ["label", "scopes"])
      assert.deepStrictEqual(issuePaths(yield* start({ scopes: ["a b"] })), ["scopes.0"])
      const unregistered = yield* start({ provider: "sitesearch" })
      assert.deepStrictEqual(issuePaths(unregistered), ["provider"])
      assert.include(unregistered.json.error.details[0].message, "SITESEARCH_CLIENT_ID")
      const { scope } = (yield* signIn({ scopes: ["https://www.googleapis.com/auth/webmasters"] })).said
      assert.include(scope?.split(" ") ?? [], "https://www.googleapis.com/auth/webmasters")
    }))
})
