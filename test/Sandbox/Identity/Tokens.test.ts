import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, clientOf, clientsOf, newRefreshToken, now, sandboxAt, send } from "../SandboxFixture.ts"
import { consentCode, errorOf, exchangeCode, listSites, redirectUri, refresh } from "./Fixture.ts"

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

  it.effect("a refresh token requires offline access", () =>
    Effect.gen(function*() {
      const online = yield* exchangeCode(yield* consentCode({ access_type: "online" }))
      assert.isUndefined(at(online.text, "refresh_token"))
      const offline = yield* exchangeCode(yield* consentCode())
      assert.strictEqual((yield* refresh(String(at(offline.text, "refresh_token")))).status, 200)
    }))

  it.effect("an unknown refresh token is invalid_grant", () =>
    Effect.gen(function*() {
      const good = newRefreshToken("google", scopes.webmasters)
      for (const token of ["", "1//0abc", `${good}x`, newRefreshToken("sitesearch", scopes.webmasterRead)]) {
        assert.deepStrictEqual(errorOf(yield* refresh(token)), [400, "invalid_grant", "Bad Request"])
      }
    }))

  it.effect("a client can authenticate with HTTP Basic, and an unknown client is invalid_client", () =>
    Effect.gen(function*() {
      const { client_id, client_secret } = clientOf("google")
      const form = { grant_type: "refresh_token", refresh_token: newRefreshToken("google", scopes.webmasters) }
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`
      assert.strictEqual((yield* send("googleToken", "", { form, headers: { authorization } })).status, 200)
      const unknown = [401, "invalid_client", "The OAuth client was not found."]
      assert.deepStrictEqual(errorOf(yield* send("googleToken", "", { form })), unknown)
    }))

  it.effect("an unknown grant type is unsupported_grant_type, and GET is 404", () =>
    Effect.gen(function*() {
      const { status, text } = yield* send("googleToken", "", { form: { grant_type: "password" } })
      assert.deepStrictEqual([status, at(text, "error")], [400, "unsupported_grant_type"])
      assert.strictEqual((yield* send("googleRevoke", "?token=x")).status, 404)
    }))

  it.effect("revoking ends the access and refresh tokens of one grant", () =>
    Effect.gen(function*() {
      const [mine, other] = [newRefreshToken("google", scopes.webmasters), newRefreshToken("google", scopes.webmasters)]
      const access = String(at((yield* refresh(mine)).text, "access_token"))
      assert.strictEqual((yield* send("googleRevoke", "", { form: { token: access } })).status, 200)
      assert.strictEqual((yield* listSites(access)).status, 401)
      const revoked = [400, "invalid_grant", "Token has been expired or revoked."]
      assert.deepStrictEqual(errorOf(yield* refresh(mine)), revoked)
      const again = yield* send("googleRevoke", "", { form: { token: mine } })
      assert.deepStrictEqual(errorOf(again).slice(0, 2), [400, "invalid_token"])
      assert.strictEqual((yield* refresh(other)).status, 200)
    }))

  it.effect("a provider responds with 401 without a token and with an unknown token", () =>
    Effect.gen(function*() {
      const missing = yield* send("gsc", "/webmasters/v3/sites")
      assert.strictEqual(missing.status, 401)
      assert.strictEqual(at(missing.text, "error", "details", 0, "reason"), "CREDENTIALS_MISSING")
      const unknown = yield* listSites("ya29.unknown")
      assert.strictEqual(unknown.status, 401)
      assert.include(unknown.headers.get("www-authenticate") ?? "", "invalid_token")
      assert.strictEqual(at(unknown.text, "error", "status"), "UNAUTHENTICATED")
    }))

  it.effect("a token without the scope is 403, with the accepted scopes", () =>
    Effect.gen(function*() {
      const { headers, status, text } = yield* listSites(yield* accessToken("google", scopes.spreadsheets))
      assert.strictEqual(status, 403)
      assert.strictEqual(at(text, "error", "errors", 0, "reason"), "insufficientPermissions")
      assert.strictEqual(at(text, "error", "details", 0, "reason"), "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
      assert.include(headers.get("www-authenticate") ?? "", scopes.webmastersReadonly)
    }))

  it.effect("userinfo requires an identity scope", () =>
    Effect.gen(function*() {
      const allowed = yield* send("googleUserinfo", "", { token: yield* accessToken("google", "openid", "email") })
      assert.strictEqual(at(allowed.text, "email"), "demo@fernhill.example")
      assert.match(String(at(allowed.text, "sub")), /^\d{21}$/)
      const denied = yield* send("googleUserinfo", "", { token: yield* accessToken("google", scopes.webmasters) })
      assert.strictEqual(denied.status, 403)
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

  it.effect("a code expires after ten minutes", () =>
    Effect.gen(function*() {
      const code = yield* consentCode()
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(errorOf(yield* exchangeCode(code)).slice(0, 2), [400, "invalid_grant"])
    }))
})
