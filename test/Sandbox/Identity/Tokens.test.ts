import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, clientsOf, now, sandboxAt } from "../SandboxFixture.ts"
import { consentCode, errorOf, exchangeCode, listSites, redirectUri } from "./Fixture.ts"

layer(clientsOf(sandboxAt(now)))("Tokens", (it) => {
  it.effect("a code requires its verifier, its redirect URI and the client secret, and works once", () =>
    Effect.gen(function*() {
      const code = yield* consentCode()
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, number, string]> = [
        [{ code_verifier: "another" }, 400, "invalid_grant"],
        [{ redirect_uri: `${redirectUri}/` }, 400, "redirect_uri_mismatch"],
        [{ client_secret: "no" }, 401, "invalid_client"]
      ]
      for (const [changed, status, error] of wrong) {
        assert.deepStrictEqual(errorOf(yield* exchangeCode(code, changed)).slice(0, 2), [status, error])
      }
      assert.strictEqual((yield* exchangeCode(code)).status, 200)
      assert.deepStrictEqual(errorOf(yield* exchangeCode(code)), [400, "invalid_grant", "Malformed auth code."])
    }))
})

layer(clientsOf(sandboxAt(now)))("Expiry", (it) => {
  it.effect("an access token expires after an hour", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.webmasters)
      yield* TestClock.adjust("3598 seconds")
      assert.strictEqual((yield* listSites(token)).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* listSites(token)).status, 401)
    }))
})
