import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Grant } from "../../../src/Domain/Access/Grant.ts"
import { loggedCall, manage, noSites, seededServer, sitesList } from "../../Http/Fixture.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { newGrant } from "../../support/NewGrant.ts"
import { signedIn, withSession } from "../../support/SignedIn.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const encodeGrant = Schema.encodeSync(Schema.toCodecJson(Grant))
const decodeGrant = Schema.decodeUnknownSync(Schema.toCodecJson(Grant), { onExcessProperty: "error" })

const callIds = Effect.fnUntraced(function*(key: string, query: Record<string, string> = {}) {
  const { api } = yield* TestServer
  const { calls } = yield* api(key).logs.list({ query })
  return calls.map(({ id }) => id)
})

const idsOf = (json: unknown) => JSON.stringify(json).match(/con_[0-9a-z]{26}/g) ?? []

const statsOf = Effect.fnUntraced(function*(key: string, group_by: "connection" | "target") {
  const { api } = yield* TestServer
  const { buckets } = yield* api(key).stats.read({ query: { group_by } })
  return Object.fromEntries(buckets.map(({ calls, group }) => [group ?? "none", calls]))
})

layer(TestServer.layer, { excludeTestServices: true })("A grant", (it) => {
  it.effect("lets its agent read as its member, and is named in the log", () =>
    Effect.gen(function*() {
      const { connection, member, readOnly, server } = yield* seededServer(noSites)
      const { grant, token } = yield* newGrant({ memberId: member.id })
      const { call_id, connection_id } = yield* server.api(token).call.call({ payload: sitesList })
      assert.strictEqual(connection_id, connection.id)
      for (const key of [readOnly, token]) {
        assert.containSubset(yield* loggedCall(key, call_id), {
          via: "grant",
          grant_id: grant.id,
          member_id: member.id,
          key_id: null
        })
      }
      yield* server.api(readOnly).call.call({ payload: sitesList })
      assert.deepStrictEqual(yield* callIds(readOnly, { grant_id: grant.id }), [call_id])
      assert.deepStrictEqual(yield* callIds(token, { grant_id: grant.id }), [call_id])
      assert.deepStrictEqual(yield* callIds(token, { grant_id: "gra_x" }), [])
      for (const path of ["/v1/providers", "/v1/connections", "/v1/logs", "/v1/stats"]) {
        assert.strictEqual((yield* server.request("GET", path, { key: token })).status, 200)
      }
      const { json } = yield* manage("GET", `/grants/${grant.id}`)
      assert.isNotNull(decodeGrant(json).last_used_at)
    }))

  it.effect("with chosen connections sees those alone, as long as its member sees them", () =>
    Effect.gen(function*() {
      const { connect, connection, member, readOnly, server } = yield* seededServer(noSites)
      const [second, third] = [yield* connect(), yield* connect()]
      const { grant, token } = yield* newGrant({ memberId: member.id, connectionIds: [connection.id] })
      const listed = Effect.map(server.request("GET", "/v1/connections", { key: token }), ({ json }) => json)
      const one = yield* server.api(token).call.call({ payload: sitesList })
      assert.strictEqual(one.connection_id, connection.id)
      assert.deepStrictEqual(idsOf(yield* listed), [connection.id])
      assertError(yield* server.call(token, { ...sitesList, connection_id: second.id }), 404, "connection_not_found")

      yield* server.admin.grants.change({
        params: { id: grant.id },
        payload: { connection_ids: [connection.id, third.id] }
      })
      assert.deepStrictEqual(idsOf(yield* listed), [third.id, connection.id])
      assert.strictEqual((yield* server.call(token, { ...sitesList, connection_id: third.id })).status, 200)

      yield* server.admin.grants.change({ params: { id: grant.id }, payload: { connection_ids: null } })
      assert.deepStrictEqual(idsOf(yield* listed), [third.id, second.id, connection.id])
      yield* server.admin.members.change({ params: { id: member.id }, payload: { client_ids: [] } })
      for (const key of [token, readOnly]) {
        assertError(yield* server.call(key, { ...sitesList, connection_id: third.id }), 404, "connection_not_found")
      }
      assert.deepStrictEqual(idsOf(yield* listed), [])
    }))

  it.effect("with chosen connections sees the log and the statistics of those, and its member's refused calls", () =>
    Effect.gen(function*() {
      const { connect, connection, member, readOnly, server } = yield* seededServer(noSites)
      const second = yield* connect()
      const { grant, token } = yield* newGrant({ memberId: member.id, connectionIds: [connection.id] })
      const call = (body: object) => Effect.map(server.call(readOnly, body), ({ callId }) => callId)
      const chosen = yield* call({ ...sitesList, connection_id: connection.id })
      const other = yield* call({ ...sitesList, connection_id: second.id })
      const refused = yield* call({ provider: "x", endpoint: "x" })
      assert.deepStrictEqual(yield* callIds(readOnly), [refused, other, chosen])
      assert.deepStrictEqual(yield* callIds(token), [refused, chosen])
      assert.deepStrictEqual(yield* callIds(token, { connection_id: second.id }), [])
      assertError(yield* server.request("GET", `/v1/logs/${other}`, { key: token }), 404, "call_not_found")
      assert.strictEqual((yield* server.request("GET", `/v1/logs/${chosen}`, { key: token })).status, 200)
      assert.deepStrictEqual(yield* statsOf(readOnly, "connection"), { [connection.id]: 1, [second.id]: 1, none: 1 })
      assert.deepStrictEqual(yield* statsOf(token, "connection"), { [connection.id]: 1, none: 1 })
      assert.deepStrictEqual(yield* statsOf(token, "target"), { "raw:sites.list": 1, "raw:x": 1 })
      yield* server.admin.grants.change({ params: { id: grant.id }, payload: { connection_ids: [second.id] } })
      assert.deepStrictEqual(yield* callIds(token), [refused, other])
    }))

  it.effect("is listed, changed and revoked by its member and by admins, and does not exist for others", () =>
    Effect.gen(function*() {
      const { client, connection, member } = yield* seed()
      const foreign = (yield* seed()).connection
      const ada = yield* withSession(member)
      const [admin, eve] = [yield* signedIn({ role: "admin" }), yield* signedIn({ client_ids: [client.id] })]
      const { grant } = yield* newGrant({ memberId: member.id })
      const path = `/admin/v1/grants/${grant.id}`
      const shown = encodeGrant(grant)
      assert.deepStrictEqual((yield* ada.request("GET", "/admin/v1/grants")).json, { grants: [shown], cursor: null })
      for (const who of [ada, admin]) assert.deepStrictEqual((yield* who.request("GET", path)).json, shown)
      assert.include((yield* manage("GET", "/grants?limit=200")).text, grant.id)
      assert.deepStrictEqual((yield* eve.request("GET", "/admin/v1/grants")).json, { grants: [], cursor: null })
      for (
        const [method, options] of [["GET", {}], ["PATCH", { body: { access: "read_write" } }], ["DELETE", {}]] as const
      ) {
        assertError(yield* eve.request(method, path, options), 404, "grant_not_found")
        assertError(yield* admin.request(method, "/admin/v1/grants/%00", options), 404, "grant_not_found")
      }
      const narrow = yield* ada.request("PATCH", path, { body: { connection_ids: [connection.id] } })
      assert.deepStrictEqual(narrow.json, { ...Object(shown), connection_ids: [connection.id] })
      assert.deepStrictEqual((yield* ada.request("PATCH", path, { body: {} })).json, narrow.json)
      for (const who of [ada, admin]) {
        for (const id of [foreign.id, "con_x"]) {
          const refused = yield* who.request("PATCH", path, { body: { access: "read_write", connection_ids: [id] } })
          assertError(refused, 404, "connection_not_found")
        }
      }
      const wrong = { access: "write", connection_ids: [1], agent: { name: "Another" } }
      assert.sameMembers([...issuePaths(yield* ada.request("PATCH", path, { body: wrong }))], [
        "access",
        "connection_ids.0",
        "agent"
      ])
      assert.deepStrictEqual((yield* admin.request("GET", path)).json, narrow.json)
      assert.strictEqual((yield* admin.request("PATCH", path, { body: { connection_ids: null } })).status, 200)
      const revoked = yield* ada.request("DELETE", path)
      assert.strictEqual(revoked.status, 200)
      assert.isString(Object(revoked.json)["revoked_at"])
    }))
})
