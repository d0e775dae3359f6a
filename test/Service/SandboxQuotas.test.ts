import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { errorIn } from "../support/Answer.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import { sandboxServer } from "./SandboxServer.ts"

const serverWith = (quotas: string) =>
  sandboxServer({ SANDBOX_QUOTAS: "on", QUOTAS: quotas }).pipe(Layer.provideMerge(TestDataDir.layer))

layer(serverWith(JSON.stringify({ "gsheets.read.account": 2 })), { excludeTestServices: true })(
  "SANDBOX_QUOTAS=on",
  (it) => {
    it.effect("refuses calls beyond a quota as the provider does, which the service then keeps to", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const sheets = (yield* Sandbox).connections.find(({ provider }) => provider === "gsheets") ??
          assert.fail("no spreadsheets")
        const call = (key: string) =>
          server.request("POST", "/v1/call", {
            key,
            headers: { prefer: "wait=0" },
            body: {
              provider: "gsheets",
              endpoint: "values.get",
              input: { path: { spreadsheetId: leadsId, range: "A1:B2" } }
            }
          })
        const first = yield* seed(sheets)
        assert.deepStrictEqual([(yield* call(first.readOnly)).status, (yield* call(first.readOnly)).status], [200, 200])
        assert.strictEqual(errorIn(yield* call(first.readOnly)).code, "rate_limited")

        // The service does not know that this is the same account, as when another application uses it.
        const second = yield* seed({ ...sheets, external_account: "unknown@example.com" })
        const refused = yield* call(second.readOnly)
        assert.strictEqual(errorIn(refused).code, "upstream_error")
        assert.include(refused.text, "ReadRequestsPerMinutePerUser")
        assert.strictEqual(errorIn(yield* call(second.readOnly)).code, "rate_limited")
      }))
  }
)

layer(serverWith("off"), { excludeTestServices: true })("SANDBOX_QUOTAS=on beside QUOTAS=off", (it) => {
  it.effect("refuses calls that the service does not count", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const search = (yield* Sandbox).connections.find(({ provider }) => provider === "sitesearch") ??
        assert.fail("no site search")
      const { readOnly } = yield* seed(search)
      const call = server.request("POST", "/v1/call", {
        key: readOnly,
        body: { provider: "sitesearch", endpoint: "GetUserSites", input: {} }
      })
      for (let sent = 1; sent <= 10; sent++) assert.strictEqual((yield* call).status, 200)
      const refused = yield* call
      assert.strictEqual(errorIn(refused).code, "upstream_error")
      assert.include(refused.text, "ThrottleHost")
      const listed = yield* server.request("GET", "/v1/quotas", { key: readOnly })
      assert.deepStrictEqual(listed.json, { quotas: [] })
    }))
})
