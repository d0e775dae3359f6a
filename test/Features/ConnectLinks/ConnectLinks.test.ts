import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Connection } from "../../../src/Domain/Connection.ts"
import { hashToken } from "../../../src/Secrets/IssuedSecrets.ts"
import { answering, baseUrl, connectionsOf, Hosted, manage, seededServer, timestamp } from "../../Http/Fixture.ts"
import { type Answer, assertError, issuePaths } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { type Handler, holdReplies } from "../../support/LoopbackUpstream.ts"
import { type SignedIn, signedIn } from "../../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../../support/TestServer.ts"

const create = (body: object) => manage("POST", "/connect-links", body)

const tokenOf = (url: string): string => new URL(url).pathname.split("/")[2] ?? ""

layer(Hosted, { excludeTestServices: true })("Connect links", (it) => {
  it.effect("are for one client, and show their URL once", () =>
    Effect.gen(function*() {
      const { admin, client } = yield* seededServer()
      const answer = yield* create({ client_id: client.id, providers: ["gsc", "ga4"] })
      assert.strictEqual(answer.status, 201, answer.text)
      const { connect_links } = yield* admin.connectLinks.list({ query: {} })
      const [listed = assert.fail()] = connect_links
      assert.match(listed.id, /^lnk_/)
      const { created_at, expires_at, url: page, ...rest } = Object(answer.json)
      assert.deepStrictEqual(rest, {
        id: listed.id,
        status: "open",
        client_id: client.id,
        connection_id: null,
        providers: ["gsc", "ga4"],
        access: "read_only",
        label: null,
        redirect_url: null,
        connected: [],
        ended_at: null
      })
      assert.match(created_at, timestamp)
      assert.strictEqual(Date.parse(expires_at) - Date.parse(created_at), 7 * 86_400_000)
      const token = tokenOf(page)
      assert.match(token, /^oac_[\w-]{43}$/)
      assert.strictEqual(page, `${baseUrl}/connect/${token}`)
      const list = yield* manage("GET", "/connect-links")
      assert.include(list.text, listed.id)
      for (const secret of [token, hashToken(Redacted.make(token))]) assert.notInclude(list.text, secret)
      assert.notInclude((yield* manage("GET", "/audit")).text, token)
    }))

  it.effect("are for one connection, also of no client", () =>
    Effect.gen(function*() {
      const { client, connect, connection } = yield* seed()
      const reconnects = yield* create({ connection_id: connection.id, client_id: client.id, providers: ["gsc"] })
      const { client_id, connection_id, providers } = Object(reconnects.json)
      assert.deepStrictEqual([client_id, connection_id, providers], [client.id, connection.id, ["gsc"]])
      const shared = yield* connect({ client_id: null })
      assert.strictEqual(Object((yield* create({ connection_id: shared.id })).json).client_id, null)
    }))

  it.effect("refuse an invalid request, with the path of the field", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const { client: other } = yield* seed()
      const invalid: ReadonlyArray<readonly [object, ...ReadonlyArray<string>]> = [
        [{}, "client_id"],
        [{ redirect_url: "https://evil.example" }, "client_id", "redirect_url"],
        [{ client_id: "cli_x", redirect_url: "https://evil.example" }, "redirect_url"],
        [{ expires_in: 299, redirect_url: "https://evil.example" }, "client_id", "expires_in", "redirect_url"],
        [{ client_id: client.id, providers: [] }, "providers"],
        [{ client_id: client.id, expires_in: 299 }, "expires_in"],
        [{ client_id: client.id, expires_in: 2_592_001 }, "expires_in"],
        [{ client_id: client.id, expires_in: 400.5 }, "expires_in"],
        [{ client_id: client.id, label: " ", scopes: [] }, "label", "scopes"],
        [{ connection_id: connection.id, client_id: other.id, providers: ["ga4"] }, "client_id", "providers"],
        [{ connection_id: connection.id, label: "x" }, "label"]
      ]
      for (const [body, ...paths] of invalid) assert.sameMembers([...issuePaths(yield* create(body))], paths)
      assertError(yield* create({ client_id: "cli_x" }), 404, "client_not_found")
      assertError(yield* create({ connection_id: "con_x" }), 404, "connection_not_found")
      assertError(yield* create({ client_id: client.id, providers: ["gsx"] }), 404, "provider_not_found")
    }))

  it.effect("return to allowed origins alone", () =>
    Effect.gen(function*() {
      const { client } = yield* seed()
      const allowed = [
        "https://app.example.com",
        "https://app.example.com/back?tab=1#x",
        "http://localhost:4000/",
        "https://app.example.com:443/"
      ]
      for (const redirect_url of allowed) {
        const answer = yield* create({ client_id: client.id, redirect_url })
        assert.deepStrictEqual([answer.status, Object(answer.json).redirect_url], [201, redirect_url])
      }
      const refused = [
        "https://evil.example",
        "https://app.example.com@evil.example/",
        "https://jane:secret@app.example.com/",
        "https://app.example.com:444/",
        "http://app.example.com/",
        "https://evil.example\\@app.example.com",
        "//app.example.com/",
        "javascript:alert(1)//https://app.example.com",
        " https://app.example.com/\n",
        "https://app.example.com/\0",
        "https://app.example.com/\ud800",
        ""
      ]
      for (const redirect_url of refused) {
        const answer = yield* create({ client_id: client.id, redirect_url })
        assert.deepStrictEqual(issuePaths(answer), ["redirect_url"], redirect_url)
      }
    }))

  it.effect("end when their operator ends them, once", () =>
    Effect.gen(function*() {
      const { admin, client } = yield* seededServer()
      const { id } = yield* admin.connectLinks.create({ payload: { client_id: client.id } })
      const ended = yield* admin.connectLinks.end({ params: { id } })
      assert.strictEqual(ended.status, "ended")
      assert.deepStrictEqual(yield* admin.connectLinks.end({ params: { id } }), ended)
      assertError(yield* manage("DELETE", "/connect-links/lnk_x"), 404, "link_not_found")
      const { entries } = yield* admin.audit.list({ query: { subject: id } })
      assert.deepStrictEqual(entries.map(({ action, subject }) => [action, subject.type]), [
        ["link.ended", "link"],
        ["link.created", "link"]
      ])
    }))

  it.effect("end when their key is revoked or may make none any more", () =>
    Effect.gen(function*() {
      const { admin, client, member } = yield* seededServer()
      const { request } = yield* TestServer
      const losses = [
        (id: string) => admin.keys.revoke({ params: { id } }),
        (id: string) => admin.keys.change({ params: { id }, payload: { manage: ["connections"] } })
      ]
      for (const lose of losses) {
        const manage = ["connect_links"] as const
        const { id, key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "server", manage } })
        const made = yield* request("POST", "/admin/v1/connect-links", { key, body: { client_id: client.id } })
        const { pathname } = new URL(Object(made.json).url)
        assert.strictEqual((yield* request("GET", pathname)).status, 200)
        yield* lose(id)
        assertError(yield* request("GET", pathname), 410, "link_over")
        const { connect_links } = yield* admin.connectLinks.list({ query: { limit: 200 } })
        assert.strictEqual(connect_links.find((link) => link.id === Object(made.json).id)?.status, "ended")
      }
    }))

  it.effect("of a member are those of its clients", () =>
    Effect.gen(function*() {
      const { admin, client, connection } = yield* seededServer()
      const { client: other, connection: foreign } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const make = (body: object) => ada.request("POST", "/admin/v1/connect-links", { body })
      const made = yield* make({ client_id: client.id })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual((yield* make({ connection_id: connection.id })).status, 201)
      assertError(yield* make({ client_id: other.id }), 404, "client_not_found")
      assertError(yield* make({ connection_id: foreign.id }), 404, "connection_not_found")
      const unseen = yield* admin.connectLinks.create({ payload: { client_id: other.id } })
      const list = yield* ada.request("GET", "/admin/v1/connect-links?limit=200")
      assert.include(list.text, Object(made.json).id)
      assert.notInclude(list.text, unseen.id)
      assertError(yield* ada.request("DELETE", `/admin/v1/connect-links/${unseen.id}`), 404, "link_not_found")
      assert.strictEqual((yield* ada.request("DELETE", `/admin/v1/connect-links/${Object(made.json).id}`)).status, 200)
    }))
})

const scope = "https://www.googleapis.com/auth/webmasters.readonly"

const tokens = { access_token: "ya29.rights-0123456789", refresh_token: "1//rights-0123456789", scope }

const provider: Handler = ({ url }) =>
  url === "/googleToken" ? { body: tokens } : { body: { email: "jane@example.com" } }

const stateIn = ({ json, status, text }: Answer) => {
  assert.strictEqual(status, 200, text)
  return new URL(Object(json).authorize_url).searchParams.get("state") ?? ""
}

const begin = ({ request }: Pick<SignedIn, "request">, body: object) =>
  Effect.map(request("POST", "/admin/v1/connect", { body: { scopes: [scope], ...body } }), stateIn)

const beginAsOperator = ({ id }: Connection) =>
  Effect.map(manage("POST", "/connect", { connection_id: id, scopes: [scope] }), stateIn)

const comeBack = (state: string, accept = "*/*") =>
  Effect.flatMap(
    TestServer,
    ({ request }) => request("GET", `/connect/callback?code=4%2F0code&state=${state}`, { headers: { accept } })
  )

/** Comes back, and waits until the provider is asked. */
const comeBackSlowly = Effect.fnUntraced(function*(state: string) {
  const { arrived, holding, release } = yield* holdReplies(() => ({ body: tokens }))
  yield* answering(holding)
  const back = yield* Effect.forkChild(comeBack(state))
  yield* arrived
  return { back, release }
})

const losses: ReadonlyArray<readonly [string, Parameters<typeof changeMember>[1]]> = [
  ["is deleted", null],
  ["loses the client", { client_ids: [] }]
]

const changeMember = Effect.fnUntraced(function*(
  { member: { id } }: SignedIn,
  payload: { readonly client_ids: ReadonlyArray<string> } | null
) {
  const { admin } = yield* TestServer
  yield* payload === null ? admin.members.delete({ params: { id } }) : admin.members.change({ params: { id }, payload })
})

layer(TestServer.layer, { excludeTestServices: true })("A sign-in that a member began", (it) => {
  it.effect.each(losses)(
    "makes and reconnects no connection after the member %s",
    ([, change]) =>
      Effect.gen(function*() {
        const { client, connection, upstream } = yield* seededServer(provider, { credentials: expiredGrant("rights") })
        const before = yield* connectionsOf(client.id)
        const ada = yield* signedIn({ client_ids: [client.id] })
        const made = yield* begin(ada, { provider: "gsc", label: "Late", client_id: client.id })
        const reconnected = yield* begin(ada, { connection_id: connection.id })
        yield* changeMember(ada, change)
        assertError(yield* comeBack(made), 403, "forbidden")
        const page = yield* comeBack(reconnected, "text/html")
        assert.strictEqual(page.status, 403)
        assert.include(page.text, "may no longer connect accounts here. Nothing was connected.")
        assert.include(page.text, "Begin again where you began")
        assert.deepStrictEqual(yield* connectionsOf(client.id), before)
        assert.isEmpty(upstream.requests)
      })
  )

  it.effect("makes no connection without a client after the member got limits, or of a client that was deleted", () =>
    Effect.gen(function*() {
      const { admin } = yield* seededServer(provider)
      const { id: client_id } = yield* admin.clients.create({ payload: { name: "Gone" } })
      const ada = yield* signedIn({ client_ids: null })
      const late = { provider: "gsc", label: "Late" }
      const [ofNone, ofGone] = [yield* begin(ada, late), yield* begin(ada, { ...late, client_id })]
      yield* manage("DELETE", `/clients/${client_id}`)
      assertError(yield* comeBack(ofGone), 403, "forbidden")
      yield* changeMember(ada, { client_ids: [(yield* seed()).client.id] })
      assertError(yield* comeBack(ofNone), 403, "forbidden")
    }))

  it.effect("is asked for its rights again after the provider gave the credentials", () =>
    Effect.gen(function*() {
      const { client } = yield* seed()
      const before = yield* connectionsOf(client.id)
      const ada = yield* signedIn({ client_ids: [client.id] })
      const state = yield* begin(ada, { provider: "gsc", label: "Late", client_id: client.id })
      const { back, release } = yield* comeBackSlowly(state)
      yield* changeMember(ada, null)
      yield* release
      assertError(yield* Fiber.join(back), 403, "forbidden")
      assert.deepStrictEqual(yield* connectionsOf(client.id), before)
    }))
})

const over = [{
  path: ["state"],
  message: "This sign-in is unknown, was used before, took longer than 10 minutes, or began in another browser"
}]

const changed = [{
  path: ["connection_id"],
  message: "The connection was revoked or got another client after this sign-in began. Nothing was connected."
}]

layer(TestServer.layer, { excludeTestServices: true })("A sign-in that reconnects", (it) => {
  it.effect("does not bring back a connection that was revoked meanwhile", () =>
    Effect.gen(function*() {
      const { admin, client, connection } = yield* seededServer(provider)
      const state = yield* beginAsOperator(connection)
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      assertError(yield* comeBack(state), 400, "invalid_input", over)
      assert.deepStrictEqual((yield* connectionsOf(client.id)).map(({ status }) => status), ["revoked"])

      const again = yield* beginAsOperator(connection)
      assert.strictEqual((yield* comeBack(again)).status, 200)
      assert.deepStrictEqual((yield* connectionsOf(client.id)).map(({ status }) => status), ["active"])
    }))

  it.effect("does not bring back a connection that was revoked while the provider answered", () =>
    Effect.gen(function*() {
      const { admin, client, connection } = yield* seededServer()
      const { back, release } = yield* comeBackSlowly(yield* beginAsOperator(connection))
      const revoked = yield* Effect.forkChild(admin.managedConnections.revoke({ params: { id: connection.id } }))
      yield* eventually(connectionsOf(client.id), ([first]) => first?.status === "revoked")
      yield* release
      yield* Fiber.join(revoked)
      assertError(yield* Fiber.join(back), 400, "invalid_input", changed)
    }))

  it.effect("does not change a connection that got another client meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { connection } = yield* seededServer(provider)
      const { client: other } = yield* seed()
      const state = yield* beginAsOperator(connection)
      yield* sql`UPDATE connections SET client_id = ${other.id} WHERE id = ${connection.id}`
      assertError(yield* comeBack(state), 400, "invalid_input", changed)
    }))
})
