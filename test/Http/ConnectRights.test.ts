import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import type { Connection } from "../../src/Domain/Connection.ts"
import { assertError } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { holdReplies, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type SignedIn, signedIn } from "../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { connectionsOf } from "./Fixture.ts"

const scope = "https://www.googleapis.com/auth/webmasters.readonly"

const tokens = { access_token: "ya29.rights-0123456789", refresh_token: "1//rights-0123456789", scope }

const provider = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream
  let exchanges = 0
  upstream.handle(({ url }) => {
    if (url !== "/googleToken") return { body: { email: "jane@example.com" } }
    exchanges++
    return { body: tokens }
  })
  return () => exchanges
})

const begin = Effect.fnUntraced(function*({ request }: Pick<SignedIn, "request">, body: object) {
  const { json, status } = yield* request("POST", "/admin/v1/connect", { body: { scopes: [scope], ...body } })
  assert.strictEqual(status, 200)
  return new URL(Object(json).authorize_url).searchParams.get("state") ?? ""
})

const beginAsOperator = Effect.fnUntraced(function*({ id }: Connection) {
  const { admin } = yield* TestServer
  const { authorize_url } = yield* admin.connect.start({ payload: { connection_id: id, scopes: [scope] } })
  return new URL(authorize_url).searchParams.get("state") ?? ""
})

const comeBack = (state: string, accept = "*/*") =>
  Effect.flatMap(
    TestServer,
    ({ request }) => request("GET", `/connect/callback?code=4%2F0code&state=${state}`, { headers: { accept } })
  )

const losses = [
  [
    "is deleted",
    ({ member: { id } }: SignedIn) =>
      Effect.flatMap(TestServer, ({ admin }) => admin.members.delete({ params: { id } }))
  ],
  [
    "loses the client",
    ({ member: { id } }: SignedIn) =>
      Effect.flatMap(TestServer, ({ admin }) => admin.members.change({ params: { id }, payload: { client_ids: [] } }))
  ]
] as const

layer(TestServer.layer, { excludeTestServices: true })("A sign-in that a member began", (it) => {
  it.effect.each(losses)("makes no connection after the member %s", ([, lose]) =>
    Effect.gen(function*() {
      const exchanges = yield* provider
      const { client } = yield* seed()
      const before = yield* connectionsOf(client.id)
      const ada = yield* signedIn({ client_ids: [client.id] })
      const state = yield* begin(ada, { provider: "gsc", label: "Late", client_id: client.id })
      yield* lose(ada)
      assertError(yield* comeBack(state), 403, "forbidden")
      assert.deepStrictEqual(yield* connectionsOf(client.id), before)
      assert.strictEqual(exchanges(), 0)
    }))

  it.effect.each(losses)("reconnects nothing after the member %s", ([, lose]) =>
    Effect.gen(function*() {
      yield* provider
      const { client, connection } = yield* seed({ credentials: expiredGrant("rights") })
      const before = yield* connectionsOf(client.id)
      const ada = yield* signedIn({ client_ids: [client.id] })
      const state = yield* begin(ada, { connection_id: connection.id })
      yield* lose(ada)
      const page = yield* comeBack(state, "text/html")
      assert.strictEqual(page.status, 403)
      assert.include(page.text, "may no longer connect accounts here. Nothing was connected.")
      assert.include(page.text, "Begin again where you began")
      assert.deepStrictEqual(yield* connectionsOf(client.id), before)
    }))

  it.effect("makes no connection without a client after the member got limits", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      yield* provider
      const { client } = yield* seed()
      const ada = yield* signedIn({ client_ids: null })
      const state = yield* begin(ada, { provider: "gsc", label: "Late" })
      yield* admin.members.change({ params: { id: ada.member.id }, payload: { client_ids: [client.id] } })
      assertError(yield* comeBack(state), 403, "forbidden")
    }))

  it.effect("is asked for its rights again after the provider gave the credentials", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { client } = yield* seed()
      const before = yield* connectionsOf(client.id)
      const ada = yield* signedIn({ client_ids: [client.id] })
      const state = yield* begin(ada, { provider: "gsc", label: "Late", client_id: client.id })
      const { arrived, holding, release } = yield* holdReplies(() => ({
        body: tokens
      }))
      upstream.handle(holding)
      const back = yield* Effect.forkChild(comeBack(state))
      yield* arrived
      yield* admin.members.delete({ params: { id: ada.member.id } })
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
      const { admin } = yield* TestServer
      yield* provider
      const { client, connection } = yield* seed()
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
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { client, connection } = yield* seed()
      const state = yield* beginAsOperator(connection)
      const { arrived, holding, release } = yield* holdReplies(() => ({ body: tokens }))
      upstream.handle(holding)
      const back = yield* Effect.forkChild(comeBack(state))
      yield* arrived
      const revoked = yield* Effect.forkChild(admin.managedConnections.revoke({ params: { id: connection.id } }))
      yield* eventually(connectionsOf(client.id), ([first]) => first?.status === "revoked")
      yield* release
      yield* Fiber.join(revoked)
      assertError(yield* Fiber.join(back), 400, "invalid_input", changed)
    }))

  it.effect("does not change a connection that got another client meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* provider
      const { connection } = yield* seed()
      const { client: other } = yield* seed()
      const state = yield* beginAsOperator(connection)
      yield* sql`UPDATE connections SET client_id = ${other.id} WHERE id = ${connection.id}`
      assertError(yield* comeBack(state), 400, "invalid_input", changed)
    }))

  it.effect("by a link, does not change a connection that got another client meanwhile", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const { connection } = yield* seed()
      const { client: other } = yield* seed()
      const { url } = yield* admin.connectLinks.create({ payload: { connection_id: connection.id } })
      yield* sql`UPDATE connections SET client_id = ${other.id} WHERE id = ${connection.id}`
      assertError(yield* request("GET", new URL(url).pathname), 410, "link_over")
    }))

  it.effect("by a link, ends with the revocation of its connection", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const { connection } = yield* seed()
      const { id, url } = yield* admin.connectLinks.create({ payload: { connection_id: connection.id } })
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      assertError(yield* request("GET", new URL(url).pathname), 410, "link_over")
      const { connect_links } = yield* admin.connectLinks.list({ query: {} })
      assert.strictEqual(connect_links.find((link) => link.id === id)?.status, "ended")
    }))
})
