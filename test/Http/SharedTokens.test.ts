import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { issuesIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { signedIn } from "../support/SignedIn.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { answering, deadTokens, memberWith, messagesTo } from "./Fixture.ts"

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
      const { admin, request } = yield* TestServer
      const { requests } = yield* answering(deadTokens)
      const [victim, thief] = [yield* seed(), yield* seed()]
      const before = requests.length
      const credentials = freshGrant(victim.name)
      const stored = { provider: "gsc", auth_type: "oauth", label: "x", client_id: thief.client.id, credentials }
      const ada = yield* signedIn({ client_ids: [thief.client.id], email: `session-of-${thief.name}@example.com` })
      const { key } = yield* admin.keys.create({
        payload: { member_id: thief.member.id, name: "managing", manage: ["connections"] }
      })
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
      const webhook = yield* admin.webhooks.create({
        payload: { url: "https://hooks.invalid/", events: ["connection.token_shared"] }
      })
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

  it.effect("lives on after a revocation, which names the other connection", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      yield* answering(deadTokens)
      const { copy, victim } = yield* copied
      yield* admin.managedConnections.revoke({ params: { id: victim.connection.id } })
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
      const derived = yield* admin.managedConnections.create({
        payload: { parent_id: parent.connection.id, client_id: guest.id, label: "Derived" }
      })
      const webhook = yield* admin.webhooks.create({
        payload: { url: "https://hooks.invalid/", events: ["connection.reconnected"] }
      })
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
        [
          [parent.connection.id, parent.client.id, "new@example.com"],
          [derived.id, guest.id, "new@example.com"]
        ]
      )
      const [entry] = yield* auditOf(derived.id)
      assert.strictEqual(entry?.action, "connection.credentials_replaced")
      yield* admin.webhooks.delete({ params: { id: webhook.id } })
    }))
})
