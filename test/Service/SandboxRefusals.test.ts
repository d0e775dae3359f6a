import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { connectAll, SandboxServer } from "./SandboxServer.ts"

const spreadsheetId = "sandbox-leads"
const batchUpdate = (...requests: ReadonlyArray<object>) => ({
  provider: "gsheets",
  endpoint: "spreadsheets.batchUpdate",
  input: { path: { spreadsheetId }, body: { requests } }
})
const runReport = (property: string, metric: string) => ({
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: `properties/${property}` },
    body: { dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }], metrics: [{ name: metric }] }
  }
})

const denied = {
  gsc: { endpoint: "sites.get", input: { path: { siteUrl: "https://permission-denied.sandbox.test/" } } },
  ga4: { ...runReport("990004", "sessions"), provider: undefined },
  gsheets: { endpoint: "values.get", input: { path: { spreadsheetId: "sandbox-permission-denied", range: "A1" } } },
  gdocs: { endpoint: "documents.get", input: { path: { documentId: "sandbox-permission-denied" } } }
}

const resources = {
  gsc: "gsc:https://permission-denied.sandbox.test/",
  ga4: "ga4:properties/990004",
  gsheets: "gsheets:sandbox-permission-denied",
  gdocs: "gdocs:sandbox-permission-denied"
}

layer(SandboxServer, { excludeTestServices: true })("What the sandbox refuses", (it) => {
  it.effect("is upstream_error 501 in its words, also many times", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const key = yield* connectAll
      const calls = [
        ...Array.from({ length: 9 }, () => runReport("410000011", "active7DayUsers")),
        batchUpdate({ addChart: { chart: {} } })
      ]
      for (const payload of calls) {
        const answer = yield* call(key, payload)
        assert.deepStrictEqual([answer.status, errorIn(answer).code], [501, "upstream_error"], answer.text)
        assert.match(errorIn(answer).message, /The sandbox does not carry out .*; the provider does\.$/)
      }
    }))

  it.effect("is 404 for a file whose id the database cannot hold", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const key = yield* connectAll
      const calls = [
        { provider: "gsheets", endpoint: "spreadsheets.get", input: { path: { spreadsheetId: "a\0" } } },
        { provider: "gdocs", endpoint: "documents.get", input: { path: { documentId: "a\0" } } }
      ]
      for (const payload of calls) {
        const answer = yield* call(key, payload)
        assert.deepStrictEqual([answer.status, errorIn(answer).code], [404, "upstream_error"], answer.text)
      }
    }))

  for (const [provider, payload] of Object.entries(denied)) {
    it.effect(`about one resource says nothing about a service account: ${provider}`, () =>
      Effect.gen(function*() {
        const { admin, call } = yield* TestServer
        const resource = resources[provider as keyof typeof resources]
        const { connection, readOnly } = yield* seed({ provider, auth_type: "service_account", credentials: keyFile })
        const answer = yield* call(readOnly, { ...payload, provider })
        const { nearest, ...details } = Object(errorIn(answer).details)
        assert.deepStrictEqual([answer.status, errorIn(answer).code, details], [502, "credentials_rejected", {
          reason: "resource_not_shared",
          resource
        }])
        assert.lengthOf(nearest, provider === "gsc" || provider === "ga4" ? 3 : 0)
        for (const each of nearest) assert.include(errorIn(answer).message, each)
        assert.notMatch(errorIn(answer).message, /reconnect/i)
        const { connections } = yield* admin.managedConnections.list({
          query: { client_id: connection.client_id ?? "" }
        })
        const found = connections.find(({ id }) => id === connection.id)
        assert.deepInclude(found, { last_error: null, health: { state: "ok", reasons: [] } })
      }))
  }

  it.effect("before a write leaves its Idempotency-Key free", () =>
    Effect.gen(function*() {
      const { call, request } = yield* TestServer
      const key = yield* connectAll
      const body = {
        provider: "gsheets",
        tool: "sheets_append_rows",
        input: { spreadsheet: spreadsheetId, tab: "Later", rows: [{ Name: "a" }], create_headers: true }
      }
      const append = request("POST", "/v1/call", { key, body, headers: { "idempotency-key": "later" } })
      assertError(yield* append, 400, "invalid_input", errorIn(yield* append).details)
      assert.strictEqual((yield* call(key, batchUpdate({ addSheet: { properties: { title: "Later" } } }))).status, 200)
      const written = yield* append
      assert.strictEqual(written.status, 200, written.text)
      const again = yield* append
      assert.deepStrictEqual([again.text, again.headers.get("idempotency-replayed")], [written.text, "true"])
    }))
})
