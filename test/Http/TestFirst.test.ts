import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, issuePaths } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { manage, sitesList } from "./Fixture.ts"

const oauth = { provider: "gsc", auth_type: "oauth", label: "New" }
const sheets = { ...oauth, provider: "gsheets" }
const robot = { ...oauth, auth_type: "service_account", credentials: keyFile }
const apiKey = {
  provider: "sitesearch",
  auth_type: "api_key",
  label: "New",
  credentials: { api_key: "0123456789abcdef" }
}

const refusedGrant = { error: "invalid_grant" }
const denied = { error: { code: 403, message: "No.", status: "PERMISSION_DENIED" } }
const token = { access_token: "ya29.fresh-0123456789", expires_in: 3599 }

const identityProvider = (token: Handler, provider: Handler): Handler => (request) =>
  request.url === "/googleToken" ? token(request) : provider(request)

const replyWith = (status: number, body: unknown): Handler => () => ({ status, body })

const create = (body: object) => manage("POST", "/connections", { ...body, test: true })

const count = Effect.gen(function*() {
  const { admin } = yield* TestServer
  return (yield* admin.managedConnections.list({ query: { limit: 200 } })).connections.length
})

layer(TestServer.layer, { excludeTestServices: true })("Credentials with `test`", (it) => {
  for (
    const { body, code, details, provider, status, token: answer, title } of [
      {
        title: "a revoked grant",
        body: { ...oauth, credentials: expiredGrant("revoked") },
        token: replyWith(400, refusedGrant),
        provider: replyWith(200, {}),
        status: 401,
        code: "credentials_expired"
      },
      {
        title: "a grant that the provider does not accept after a refresh",
        body: { ...oauth, credentials: freshGrant("refused") },
        token: replyWith(200, token),
        provider: replyWith(401, { error: { code: 401 } }),
        status: 401,
        code: "credentials_expired"
      },
      {
        title: "a grant for spreadsheets that cannot be refreshed",
        body: { ...sheets, credentials: freshGrant("revoked") },
        token: replyWith(400, refusedGrant),
        provider: replyWith(200, {}),
        status: 401,
        code: "credentials_expired"
      },
      {
        title: "a service account without access",
        body: robot,
        token: replyWith(200, token),
        provider: replyWith(403, denied),
        status: 502,
        code: "credentials_rejected",
        details: denied
      },
      {
        title: "a wrong API key",
        body: apiKey,
        token: replyWith(200, token),
        provider: replyWith(400, { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" }),
        status: 502,
        code: "credentials_rejected",
        details: { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" }
      },
      {
        title: "credentials that a failing provider did not check",
        body: apiKey,
        token: replyWith(200, token),
        provider: replyWith(500, { Message: "Down" }),
        status: 500,
        code: "upstream_error",
        details: { Message: "Down" }
      }
    ]
  ) {
    it.effect(`stores nothing for ${title}, and answers with the error of the test`, () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        upstream.handle(identityProvider(answer, provider))
        const before = yield* count
        assertError(yield* create(body), status, code, details)
        assert.strictEqual(yield* count, before)
        assert.isNotEmpty(upstream.requests)
      }))
  }

  it.effect("stores what the provider accepts, with the tokens of the test's refresh", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { client, connection, readOnly } = yield* seed()
      const { admin, call } = yield* TestServer
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      const rotated = { ...token, refresh_token: "1//rotated-0123456789" }
      upstream.handle(identityProvider(replyWith(200, rotated), replyWith(200, { siteEntry: [] })))
      const created = yield* create({ ...oauth, client_id: client.id, credentials: expiredGrant("old") })
      assert.strictEqual(created.status, 201, created.text)
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/googleToken", "/gsc/webmasters/v3/sites"])

      upstream.handle(identityProvider(replyWith(400, refusedGrant), replyWith(200, { siteEntry: [] })))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 200)
      assert.deepStrictEqual(upstream.requests.map(({ headers }) => headers.authorization), [
        `Bearer ${token.access_token}`
      ])

      upstream.handle(identityProvider(replyWith(200, token), replyWith(401, {})))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 401)
      const refresh = upstream.requests.find(({ url }) => url === "/googleToken")
      assert.strictEqual(new URLSearchParams(refresh?.body).get("refresh_token"), rotated.refresh_token)
    }))

  it.effect("asks for one fresh token where every read needs an id", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      for (const body of [{ ...sheets, credentials: freshGrant("new") }, { ...robot, provider: "gdocs" }]) {
        upstream.handle(identityProvider(replyWith(200, token), replyWith(500, {})))
        assert.strictEqual((yield* create(body)).status, 201)
        assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/googleToken"])
      }
    }))

  it.effect("leaves a connection as it is when the new credentials are refused", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection, name, readOnly } = yield* seed()
      const put = (body: object) => manage("PUT", `/connections/${connection.id}/credentials`, { ...body, test: true })
      upstream.handle(identityProvider(replyWith(400, refusedGrant), replyWith(200, {})))
      assertError(yield* put({ credentials: expiredGrant("wrong") }), 401, "credentials_expired")
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {} })), ["credentials.refresh_token"])
      const { admin } = yield* TestServer
      const { connections } = yield* admin.managedConnections.list({ query: { limit: 200 } })
      assert.deepStrictEqual(connections.find(({ id }) => id === connection.id), connection)
      upstream.handle(replyWith(200, {}))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 200)
      assert.strictEqual(upstream.requests[0]?.headers.authorization, `Bearer ${freshGrant(name).access_token}`)

      upstream.handle(identityProvider(replyWith(200, token), replyWith(200, {})))
      assert.strictEqual((yield* put({ credentials: expiredGrant("right") })).status, 200)
    }))

  it.effect("sends nothing for an unknown client", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(replyWith(200, {}))
      assertError(yield* create({ ...apiKey, client_id: "cli_x" }), 404, "client_not_found")
      assert.isEmpty(upstream.requests)
    }))

  it.effect("stores credentials without a test if none is requested", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(replyWith(500, {}))
      for (const more of [{}, { test: false }]) {
        assert.strictEqual((yield* manage("POST", "/connections", { ...apiKey, ...more })).status, 201)
      }
      assert.isEmpty(upstream.requests)
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "/connections", { ...apiKey, test: "yes" })), ["test"])
    }))
})
