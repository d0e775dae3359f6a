import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, issuePaths } from "../support/Answer.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { loggedCall, manage, sitesList } from "./Fixture.ts"

const acme = "gsc:https://acme.com/"
const other = "gsc:sc-domain:other.com"

const listing = `{
  "siteEntry": [
    { "siteUrl": "https://acme.com/", "permissionLevel": "siteOwner", "size": 12345678901234567890.10 },
    { "siteUrl": "sc-domain:acme.com", "permissionLevel": "siteOwner" },
    { "siteUrl": "sc-domain:other.com", "permissionLevel": "siteOwner" }
  ],
  "more": [1e400]
}`
const ofAcme =
  `{"siteEntry":[{"siteUrl":"https://acme.com/","permissionLevel":"siteOwner","size":12345678901234567890.10}],` +
  `"more":[1e400]}`

const siteUrl = "https://acme.com/"
const get = (siteUrl: string) => ({ provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl } } })

const getSheet = (spreadsheetId: string) => ({
  provider: "gsheets",
  endpoint: "spreadsheets.get",
  input: { path: { spreadsheetId } }
})

const searchConsole = ({ url }: Recorded) => ({
  body: /\/sites(?:\?|$)/.test(url) ? listing : { siteUrl: decodeURIComponent(url.slice(url.lastIndexOf("/") + 1)) }
})

const boundKey = Effect.fnUntraced(function*(member_id: string, resources: ReadonlyArray<string> | null) {
  const { admin } = yield* TestServer
  return yield* admin.keys.create({ payload: { member_id, name: "bound", access: "read_write", resources } })
})

layer(TestServer.layer, { excludeTestServices: true })("A bound", (it) => {
  it.effect("of a key lets it use its resources in any spelling, and refuses others before anything is sent", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(searchConsole)
      const { client, connection, member } = yield* seed()
      const { id, key, resources } = yield* boundKey(member.id, ["gsc:HTTPS://Acme.com:443"])
      assert.deepStrictEqual(resources, [acme])
      for (const spelling of ["https://acme.com/", "https://ACME.com:443/"]) {
        const answer = yield* server.call(key, get(spelling))
        assert.strictEqual(answer.status, 200, spelling)
        const { connection_id, resource } = yield* loggedCall(key, answer.callId)
        assert.deepStrictEqual([connection_id, resource], [connection.id, acme])
      }
      const sent = upstream.requests.length

      for (
        const outside of ["sc-domain:acme.com", "sc-domain:other.com", "http://acme.com/", "https://acme.com/%2e%2e/"]
      ) {
        const answer = yield* server.call(key, get(outside))
        assertError(answer, 404, "resource_not_found", { resource: `gsc:${outside}` })
        const { client_id, connection_id, error_code } = yield* loggedCall(key, answer.callId)
        assert.deepStrictEqual([client_id, connection_id, error_code], [client.id, connection.id, "resource_not_found"])
      }
      assert.strictEqual(upstream.requests.length, sent)

      const { calls } = yield* server.api(key).logs.list({ query: { resource: "gsc:https://ACME.com" } })
      assert.lengthOf(calls, 2)
      const { calls: refused } = yield* server.api(key).logs.list({ query: { resource: other } })
      assert.deepStrictEqual(refused.map(({ error_code }) => error_code), ["resource_not_found"])

      const { key: unbound } = yield* boundKey(member.id, null)
      const foreign = yield* server.call(unbound, get("sc-domain:other.com"))
      assert.strictEqual((yield* server.request("GET", `/v1/logs/${foreign.callId}`, { key })).status, 404)
      assert.strictEqual((yield* server.request("GET", `/v1/logs/${foreign.callId}`, { key: unbound })).status, 200)
      const { calls: own } = yield* server.api(key).logs.list({ query: {} })
      assert.isTrue(own.every(({ key_id }) => key_id === id))
      const { calls: others } = yield* server.api(key).logs.list({ query: { key_id: "key_x" } })
      assert.deepStrictEqual(others, [])

      yield* server.admin.keys.change({ params: { id }, payload: { resources: [other] } })
      assert.strictEqual((yield* server.call(key, get("sc-domain:other.com"))).status, 200)
      assertError(yield* server.call(key, get(siteUrl)), 404, "resource_not_found", { resource: acme })
      const { entries } = yield* server.admin.audit.list({ query: { subject: id } })
      assert.deepStrictEqual(entries[0]?.details, { resources: { from: [acme], to: [other] } })
    }))

  it.effect("lets a key count its own calls alone, as it sees them in the log", () =>
    Effect.gen(function*() {
      const { api, call } = yield* TestServer
      ;(yield* LoopbackUpstream).handle(searchConsole)
      const { member, readOnly, reader } = yield* seed()
      const { id, key } = yield* boundKey(member.id, [acme])
      yield* call(readOnly, sitesList)
      yield* call(key, sitesList)
      const counted = Effect.fnUntraced(function*(asking: typeof reader) {
        const { buckets } = yield* asking.stats.read({ query: { group_by: "key" } })
        return buckets.map(({ calls, group }) => `${group === id ? "its own" : "another's"}: ${calls}`)
      })
      assert.sameMembers(yield* counted(reader), ["its own: 1", "another's: 1"])
      assert.deepStrictEqual(yield* counted(api(key)), ["its own: 1"])
    }))

  it.effect("filters lists and keeps the rest of the body, digit by digit", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(searchConsole)
      const { member } = yield* seed()
      const dataFor = Effect.fnUntraced(function*(resources: ReadonlyArray<string> | null) {
        const { key } = yield* boundKey(member.id, resources)
        const { text } = yield* server.call(key, sitesList)
        return text.slice(text.indexOf("\"data\":") + "\"data\":".length, -1)
      })
      assert.strictEqual(yield* dataFor(null), listing)
      assert.strictEqual(yield* dataFor([acme]), ofAcme)
      assert.strictEqual(yield* dataFor([]), "{\"siteEntry\":[],\"more\":[1e400]}")
    }))

  it.effect("of a connection, a key and a grant all apply", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(searchConsole)
      const third = { resource: "gsc:sc-domain:third.com" }
      const { connection, member, readOnly } = yield* seed({ resources: [acme, other] })
      assert.deepStrictEqual(connection.resources, [acme, other])
      const { connections } = yield* server.api(readOnly).connections.list({ query: {} })
      assert.deepStrictEqual(connections.map(({ resources }) => resources), [[acme, other]])
      const { grant, token } = yield* newGrant({ memberId: member.id })
      const changed = yield* server.admin.grants.change({
        params: { id: grant.id },
        payload: { resources: [other, "gsc:sc-domain:third.com"] }
      })
      assert.deepStrictEqual(changed.resources, [other, "gsc:sc-domain:third.com"])
      assert.strictEqual((yield* server.call(readOnly, get(siteUrl))).status, 200)
      assert.strictEqual((yield* server.call(token, get("sc-domain:other.com"))).status, 200)
      assertError(yield* server.call(token, get(siteUrl)), 404, "resource_not_found", { resource: acme })
      assertError(yield* server.call(token, get("sc-domain:third.com")), 404, "resource_not_found", third)
      assertError(yield* server.call(readOnly, get("sc-domain:third.com")), 404, "resource_not_found", third)
    }))

  it.effect("of a parent applies to the connections derived from it, which use its credentials", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(searchConsole)
      const { connection } = yield* seed({ resources: [acme, other] })
      const second = yield* seed()
      const derive = (more: object = {}) =>
        manage("POST", "/connections", {
          parent_id: connection.id,
          client_id: second.client.id,
          label: "Derived",
          ...more
        })
      const made = yield* derive({ resources: [other, "gsc:sc-domain:third.com"] })
      assert.strictEqual(made.status, 201)
      const { connections } = yield* server.admin.managedConnections.list({ query: { client_id: second.client.id } })
      const derived = connections.find(({ parent_id }) => parent_id === connection.id) ?? assert.fail()
      assert.deepStrictEqual(derived.resources, [other, "gsc:sc-domain:third.com"])
      assert.deepStrictEqual(
        [derived.status, derived.scopes, derived.external_account],
        [connection.status, connection.scopes, connection.external_account]
      )
      const shown = yield* server.request("GET", "/v1/connections", { key: second.readOnly })
      assert.include(shown.text, derived.id)
      assert.notInclude(shown.text, "parent_id")

      const named = (siteUrl: string) => ({ ...get(siteUrl), connection_id: derived.id })
      const read = yield* server.call(second.readOnly, named("sc-domain:other.com"))
      assert.strictEqual(read.status, 200)
      assert.strictEqual((yield* loggedCall(second.readOnly, read.callId)).connection_id, derived.id)
      const third = { resource: "gsc:sc-domain:third.com" }
      assertError(yield* server.call(second.readOnly, named("sc-domain:third.com")), 404, "resource_not_found", third)
      assertError(yield* server.call(second.readOnly, named(siteUrl)), 404, "resource_not_found", { resource: acme })

      yield* server.admin.managedConnections.change({ params: { id: connection.id }, payload: { resources: [acme] } })
      assertError(yield* server.call(second.readOnly, named("sc-domain:other.com")), 404, "resource_not_found", {
        resource: other
      })

      const credentials = { refresh_token: "1//refresh-token-0123456789" }
      const reconnect = yield* manage("PUT", `/connections/${derived.id}/credentials`, { credentials })
      assertError(reconnect, 409, "connection_derived")
      assertError(yield* manage("POST", "/connect", { connection_id: derived.id }), 409, "connection_derived")
      assertError(yield* manage("POST", "/connect-links", { connection_id: derived.id }), 409, "connection_derived")
      assert.deepStrictEqual(issuePaths(yield* derive({ parent_id: derived.id })), ["parent_id"])
      assert.deepStrictEqual(issuePaths(yield* derive({ provider: "gsc", resources: ["ga4:1"] })), ["provider"])
      assert.deepStrictEqual(issuePaths(yield* derive({ resources: ["ga4:1"] })), ["resources.0"])
      assert.strictEqual((yield* derive({ parent_id: "con_x" })).status, 404)

      upstream.handle(() => ({ body: {} }))
      yield* server.admin.managedConnections.revoke({ params: { id: derived.id } })
      assert.lengthOf(upstream.requests, 0)
      assert.strictEqual((yield* server.call(second.readOnly, named("sc-domain:other.com"))).status, 409)
    }))

  it.effect("of a connection is chosen from what its account reaches", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(searchConsole)
      const { connection, member } = yield* seed({ resources: [acme] })
      const read = () => manage("GET", `/connections/${connection.id}/resources`)
      assert.deepStrictEqual((yield* read()).json, {
        resources: [
          { resource: acme, name: "https://acme.com/", allowed: true },
          { resource: "gsc:sc-domain:acme.com", name: "sc-domain:acme.com", allowed: false },
          { resource: other, name: "sc-domain:other.com", allowed: false }
        ]
      })
      yield* server.admin.managedConnections.change({ params: { id: connection.id }, payload: { resources: null } })
      assert.notInclude((yield* read()).text, "\"allowed\":false")
      const { key } = yield* server.admin.keys.create({
        payload: { member_id: member.id, name: "managing", manage: ["connections"], resources: [other] }
      })
      const shown = yield* server.request("GET", `/admin/v1/connections/${connection.id}/resources`, { key })
      assert.deepStrictEqual(shown.json, {
        resources: [{ resource: other, name: "sc-domain:other.com", allowed: true }]
      })
      assert.lengthOf(upstream.requests, 1)
      assertError(yield* manage("GET", "/connections/con_x/resources"), 404, "connection_not_found")

      const sheets = yield* seed({ provider: "gsheets", resources: ["gsheets:abc", "gsheets:created"] })
      upstream.handle(() => ({ body: { spreadsheetId: "new-file", properties: { title: "New" } } }))
      const create = {
        provider: "gsheets",
        endpoint: "spreadsheets.create",
        input: { query: { fields: "properties" } }
      }
      assert.strictEqual((yield* server.call(sheets.readWrite, create)).status, 200)
      assert.include(upstream.requests.at(-1)?.url, "fields=spreadsheetId%2Cproperties")
      const { json: files } = yield* manage("GET", `/connections/${sheets.connection.id}/resources`)
      assert.deepStrictEqual(files, {
        resources: [
          { resource: "gsheets:abc", name: "abc", allowed: true },
          { resource: "gsheets:new-file", name: "new-file", allowed: true }
        ]
      })
      assert.strictEqual((yield* server.call(sheets.readOnly, getSheet("new-file"))).status, 200)
      assert.strictEqual((yield* server.call(sheets.readOnly, getSheet("other"))).status, 404)
      const formula = {
        provider: "gsheets",
        endpoint: "values.update",
        input: {
          path: { spreadsheetId: "abc", range: "A1" },
          query: { valueInputOption: "USER_ENTERED" },
          body: { values: [["a", "=importrange(\"other\", \"A1\")"]] }
        }
      }
      const refused = yield* server.call(sheets.readWrite, formula)
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(issuePaths(refused), ["input.body.values.0.1"])
      const raw = { ...formula, input: { ...formula.input, query: { valueInputOption: "RAW" } } }
      assert.strictEqual((yield* server.call(sheets.readWrite, raw)).status, 200)
      const replace = {
        provider: "gsheets",
        endpoint: "spreadsheets.batchUpdate",
        input: {
          path: { spreadsheetId: "abc" },
          body: { requests: [{ findReplace: { find: "a", replacement: "b", allSheets: true, includeFormulas: true } }] }
        }
      }
      assert.strictEqual((yield* server.call(sheets.readWrite, replace)).status, 400)
      const split = { source: { sheetId: 0, startColumnIndex: 0, endColumnIndex: 1 }, delimiterType: "COMMA" }
      const columns = { ...replace.input, body: { requests: [{ textToColumns: split }] } }
      const parts = yield* server.call(sheets.readWrite, { ...replace, input: columns })
      assert.deepStrictEqual(issuePaths(parts), ["input.body.requests.0.textToColumns"])
    }))

  it.effect("of resources that cannot be read, are too many or of another provider is refused", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { connect, member } = yield* seed()
      const payload = { member_id: member.id, name: "bound" }
      const unreadable = ["acme.com", "gsc:acme.com", "ga4:abc", "gsc:created", "nobody:1", "gsheets:a/b"]
      const answer = yield* manage("POST", "/keys", { ...payload, resources: unreadable })
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(issuePaths(answer), unreadable.map((_, index) => `resources.${index}`))
      const many = Array.from({ length: 1001 }, (_, id) => `ga4:${id + 1}`)
      assert.strictEqual((yield* manage("POST", "/keys", { ...payload, resources: many })).status, 400)
      assert.lengthOf(
        (yield* admin.keys.create({ payload: { ...payload, resources: many.slice(1) } })).resources ?? [],
        1000
      )
      const foreign = yield* manage("POST", "/connections", {
        provider: "gsc",
        auth_type: "oauth",
        credentials: { refresh_token: "1//refresh-token-0123456789" },
        label: "Acme",
        resources: [acme, "ga4:1"]
      })
      assert.deepStrictEqual(issuePaths(foreign), ["resources.1"])
      assert.isNull((yield* connect()).resources)
    }))
})
