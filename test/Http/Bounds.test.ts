import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Resources } from "../../src/Domain/Access/Resource.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { type Recorded } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { freshGrant, keyFor, seed, TestServer } from "../support/TestServer.ts"
import { answering, connectionsOf, deriveFor, loggedCall, manage, sitesList } from "./Fixture.ts"

const acme = "gsc:https://acme.com/"
const other = "gsc:sc-domain:other.com"
const third = "gsc:sc-domain:third.com"

const listing = `{
  "siteEntry": [
    { "siteUrl": "https://acme.com/", "permissionLevel": "siteOwner", "size": 12345678901234567890.10 },
    { "siteUrl": "sc-domain:acme.com", "permissionLevel": "siteOwner" },
    { "siteUrl": "sc-domain:other.com", "permissionLevel": "siteOwner" },
    { "siteUrl": "android-app://com.acme/", "permissionLevel": "siteOwner" }
  ],
  "more": [1e400]
}`
const ofAcme =
  `{"siteEntry":[{"siteUrl":"https://acme.com/","permissionLevel":"siteOwner","size":12345678901234567890.10}],` +
  `"more":[1e400]}`

/** A read of a resource, which may be written in any way. */
const get = (resource: string) => ({
  provider: "gsc",
  endpoint: "sites.get",
  input: { path: { siteUrl: resource.slice("gsc:".length) } }
})

const searchConsole = ({ url }: Recorded) => ({
  body: /\/sites(?:\?|$)/.test(url) ? listing : { siteUrl: decodeURIComponent(url.slice(url.lastIndexOf("/") + 1)) }
})

const setUp = Effect.gen(function*() {
  const server = yield* TestServer
  const upstream = yield* answering(searchConsole)
  const assertAllowed = Effect.fnUntraced(function*(key: string, resource: string, more: object = {}) {
    const { callId, status, text } = yield* server.call(key, { ...get(resource), ...more })
    assert.strictEqual(status, 200, text)
    return yield* loggedCall(key, callId)
  })
  const assertRefused = Effect.fnUntraced(function*(key: string, resource: string, more: object = {}) {
    const answer = yield* server.call(key, { ...get(resource), ...more })
    assertError(answer, 404, "resource_not_found", { resource })
    return yield* loggedCall(key, answer.callId)
  })
  return { server, upstream, assertAllowed, assertRefused }
})

const boundKey = Effect.fnUntraced(function*(member_id: string, resources: ReadonlyArray<string> | null) {
  const { admin } = yield* TestServer
  return yield* admin.keys.create({ payload: { member_id, name: "bound", access: "read_write", resources } })
})

layer(TestServer.layer, { excludeTestServices: true })("A bound", (it) => {
  it.effect("of a key lets it use its resources in any spelling, and refuses others before anything is sent", () =>
    Effect.gen(function*() {
      const { assertAllowed, assertRefused, server, upstream } = yield* setUp
      const { client, connection, member } = yield* seed()
      const { id, key, resources } = yield* boundKey(member.id, ["gsc:HTTPS://Acme.com:443"])
      assert.deepStrictEqual(resources, [acme])
      for (const spelling of [acme, "gsc:https://ACME.com:443/"]) {
        const { connection_id, resource } = yield* assertAllowed(key, spelling)
        assert.deepStrictEqual([connection_id, resource], [connection.id, acme])
      }
      const sent = upstream.requests.length
      for (const outside of ["gsc:sc-domain:acme.com", other, "gsc:http://acme.com/", "gsc:https://acme.com/%2e%2e/"]) {
        const call = yield* assertRefused(key, outside)
        assert.deepInclude(call, {
          client_id: client.id,
          connection_id: connection.id,
          error_code: "resource_not_found"
        })
      }
      assert.strictEqual(upstream.requests.length, sent)

      const logOf = (query: object) => Effect.map(server.api(key).logs.list({ query }), ({ calls }) => calls)
      assert.lengthOf(yield* logOf({ resource: "gsc:https://ACME.com" }), 2)
      const refused = yield* logOf({ resource: other })
      assert.deepStrictEqual(refused.map(({ error_code }) => error_code), ["resource_not_found"])

      const { key: unbound } = yield* boundKey(member.id, null)
      const foreign = yield* assertAllowed(unbound, other)
      assert.strictEqual((yield* server.request("GET", `/v1/logs/${foreign.id}`, { key })).status, 404)
      assert.isTrue((yield* logOf({})).every(({ key_id }) => key_id === id))

      yield* server.admin.keys.change({ params: { id }, payload: { resources: [other] } })
      yield* assertAllowed(key, other)
      yield* assertRefused(key, acme)
      const { entries } = yield* server.admin.audit.list({ query: { subject: id } })
      assert.deepStrictEqual(entries[0]?.details, { resources: { from: [acme], to: [other] } })
    }))

  it.effect("hides from a key and an agent what they called before they were narrowed", () =>
    Effect.gen(function*() {
      const { assertAllowed, server: { admin, api, call, request } } = yield* setUp
      const { member } = yield* seed()
      const { id, key } = yield* boundKey(member.id, [acme, other])
      const { grant, token } = yield* newGrant({ memberId: member.id })
      const holders = [
        [key, (resources: Resources) => admin.keys.change({ params: { id }, payload: { resources } })],
        [token, (resources: Resources) => admin.grants.change({ params: { id: grant.id }, payload: { resources } })]
      ] as const
      for (const [secret, change] of holders) {
        const logged = Effect.map(api(secret).logs.list({ query: {} }), ({ calls }) => calls.map(({ id }) => id))
        const [listed, about] = [(yield* call(secret, sitesList)).callId, (yield* assertAllowed(secret, other)).id]
        yield* change([acme, other, "gsc:sc-domain:acme.com"])
        if (secret === key) assert.includeMembers(yield* logged, [listed, about])
        yield* change([acme])
        const { id: later } = yield* assertAllowed(secret, acme)
        yield* change([acme, other])
        assert.deepStrictEqual(yield* logged, [later])
        for (const hidden of [listed, about]) {
          assertError(yield* request("GET", `/v1/logs/${hidden}`, { key: secret }), 404, "call_not_found")
        }
        const since = api(secret).logs.list({ query: { since: new Date(0) } })
        assert.deepStrictEqual((yield* since).calls.map(({ id }) => id), [later])
      }
    }))

  it.effect("lets a key count its own calls alone, as it sees them in the log", () =>
    Effect.gen(function*() {
      const { server: { api, call } } = yield* setUp
      const { member, readOnly, reader } = yield* seed()
      const { id, key } = yield* boundKey(member.id, [acme])
      for (const each of [readOnly, key]) yield* call(each, sitesList)
      const counted = Effect.fnUntraced(function*(asking: typeof reader) {
        const { buckets } = yield* asking.stats.read({ query: { group_by: "key" } })
        return buckets.map(({ calls, group }) => `${group === id ? "its own" : "another's"}: ${calls}`)
      })
      assert.sameMembers(yield* counted(reader), ["its own: 1", "another's: 1"])
      assert.deepStrictEqual(yield* counted(api(key)), ["its own: 1"])
    }))

  it.effect("filters lists and keeps the rest of the body, digit by digit", () =>
    Effect.gen(function*() {
      const { server } = yield* setUp
      const { member } = yield* seed()
      const bounds = [[null, listing], [[acme], ofAcme], [[], "{\"siteEntry\":[],\"more\":[1e400]}"]] as const
      for (const [resources, data] of bounds) {
        const { text } = yield* server.call((yield* boundKey(member.id, resources)).key, sitesList)
        assert.strictEqual(text.slice(text.indexOf("\"data\":") + "\"data\":".length, -1), data)
      }
    }))

  it.effect("of a connection, a key and a grant all apply", () =>
    Effect.gen(function*() {
      const { assertAllowed, assertRefused, server } = yield* setUp
      const { connection, member, readOnly } = yield* seed({ resources: [acme, other] })
      assert.deepStrictEqual(connection.resources, [acme, other])
      const { connections } = yield* server.api(readOnly).connections.list({ query: {} })
      assert.deepStrictEqual(connections.map(({ resources }) => resources), [[acme, other]])
      const { grant: { id }, token } = yield* newGrant({ memberId: member.id })
      const invalid = yield* manage("PATCH", `/grants/${id}`, { access: "x", resources: ["x"] })
      assert.deepStrictEqual(issuePaths(invalid), ["access", "resources.0"])
      const changed = yield* server.admin.grants.change({ params: { id }, payload: { resources: [other, third] } })
      assert.deepStrictEqual(changed.resources, [other, third])
      yield* assertAllowed(readOnly, acme)
      yield* assertAllowed(token, other)
      for (const outside of [acme, third]) yield* assertRefused(token, outside)
      yield* assertRefused(readOnly, third)
    }))

  it.effect("of a parent applies to the connections derived from it, which use its credentials", () =>
    Effect.gen(function*() {
      const { assertAllowed, assertRefused, server, upstream } = yield* setUp
      const { connection } = yield* seed({ resources: [acme, other] })
      const { client, readOnly } = yield* seed()
      const derive = (more: object) =>
        manage("POST", "/connections", { parent_id: connection.id, client_id: client.id, label: "Derived", ...more })
      assert.strictEqual((yield* derive({ resources: [other, third] })).status, 201)
      const [derived = assert.fail()] = yield* connectionsOf(client.id)
      assert.deepInclude(derived, {
        parent_id: connection.id,
        resources: [other, third],
        status: connection.status,
        scopes: connection.scopes,
        external_account: connection.external_account
      })
      const shown = yield* server.request("GET", "/v1/connections", { key: readOnly })
      assert.include(shown.text, derived.id)
      assert.notInclude(shown.text, "parent_id")

      const named = { connection_id: derived.id }
      assert.strictEqual((yield* assertAllowed(readOnly, other, named)).connection_id, derived.id)
      for (const outside of [third, acme]) yield* assertRefused(readOnly, outside, named)
      yield* manage("PATCH", `/connections/${connection.id}`, { resources: [acme] })
      yield* assertRefused(readOnly, other, named)

      const credentials = { refresh_token: "1//refresh-token-0123456789" }
      const refused = [
        yield* manage("PUT", `/connections/${derived.id}/credentials`, { credentials }),
        yield* manage("POST", "/connect", named),
        yield* manage("POST", "/connect-links", named)
      ]
      for (const answer of refused) assertError(answer, 409, "connection_derived")
      const invalid = {
        parent_id: { parent_id: derived.id },
        provider: { provider: "gsc" },
        "resources.0": { resources: ["ga4:1"] }
      }
      for (const [path, more] of Object.entries(invalid)) {
        assert.deepStrictEqual(issuePaths(yield* derive(more)), [path])
      }
      assert.strictEqual((yield* derive({ parent_id: "con_x" })).status, 404)

      upstream.handle(() => ({ body: {} }))
      yield* manage("DELETE", `/connections/${derived.id}`)
      assert.lengthOf(upstream.requests, 0)
      assert.strictEqual((yield* server.call(readOnly, { ...get(other), ...named })).status, 409)
    }))

  it.effect("of a connection is chosen from what its account reaches", () =>
    Effect.gen(function*() {
      const { server, upstream } = yield* setUp
      const { connection: { id }, member } = yield* seed({ resources: [acme] })
      const read = manage("GET", `/connections/${id}/resources`)
      upstream.handle(() => ({ status: 400, body: {} }))
      assert.strictEqual((yield* read).status, 400)
      upstream.handle(searchConsole)
      assert.deepStrictEqual((yield* read).json, {
        resources: [
          { resource: acme, name: "https://acme.com/", allowed: true },
          { resource: "gsc:sc-domain:acme.com", name: "sc-domain:acme.com", allowed: false },
          { resource: other, name: "sc-domain:other.com", allowed: false }
        ]
      })
      yield* manage("PATCH", `/connections/${id}`, { resources: null })
      assert.notInclude((yield* read).text, "\"allowed\":false")
      const key = yield* keyFor(member, { manage: ["connections"], resources: [other] })
      const shown = yield* server.request("GET", `/admin/v1/connections/${id}/resources`, { key })
      assert.deepStrictEqual(shown.json, {
        resources: [{ resource: other, name: "sc-domain:other.com", allowed: true }]
      })
      assert.lengthOf(upstream.requests, 1)
      assertError(yield* manage("GET", "/connections/con_x/resources"), 404, "connection_not_found")
    }))

  it.effect("of a connection to files holds for those it creates, and refuses writes that reach into others", () =>
    Effect.gen(function*() {
      const { server, upstream } = yield* setUp
      const { connection, readWrite } = yield* seed({
        provider: "gsheets",
        resources: ["gsheets:abc", "gsheets:created"]
      })
      upstream.handle(() => ({ body: { spreadsheetId: "new-file", properties: { title: "New" } } }))
      const call = (endpoint: string, input: object) => server.call(readWrite, { provider: "gsheets", endpoint, input })
      assert.strictEqual((yield* call("spreadsheets.create", { query: { fields: "properties" } })).status, 200)
      assert.include(upstream.requests.at(-1)?.url, "fields=spreadsheetId%2Cproperties")
      const client = yield* server.admin.clients.create({ payload: { name: "Shared with" } })
      const derived = yield* deriveFor(client, connection)
      for (const { id } of [connection, derived]) {
        assert.deepStrictEqual((yield* manage("GET", `/connections/${id}/resources`)).json, {
          resources: ["abc", "new-file"].map((name) => ({ resource: `gsheets:${name}`, name, allowed: true }))
        })
      }
      for (const [spreadsheetId, status] of [["new-file", 200], ["other", 404]] as const) {
        assert.strictEqual((yield* call("spreadsheets.get", { path: { spreadsheetId } })).status, status)
      }
      const formula = (valueInputOption: string) =>
        call("values.update", {
          path: { spreadsheetId: "abc", range: "A1" },
          query: { valueInputOption },
          body: { values: [["a", "=importrange(\"other\", \"A1\")"]] }
        })
      assert.deepStrictEqual(issuePaths(yield* formula("USER_ENTERED")), ["input.body.values.0.1"])
      assert.strictEqual((yield* formula("RAW")).status, 200)
    }))

  it.effect("of resources that cannot be read, are too many or of another provider is refused", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      const createKey = (resources: ReadonlyArray<string>) =>
        manage("POST", "/keys", { member_id: member.id, name: "bound", resources })
      const unreadable = ["acme.com", "gsc:acme.com", "ga4:abc", "gsc:created", "nobody:1", "gsheets:a/b"]
      assert.deepStrictEqual(
        issuePaths(yield* createKey(unreadable)),
        unreadable.map((_, index) => `resources.${index}`)
      )
      const many = Array.from({ length: 1001 }, (_, id) => `ga4:${id + 1}`)
      assert.strictEqual((yield* createKey(many)).status, 400)
      assert.strictEqual((yield* createKey(many.slice(1))).status, 201)
      const foreign = yield* manage("POST", "/connections", {
        provider: "gsc",
        auth_type: "oauth",
        credentials: freshGrant("bound"),
        label: "Acme",
        resources: [acme, "ga4:1"]
      })
      assert.deepStrictEqual(issuePaths(foreign), ["resources.1"])
    }))
})
