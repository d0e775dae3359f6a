import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, issuePaths, issuesIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { signedIn } from "../support/SignedIn.ts"
import { expiredGrant, freshGrant, keyFor, seed, TestServer } from "../support/TestServer.ts"
import { replyWith, tokenEndpoint } from "./ErrorCases.ts"
import {
  answering,
  connectionsOf,
  deadTokens,
  deriveFor,
  manage,
  memberWith,
  messagesTo,
  seededServer,
  sitesList,
  webhookFor
} from "./Fixture.ts"

const oauth = { provider: "gsc", auth_type: "oauth", label: "New" }
const robot = { ...oauth, auth_type: "service_account" }
const sheets = { ...oauth, provider: "gsheets" }
const pasted = "f3a9c1d27b604e58912d6c0ab7e4d135"
const apiKey = { provider: "sitesearch", auth_type: "api_key", label: "New", credentials: { api_key: pasted } } as const

const token = { access_token: "ya29.fresh-0123456789", expires_in: 3599 }
const giveToken = replyWith(200, token)
const refuseGrant = replyWith(400, { error: "invalid_grant" })
const works = replyWith(200, { siteEntry: [] })

const invalidKey = { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" }

const create = (body: object) => manage("POST", "/connections", { ...body, test: true })

layer(TestServer.layer, { excludeTestServices: true })("New credentials", (it) => {
  it.effect("lose the white space around them before they are used", () =>
    Effect.gen(function*() {
      const { call, connect, readOnly, upstream } = yield* seededServer()
      upstream.handle(tokenEndpoint(giveToken, works))
      yield* connect({ ...apiKey, credentials: { api_key: ` ${pasted}\n` } })
      const { id } = yield* connect({ credentials: { refresh_token: "1//0pasted\n" } })
      assert.strictEqual((yield* call(readOnly, { provider: "sitesearch", endpoint: "GetUserSites" })).status, 200)
      assert.strictEqual((yield* call(readOnly, { ...sitesList, connection_id: id })).status, 200)
      const [withKey, refresh] = upstream.requests
      assert.match(withKey?.url ?? "", new RegExp(`apikey=${pasted}$`))
      assert.strictEqual(new URLSearchParams(refresh?.body).get("refresh_token"), "1//0pasted")
    }))

  it.effect("of a service account name its address, and may have their line breaks as \\n", () =>
    Effect.gen(function*() {
      const credentials = {
        ...keyFile,
        client_email: ` ${keyFile.client_email}\n`,
        private_key: keyFile.private_key.replaceAll("\n", "\\n")
      }
      const { json, status } = yield* manage("POST", "/connections", { ...robot, credentials })
      assert.strictEqual(status, 201)
      assert.include(json, { external_account: keyFile.client_email })
    }))

  it.effect.each(
    [
      [apiKey, { api_key: "two words" }, "api_key"],
      [oauth, { refresh_token: "1//0a\nb" }, "refresh_token"],
      [robot, { ...keyFile, client_email: "robot @example.com" }, "client_email"],
      [robot, { ...keyFile, client_email: "robot\0@example.com" }, "client_email"]
    ] as const
  )("are refused with white space inside: %o", ([body, credentials, field]) =>
    Effect.gen(function*() {
      assertError(yield* manage("POST", "/connections", { ...body, credentials }), 400, "invalid_input", [
        { path: ["credentials", field], message: "Expected a text without white space inside" }
      ])
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("Credentials with `test`", (it) => {
  it.effect.each(
    [
      ["a revoked grant", { ...oauth, credentials: expiredGrant("x") }, refuseGrant, works, 401, "credentials_expired"],
      [
        "a grant for spreadsheets that cannot be refreshed",
        { ...sheets, credentials: freshGrant("revoked") },
        refuseGrant,
        works,
        401,
        "credentials_expired"
      ],
      ["a wrong API key", apiKey, giveToken, replyWith(400, invalidKey), 502, "credentials_rejected", invalidKey],
      [
        "credentials that a failing provider did not check",
        apiKey,
        giveToken,
        replyWith(500, { Message: "Down" }),
        500,
        "upstream_error",
        { Message: "Down" }
      ]
    ] as const
  )(
    "stores nothing for %s, and answers with the error of the test",
    ([, body, token, provider, status, code, details]) =>
      Effect.gen(function*() {
        const { client, upstream } = yield* seededServer(tokenEndpoint(token, provider))
        assertError(yield* create({ ...body, client_id: client.id }), status, code, details)
        assert.lengthOf(yield* connectionsOf(client.id), 1)
        assert.isNotEmpty(upstream.requests)
      })
  )

  it.effect("stores what the provider accepts, with the tokens of the test's refresh", () =>
    Effect.gen(function*() {
      const { admin, call, client, connection, readOnly, upstream } = yield* seededServer()
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      const rotated = { ...token, refresh_token: "1//rotated-0123456789" }
      upstream.handle(tokenEndpoint(replyWith(200, rotated), works))
      const created = yield* create({ ...oauth, client_id: client.id, credentials: expiredGrant("old") })
      assert.strictEqual(created.status, 201, created.text)
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url), ["/googleToken", "/gsc/webmasters/v3/sites"])

      upstream.handle(tokenEndpoint(refuseGrant, works))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 200)
      assert.deepStrictEqual(upstream.requests.map(({ headers }) => headers.authorization), [
        `Bearer ${token.access_token}`
      ])

      upstream.handle(tokenEndpoint(giveToken, replyWith(401, {})))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 401)
      const refresh = upstream.requests.find(({ url }) => url === "/googleToken")
      assert.strictEqual(new URLSearchParams(refresh?.body).get("refresh_token"), rotated.refresh_token)
    }))

  it.effect("leaves a connection as it is when the new credentials are refused", () =>
    Effect.gen(function*() {
      const { call, client, connection, name, readOnly, upstream } = yield* seededServer()
      const put = (body: object) => manage("PUT", `/connections/${connection.id}/credentials`, { ...body, test: true })
      upstream.handle(tokenEndpoint(refuseGrant, works))
      assertError(yield* put({ credentials: expiredGrant("wrong") }), 401, "credentials_expired")
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {} })), ["credentials.refresh_token"])
      assert.deepStrictEqual(yield* connectionsOf(client.id), [connection])
      upstream.handle(works)
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 200)
      assert.strictEqual(upstream.requests[0]?.headers.authorization, `Bearer ${freshGrant(name).access_token}`)

      upstream.handle(tokenEndpoint(giveToken, works))
      assert.strictEqual((yield* put({ credentials: expiredGrant("right") })).status, 200)
    }))

  it.effect("sends nothing for an unknown client, or without a test", () =>
    Effect.gen(function*() {
      const upstream = yield* answering(replyWith(500, {}))
      assertError(yield* create({ ...apiKey, client_id: "cli_x" }), 404, "client_not_found")
      for (const more of [{}, { test: false }]) {
        assert.strictEqual((yield* manage("POST", "/connections", { ...apiKey, ...more })).status, 201)
      }
      assert.isEmpty(upstream.requests)
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "/connections", { ...apiKey, test: "yes" })), ["test"])
    }))
})

const auditOf = Effect.fnUntraced(function*(subject: string) {
  const { admin } = yield* TestServer
  const { entries } = yield* admin.audit.list({ query: { subject } })
  return entries
})

/** A connection, and another client's with the same token. */
const copied = Effect.gen(function*() {
  const [victim, thief] = [yield* seed(), yield* seed()]
  const copy = yield* thief.connect({ credentials: freshGrant(victim.name) })
  return { victim, thief, copy }
})

layer(TestServer.layer, { excludeTestServices: true })("A refresh token that connections of two clients have", (it) => {
  it.effect("is refused to members and limited keys, without asking the provider", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { requests } = yield* answering(deadTokens)
      const [victim, thief] = [yield* seed(), yield* seed()]
      const before = requests.length
      const credentials = freshGrant(victim.name)
      const stored = { provider: "gsc", auth_type: "oauth", label: "x", client_id: thief.client.id, credentials }
      const ada = yield* signedIn({ client_ids: [thief.client.id], email: `session-of-${thief.name}@example.com` })
      const key = yield* keyFor(thief.member, { manage: ["connections"] })
      const credentialsPath = `/admin/v1/connections/${thief.connection.id}/credentials`
      const answers = [
        yield* ada.request("POST", "/admin/v1/connections", { body: { ...stored, test: true } }),
        yield* ada.request("PUT", credentialsPath, { body: { credentials, test: true } }),
        yield* request("POST", "/admin/v1/connections", { key, body: stored })
      ]
      for (const answer of answers) {
        assert.deepStrictEqual(issuesIn(answer).map(({ path }) => path), [["credentials", "refresh_token"]])
        assert.notInclude(answer.text, victim.connection.id)
      }
      assert.lengthOf(requests, before)
      const own = { ...stored, credentials: freshGrant(thief.name) }
      assert.strictEqual((yield* ada.request("POST", "/admin/v1/connections", { body: own })).status, 201)
    }))

  it.effect("is an audit entry and an event when an admin stores it, or moves a connection to another client", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const webhook = yield* webhookFor("connection.token_shared")
      const { copy, thief, victim } = yield* copied
      const sibling = yield* victim.connect({ provider: "ga4" })
      yield* admin.managedConnections.change({ params: { id: sibling.id }, payload: { client_id: thief.client.id } })
      const told = (yield* messagesTo(webhook.id)).map(({ data }) => data)
      const expected = [
        [copy.id, [victim.connection.id]],
        [sibling.id, [copy.id]],
        [sibling.id, [victim.connection.id]]
      ]
      assert.deepStrictEqual(
        told.map(({ connection, token_shared_with }) => [connection.id, token_shared_with]),
        expected
      )
      const entries = [...yield* auditOf(copy.id), ...(yield* auditOf(sibling.id)).toReversed()]
      assert.deepStrictEqual(
        entries.flatMap(({ action, details, subject }) =>
          action === "connection.token_shared" ? [[subject.id, details["token_shared_with"]]] : []
        ),
        expected
      )
      yield* admin.webhooks.delete({ params: { id: webhook.id } })
    }))

  it.effect("lives on after a revocation, which names the other connection, until that one is revoked", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { requests } = yield* answering(deadTokens)
      const { copy, victim } = yield* copied
      for (const [id, asked] of [[victim.connection.id, []], [copy.id, ["/googleRevoke"]]] as const) {
        yield* admin.managedConnections.revoke({ params: { id } })
        assert.deepStrictEqual<ReadonlyArray<string>>(requests.map(({ url }) => url), asked)
      }
      const [entry] = yield* auditOf(victim.connection.id)
      assert.deepStrictEqual([entry?.action, entry?.details], ["connection.revoked", { token_shared_with: [copy.id] }])
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("New credentials of a parent", (it) => {
  it.effect("are told to the clients of its derived connections, whose cached answers are dropped", () =>
    Effect.gen(function*() {
      const { admin, call } = yield* TestServer
      let answers = 0
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [], count: ++answers } }))
      const parent = yield* seed()
      const guest = yield* admin.clients.create({ payload: { name: "Guest of a parent" } })
      const derived = yield* deriveFor(guest, parent.connection)
      const webhook = yield* webhookFor("connection.reconnected")
      const { readOnly } = yield* memberWith([guest.id])
      const isCached = Effect.map(
        call(readOnly, { provider: "gsc", endpoint: "sites.list", max_age: 600 }),
        ({ json }) => Object(json).cached
      )
      assert.deepStrictEqual([yield* isCached, yield* isCached], [false, true])
      yield* admin.managedConnections.reconnect({
        params: { id: parent.connection.id },
        payload: { credentials: freshGrant("another"), external_account: "new@example.com" }
      })
      assert.isFalse(yield* isCached)
      assert.deepStrictEqual(
        (yield* messagesTo(webhook.id)).map(({ data: { connection: { client_id, external_account, id } } }) => [
          id,
          client_id,
          external_account
        ]),
        [[parent.connection.id, parent.client.id, "new@example.com"], [derived.id, guest.id, "new@example.com"]]
      )
      const [entry] = yield* auditOf(derived.id)
      assert.strictEqual(entry?.action, "connection.credentials_replaced")
      yield* admin.webhooks.delete({ params: { id: webhook.id } })
    }))
})
