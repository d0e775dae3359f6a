import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assertNotLogged, memberWith, seededServer, sitesGet } from "../../../Http/Fixture.ts"
import { LoopbackUpstream } from "../../../support/LoopbackUpstream.ts"
import { seed } from "../../../support/TestServer.ts"
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
      assert.strictEqual(
        (yield* describe({ provider: "gs", endpoint: "x" })).value["error"].code,
        "provider_not_found"
      )
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
