import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { maxChoices } from "../../src/Api/Errors.ts"
import type { Connection, CreateConnection } from "../../src/Domain/Connection.ts"
import { assertError, errorIn } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { originOf } from "../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { tokenEndpoint } from "./ErrorCases.ts"
import {
  clearRange,
  connectionsOf,
  deriveFor,
  manage,
  memberWith,
  messagesTo,
  noSites,
  seededServer,
  sitesGet,
  sitesList,
  webhookFor
} from "./Fixture.ts"

const MissingConnection = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.Struct({
    provider: Schema.String,
    connect_url: Schema.optionalKey(Schema.String),
    active: Schema.optionalKey(Schema.Array(Schema.Unknown)),
    more: Schema.optionalKey(Schema.Int),
    reason: Schema.String
  })
})
const decode = Schema.decodeUnknownSync(MissingConnection, { onExcessProperty: "error" })
const errorOf = (json: unknown) => decode(Object(json).error)

const revoke = Effect.fnUntraced(function*(id: string) {
  ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
  yield* (yield* TestServer).admin.managedConnections.revoke({ params: { id } })
})

const pages = Effect.map(TestServer, (server) => `${originOf(server)}/dashboard/connections`)

layer(TestServer.layer, { excludeTestServices: true })("A missing connection", (it) => {
  it.effect("comes with the page that connects an account of the provider", () =>
    Effect.gen(function*() {
      const { call, client, readOnly } = yield* seededServer()
      const ga4 = { provider: "ga4", endpoint: "accountSummaries.list" }
      const one = errorOf((yield* call(readOnly, ga4)).json)
      const url = `${yield* pages}/connect?provider=ga4`
      assert.deepInclude(one, {
        code: "connection_not_found",
        details: { provider: "ga4", connect_url: `${url}&client=${client.id}`, reason: "not_connected" }
      })
      assert.include(one.message, `${url}&client=${client.id}`)
      const everyClient = yield* memberWith(null)
      const other = { ...ga4, connection_id: "con_x" }
      assert.strictEqual(errorOf((yield* call(everyClient.readOnly, other)).json).details.connect_url, url)
    }))

  it.effect("of a member who may connect nothing names an admin", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const { readOnly } = yield* memberWith([])
      const { details, message } = errorOf((yield* call(readOnly, sitesList)).json)
      assert.deepStrictEqual(details, { provider: "gsc", reason: "not_connected" })
      assert.include(message, "The member sees no client, and so no connection of Search Console. Ask an admin")
    }))

  it.effect("says that a visible connection is of another provider, and which are of this one", () =>
    Effect.gen(function*() {
      const { call, connect, connection, readOnly } = yield* seededServer()
      const other = yield* connect({ provider: "ga4", label: "Shop figures" })
      const { details, message } = errorOf((yield* call(readOnly, { ...sitesList, connection_id: other.id })).json)
      assert.deepInclude(details, {
        reason: "other_provider",
        active: [{ id: connection.id, label: connection.label }]
      })
      assert.include(message, "\"Shop figures\" is a connection of ga4, not of gsc")
    }))

  it.effect("names the three connections whose labels are nearest to what was passed, and how many more there are", () =>
    Effect.gen(function*() {
      const { call, connect, readOnly } = yield* seededServer()
      const labels = ["Harbour Market", "Oak & Ivy", "Harbor Kayaks", "Tidewell"]
      yield* Effect.forEach(labels, (label) => connect({ label }))
      const { details, message } = errorOf(
        (yield* call(readOnly, { ...sitesList, connection_id: "harbor kayak" })).json
      )
      assert.strictEqual(details.active?.length, 3)
      assert.deepInclude(details.active?.[0], { label: "Harbor Kayaks" })
      assert.strictEqual(details.more, 2)
      assert.include(message, "There are 2 more: see GET /v1/connections.")
    }))

  it.effect("that is inactive comes with the page that reconnects it, and with active ones", () =>
    Effect.gen(function*() {
      const { call, connect, connection, readOnly } = yield* seededServer()
      yield* revoke(connection.id)
      const named = { ...sitesList, connection_id: connection.id }
      const reconnect = `${yield* pages}/${connection.id}/reconnect`
      const { code, details } = errorOf((yield* call(readOnly, named)).json)
      assert.strictEqual(code, "connection_inactive")
      assert.deepStrictEqual(details, { provider: "gsc", connect_url: reconnect, reason: "revoked" })
      const second = yield* connect({ label: "Second" })
      const { details: { active } } = errorOf((yield* call(readOnly, named)).json)
      assert.deepStrictEqual(active, [{ id: second.id, label: "Second" }])
    }))
})

const cutsOff: Handler = () => (response) => response.destroy()
const throttles: Handler = () => ({ status: 429, body: { error: { code: 429 } } })

const giveToken: Handler = () => ({ body: { access_token: "ya29.new-0123456789", expires_in: 3599 } })
const get = (siteUrl: string) => ({ ...sitesGet, input: { path: { siteUrl } } })

const lastError = ({ client_id, id }: Connection) =>
  Effect.map(
    connectionsOf(client_id ?? ""),
    (connections) => connections.find((connection) => connection.id === id)?.last_error ?? null
  )

layer(TestServer.layer, { excludeTestServices: true })("The last error of a connection", (it) => {
  it.effect("is set by a call that fails because of the connection, and cleared by the next success, but not by the cache", () =>
    Effect.gen(function*() {
      const { connection, reader, upstream } = yield* seededServer(cutsOff)
      const before = Date.now()
      yield* assertFails(reader.call.call({ payload: sitesList }), "upstream_unreachable")
      const set = yield* lastError(connection)
      assert.strictEqual(set?.code, "upstream_unreachable")
      assert.isAtLeast(set?.at.getTime() ?? 0, before)
      assert.deepStrictEqual((yield* reader.connections.list({ query: {} })).connections[0]?.last_error, set)

      upstream.handle(throttles)
      yield* assertFails(reader.call.call({ payload: sitesList }), "upstream_error", { error: { code: 429 } })
      assert.deepStrictEqual(yield* lastError(connection), set)

      upstream.handle(noSites)
      yield* reader.call.call({ payload: sitesList })
      assert.isNull(yield* lastError(connection))

      const other = yield* seed()
      yield* other.reader.call.call({ payload: sitesList })
      upstream.handle(cutsOff)
      yield* assertFails(other.reader.call.call({ payload: sitesList }), "upstream_unreachable")
      assert.isTrue((yield* other.reader.call.call({ payload: { ...sitesList, max_age: 60 } })).cached)
      assert.isNotNull(yield* lastError(other.connection))
    }))

  it.effect("is set and cleared by a connection test", () =>
    Effect.gen(function*() {
      const { admin, connection, upstream } = yield* seededServer(cutsOff)
      assertError(yield* manage("POST", `/connections/${connection.id}/test`), 502, "upstream_unreachable")
      assert.strictEqual((yield* lastError(connection))?.code, "upstream_unreachable")
      upstream.handle(noSites)
      yield* admin.managedConnections.test({ params: { id: connection.id } })
      assert.isNull(yield* lastError(connection))
    }))

  it.effect("is left alone by refusals about one resource, which name the nearest and ask for the list once", () =>
    Effect.gen(function*() {
      const sites = ["https://www.acme.com/shop/", "https://acne.com/", "sc-domain:acme.com", "sc-domain:zoo.example"]
      const forbids = { status: 403, body: { error: { code: 403, message: "No.", errors: [{ reason: "forbidden" }] } } }
      const list = { body: { siteEntry: sites.map((siteUrl) => ({ siteUrl, permissionLevel: "siteOwner" })) } }
      const answers = (ofList: ReturnType<Handler>) =>
        tokenEndpoint(giveToken, ({ url }) => url.endsWith("/sites") ? ofList : forbids)
      const account = { auth_type: "service_account", credentials: keyFile, external_account: "sa@acme.test" } as const

      const { call, connect, connection, readOnly, upstream } = yield* seededServer(answers(list), account)
      const refused = yield* call(readOnly, get("https://acme.com/"))
      assertError(refused, 502, "credentials_rejected", {
        reason: "resource_not_shared",
        resource: "gsc:https://acme.com/",
        nearest: ["gsc:sc-domain:acme.com", "gsc:https://www.acme.com/shop/", "gsc:https://acne.com/"]
      })
      const advice = "gsc:https://acne.com/. Correct the name, or have it shared with sa@acme.test"
      assert.include(errorIn(refused).message, advice)
      yield* call(readOnly, get("https://amce.com/"))
      assert.lengthOf(upstream.requests.filter(({ url }) => url.endsWith("/sites")), 1)
      assert.isNull(yield* lastError(connection))

      const bound = yield* connect({ ...account, resources: ["gsc:https://acme.com/", "gsc:sc-domain:zoo.example"] })
      const within = yield* call(readOnly, { ...get("https://acme.com/"), connection_id: bound.id })
      assert.deepStrictEqual(Object(errorIn(within).details).nearest, ["gsc:sc-domain:zoo.example"])

      const own = `gsheets:${clearRange.input.path.spreadsheetId}`
      const files = yield* connect({ ...account, provider: "gsheets", resources: [own, `${own}f`] })
      const file = yield* call(readOnly, { ...readRange, connection_id: files.id })
      assert.deepStrictEqual(Object(errorIn(file).details).nearest, [`${own}f`])

      const dead = yield* connect(account)
      upstream.handle(answers(forbids))
      assertError(
        yield* call(readOnly, { ...get("https://acme.com/"), connection_id: dead.id }),
        502,
        "credentials_rejected",
        forbids.body
      )
      assert.strictEqual((yield* lastError(dead))?.code, "credentials_rejected")
    }))

  it.effect("is shown for each connection in connection_ambiguous", () =>
    Effect.gen(function*() {
      const { call, client: { id, name }, connect, connection: good, readOnly, reader } = yield* seededServer(cutsOff, {
        external_account: "ada@example.com"
      })
      const dead = yield* connect({ label: "dead", external_account: null })
      yield* assertFails(
        reader.call.call({ payload: { ...sitesList, connection_id: dead.id } }),
        "upstream_unreachable"
      )
      const last_error = yield* lastError(dead)
      assertError(yield* call(readOnly, sitesList), 400, "connection_ambiguous", {
        connection_ids: [dead.id, good.id],
        connections: [
          {
            id: dead.id,
            label: "dead",
            client: { id, name },
            external_account: null,
            last_error: { code: "upstream_unreachable", at: last_error?.at.toISOString() }
          },
          {
            id: good.id,
            label: good.label,
            client: { id, name },
            external_account: "ada@example.com",
            last_error: null
          }
        ]
      })
    }))

  it.effect("does not make connection_ambiguous long: it names all ids and describes a hundred connections", () =>
    Effect.gen(function*() {
      const { call, connect, readOnly } = yield* seededServer(cutsOff)
      yield* Effect.forEach(Array.from({ length: maxChoices }), () => connect({ label: "x".repeat(200) }))
      const { details } = errorIn(yield* call(readOnly, sitesList))
      assert.lengthOf(Object(details).connection_ids, maxChoices + 1)
      assert.lengthOf(Object(details).connections, maxChoices)
    }))
})

const readRange = { ...clearRange, endpoint: "values.get", max_age: 600 }

const setUp = Effect.fnUntraced(function*(connection?: Partial<CreateConnection>) {
  const { admin } = yield* TestServer
  const owner = yield* seed(connection)
  const client = yield* admin.clients.create({ payload: { name: "Shared with" } })
  const derived = yield* deriveFor(client, owner.connection)
  return { owner, derived, guest: yield* memberWith([client.id]) }
})

layer(TestServer.layer, { excludeTestServices: true })("A derived connection", (it) => {
  it.effect("and its parent read anew after a write of either", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      let count = 0
      ;(yield* LoopbackUpstream).handle(() => ({ body: { answer: ++count } }))
      const { guest, owner } = yield* setUp({ provider: "gsheets" })
      const isCached = (key: string) => Effect.map(call(key, readRange), ({ json }) => Object(json).cached)
      const both = Effect.all([isCached(owner.readOnly), isCached(guest.readOnly)])
      assert.deepStrictEqual(yield* both, [false, false])
      assert.deepStrictEqual(yield* both, [true, true])
      for (const writer of [guest.readWrite, owner.readWrite]) {
        assert.strictEqual((yield* call(writer, clearRange)).status, 200)
        assert.deepStrictEqual(yield* both, [false, false])
        assert.deepStrictEqual(yield* both, [true, true])
      }
    }))

  it.effect("expires with its parent, which is the one to reconnect", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const { id } = yield* webhookFor("connection.expired")
      const { derived, guest, owner } = yield* setUp({ credentials: expiredGrant("shared") })
      assertError(yield* server.call(guest.readOnly, sitesList), 401, "credentials_expired")
      const told = (yield* messagesTo(id)).map(({ data }) => data)
      assert.deepStrictEqual(
        told.map(({ connect_url, connection: { id, status } }) => [id, status, connect_url === null]),
        [[owner.connection.id, "expired", false], [derived.id, "expired", true]]
      )

      const named = { ...sitesList, connection_id: derived.id }
      const detailsOf = (key: string) => Effect.map(server.call(key, named), ({ json }) => Object(json).error.details)
      assert.deepStrictEqual(yield* detailsOf(guest.readOnly), { provider: "gsc", reason: "expired" })
      const everyClient = yield* memberWith(null)
      assert.strictEqual(
        (yield* detailsOf(everyClient.readOnly)).connect_url,
        `${originOf(server)}/dashboard/connections/${owner.connection.id}/reconnect`
      )
    }))
})
