import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assertNotLogged, memberWith, seededServer, sitesGet } from "../../../Http/Fixture.ts"
import { LoopbackUpstream } from "../../../support/LoopbackUpstream.ts"
import { newGrant } from "../../../support/NewGrant.ts"
import { keyFor, seed, TestServer } from "../../../support/TestServer.ts"
import { callTool, listTools, type McpTests, pluck } from "../McpFixture.ts"

const names = (key: string) => Effect.map(listTools(key), ({ tools }) => tools.map(({ name }) => name))

export const tools: McpTests = (it) => {
  it.effect("lists tools by rights and by visible connections", () =>
    Effect.gen(function*() {
      const { admin, connect, connection, readOnly, readWrite } = yield* seededServer()
      const general = ["list_connections", "describe_endpoint", "call_read_endpoint", "ask_all", "query_result"]
      assert.deepStrictEqual(yield* names(readOnly), [...general, "gsc_top_queries", "gsc_quick_wins"])
      yield* connect({ provider: "gsheets" })
      assert.includeMembers(yield* names(readWrite), ["call_write_endpoint", "sheets_read", "sheets_append_rows"])
      assert.deepStrictEqual(
        [...yield* names(readOnly)].slice(general.length),
        ["gsc_top_queries", "gsc_quick_wins", "sheets_read", "sheets_list_tabs"]
      )
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      assert.notInclude(yield* names(readOnly), "gsc_top_queries")
      const { value } = yield* callTool(readOnly, "list_connections")
      assert.deepStrictEqual(pluck(value.connections, "provider"), ["gsheets"])

      const nothing = yield* memberWith([])
      const { tools } = yield* listTools(nothing.readOnly)
      assert.deepStrictEqual(tools.map(({ name }) => name), general)
      assert.isNotEmpty(tools[0]?.inputSchema["properties"].provider.enum)
    }))

  it.effect("describes an endpoint, a large one in parts", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const describe = (args: object) => callTool(readOnly, "describe_endpoint", args)
      const small = yield* describe({ provider: "gsc", endpoint: "sites.get" })
      assert.deepInclude(small.value, { writes: false, call_with: "call_read_endpoint", method: "GET" })
      assert.isUndefined(small.value["parts"])
      yield* assertNotLogged(readOnly, small.answer.callId)

      const batch = { provider: "gsheets", endpoint: "spreadsheets.batchUpdate" }
      const whole = yield* describe(batch)
      assert.isAtMost(whole.text.length, 16_000)
      assert.strictEqual(whole.value["parts"].addSheet, "Adds a sheet.")
      assert.strictEqual(whole.value["call_with"], "call_write_endpoint")
      const report = yield* describe({ provider: "ga4", endpoint: "properties.runReport" })
      assert.includeMembers(Object.keys(report.value["input_schema"].$defs), ["DateRange", "Dimension", "Metric"])
      assert.isAtMost(report.text.length, 5000)
      assert.isNotEmpty(report.value["example"].body)
      const definitions = { addSheet: "SheetProperties", repeatCell: "TextFormat", updateCells: "CellData" }
      for (const [part, definition] of Object.entries(definitions)) {
        const { text, value } = yield* describe({ ...batch, part })
        assert.isAtMost(text.length, 16_000)
        assert.property(value["schema"].$defs, definition)
      }
      const { value } = yield* describe({ ...batch, part: "addsheets" })
      assert.include(JSON.stringify(value["error"].details), "addSheet")
      assert.strictEqual((yield* describe({ provider: "gs", endpoint: "x" })).value["error"].code, "provider_not_found")
      for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
        const codeOf = (args: object) => Effect.map(describe(args), ({ value }) => value["error"]?.code)
        assert.deepStrictEqual(
          [
            yield* codeOf({ provider: name, endpoint: "x" }),
            yield* codeOf({ provider: "gsheets", endpoint: name }),
            yield* codeOf({ ...batch, part: name }),
            yield* codeOf({ provider: "gsc", endpoint: "sites.get", part: name })
          ],
          ["provider_not_found", "endpoint_not_found", "invalid_input", "invalid_input"]
        )
      }
      const empty = yield* describe({ ...sitesGet })
      assert.deepStrictEqual(empty.value["error"].details, [
        { path: ["input"], message: "Unknown field: the nearest are `endpoint`, `part`, `provider`" }
      ])
    }))
}

const named = (key: string) =>
  Effect.map(listTools(key), ({ tools }) => tools.find(({ name }) => name === "request_connection"))

const linkOf = Effect.fnUntraced(function*(url: string) {
  const { request } = yield* TestServer
  const { pathname } = new URL(url)
  return yield* request("GET", pathname, { headers: { accept: "text/html" } })
})

export const requestConnection: McpTests = (it) => {
  it.effect("request_connection gives an agent a link for reading, for a provider that has no active connection", () =>
    Effect.gen(function*() {
      const { admin, client, connection, member } = yield* seededServer()
      const { grant, token } = yield* newGrant({ memberId: member.id })
      const tool = yield* named(token)
      assert.deepStrictEqual(tool?.inputSchema["properties"].provider.enum, ["ga4", "sitesearch", "gsheets", "gdocs"])
      assert.isFalse(tool?.annotations["readOnlyHint"])

      const { value: listed } = yield* callTool(token, "list_connections")
      assert.deepInclude(listed["connections"][0], { id: connection.id, client: client.name })
      assert.deepInclude(listed["not_connected"], {
        provider: "ga4",
        tools: ["ga4_traffic_by_page", "ga4_list_properties"]
      })

      const { isError, text, value } = yield* callTool(token, "request_connection", {
        provider: "ga4",
        label: "Shop figures"
      })
      assert.isFalse(isError, text)
      const page = yield* linkOf(value["url"])
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "Analytics")
      const { connect_links: [link] } = yield* admin.connectLinks.list({ query: {} })
      assert.deepInclude(link, { client_id: client.id, providers: ["ga4"], access: "read_only", label: "Shop figures" })

      yield* admin.grants.revoke({ params: { id: grant.id } })
      assert.strictEqual((yield* linkOf(value["url"])).status, 410)
    }))

  it.effect("request_connection asks which client, when the member sees several, and takes no other", () =>
    Effect.gen(function*() {
      const [first, second, foreign] = [yield* seed(), yield* seed(), yield* seed()]
      const { member } = yield* memberWith([first.client.id, second.client.id])
      const { token } = yield* newGrant({ memberId: member.id })
      const request = (args: object) => callTool(token, "request_connection", { provider: "ga4", ...args })
      const { value } = yield* request({})
      const [issue] = value["error"].details
      assert.deepStrictEqual(issue.path, ["client_id"])
      for (const { client } of [first, second]) assert.include(issue.message, `${client.id} (${client.name})`)
      assert.notInclude(issue.message, foreign.client.id)
      const refused = yield* request({ client_id: foreign.client.id })
      assert.strictEqual(refused.value["error"].code, "client_not_found")
      for (const client_id of [second.client.id, second.client.name.toUpperCase()]) {
        assert.strictEqual((yield* request({ client_id })).value["client_id"], second.client.id)
      }
      const misspelt = yield* request({ client_id: `${second.client.name}s` })
      assert.include(misspelt.text, `The nearest are ${second.client.id}`)
    }))

  it.effect("request_connection makes no link for a provider that is connected, and names those that are not", () =>
    Effect.gen(function*() {
      const { admin, client, member } = yield* seededServer()
      const { token } = yield* newGrant({ memberId: member.id })
      const { value } = yield* callTool(token, "request_connection", { provider: "gsc" })
      assert.strictEqual(value["error"].code, "invalid_input")
      const [issue] = value["error"].details
      assert.deepStrictEqual(issue.path, ["provider"])
      assert.include(issue.message, "ga4, sitesearch, gsheets, gdocs")
      const unknown = yield* callTool(token, "request_connection", { provider: "gcal" })
      assert.strictEqual(unknown.value["error"].code, "provider_not_found")
      const { connect_links } = yield* admin.connectLinks.list({ query: { limit: 100 } })
      assert.isFalse(connect_links.some(({ client_id }) => client_id === client.id))
    }))

  it.effect("request_connection is for keys that may make connect links", () =>
    Effect.gen(function*() {
      const { member, readWrite } = yield* seededServer()
      assert.isUndefined(yield* named(readWrite))
      const refused = yield* callTool(readWrite, "request_connection", { provider: "ga4" })
      assert.strictEqual(refused.value["error"].code, "forbidden")
      const key = yield* keyFor(member, { manage: ["connect_links"] })
      assert.isDefined(yield* named(key))
      assert.isFalse((yield* callTool(key, "request_connection", { provider: "ga4" })).isError)
    }))
}
