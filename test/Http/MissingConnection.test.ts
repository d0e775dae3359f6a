import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { callTool } from "../Agents/Mcp/McpFixture.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { originOf } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { memberWith, sitesList } from "./Fixture.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.Struct({
      provider: Schema.String,
      connect_url: Schema.optionalKey(Schema.String),
      active: Schema.optionalKey(Schema.Array(Schema.Unknown)),
      reason: Schema.String
    })
  })
})
const decode = Schema.decodeUnknownSync(ErrorBody, { onExcessProperty: "error" })
const errorOf = (json: unknown) => decode({ error: Object(json).error }).error

const revoke = Effect.fnUntraced(function*(id: string) {
  ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
  yield* (yield* TestServer).admin.managedConnections.revoke({ params: { id } })
})

const pages = Effect.map(TestServer, (server) => `${originOf(server)}/dashboard/connections`)

layer(TestServer.layer, { excludeTestServices: true })("A missing connection", (it) => {
  it.effect("comes with the page that connects an account of the provider", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const { client, readOnly } = yield* seed()
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
      const { call } = yield* TestServer
      const { connect, connection, readOnly } = yield* seed()
      const other = yield* connect({ provider: "ga4", label: "Shop figures" })
      const { details, message } = errorOf((yield* call(readOnly, { ...sitesList, connection_id: other.id })).json)
      assert.deepInclude(details, {
        reason: "other_provider",
        active: [{ id: connection.id, label: connection.label }]
      })
      assert.include(message, "\"Shop figures\" is a connection of ga4, not of gsc")
    }))

  it.effect("that is inactive comes with the page that reconnects it, and with active ones", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const { connect, connection, readOnly } = yield* seed()
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

  it.effect("has the same code and details over MCP, and is worded for agents", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const { member } = yield* seed()
      const { token } = yield* newGrant({ memberId: member.id })
      const ga4 = { provider: "ga4", endpoint: "accountSummaries.list" }
      const rest = errorOf((yield* call(token, ga4)).json)
      const mcp = errorOf((yield* callTool(token, "call_read_endpoint", ga4)).value)
      assert.deepStrictEqual([mcp.code, mcp.details], [rest.code, rest.details])
      assert.include(mcp.message, "request_connection")
      assert.notInclude(rest.message, "request_connection")
    }))
})
