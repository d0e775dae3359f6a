import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signRefreshToken } from "../../src/Sandbox/Identity/Identity.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { errorIn } from "../support/Answer.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import { sandboxServer } from "./SandboxServer.ts"

const Counting = sandboxServer({ SANDBOX_QUOTAS: "on", QUOTAS: JSON.stringify({ "gsheets.read.account": 2 }) })

layer(Counting.pipe(Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
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
        const grant = { grant: "another", account: sheets.external_account, scope: sheets.scopes.join(" ") }
        const second = yield* seed({ ...sheets, credentials: { refresh_token: signRefreshToken("google", grant) } })
        const refused = yield* call(second.readOnly)
        assert.strictEqual(errorIn(refused).code, "upstream_error")
        assert.include(refused.text, "ReadRequestsPerMinutePerUser")
        assert.strictEqual(errorIn(yield* call(second.readOnly)).code, "rate_limited")
      }))
  }
)
