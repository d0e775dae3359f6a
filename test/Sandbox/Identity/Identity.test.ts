import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import { OAuth } from "../../../src/Providers/OAuth/OAuth.ts"
import { sitesearchIdentity } from "../../../src/Providers/Sitesearch/IdentityProvider.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import {
  accessToken,
  at,
  clientOf,
  clientsOf,
  newRefreshToken,
  now,
  type Received,
  sandboxAt,
  send
} from "../SandboxFixture.ts"

const redirectUri = "http://127.0.0.1:8787/connect/callback"
const verifier = "a-verifier-of-at-least-forty-three-characters-0123"
const codeChallenge = createHash("sha256").update(verifier).digest("base64url")

const authorizationRequest = {
  client_id: clientOf("google").client_id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: `${scopes.webmastersReadonly} openid email`,
  access_type: "offline",
  state: "a state",
  code_challenge: codeChallenge,
  code_challenge_method: "S256"
}

const authorize = (changed: Readonly<Record<string, string>> = {}) =>
  send("googleAuth", `?${new URLSearchParams({ ...authorizationRequest, ...changed })}`)

const locationOf = ({ headers }: Received) => new URL(headers.get("location") ?? "")

const consent = (changed: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    authorize({ ...changed, consent: "allow" }),
    (received) => locationOf(received).searchParams.get("code") ?? ""
  )

const exchange = (code: string, changed: Readonly<Record<string, string>> = {}) =>
  send("googleToken", "", {
    form: {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...clientOf("google"),
      ...changed
    }
  })

const refresh = (refreshToken: string, changed: Readonly<Record<string, string>> = {}) =>
  send("googleToken", "", {
    form: { grant_type: "refresh_token", refresh_token: refreshToken, ...clientOf("google"), ...changed }
  })

const sites = (token: string) => send("gsc", "/webmasters/v3/sites", { token })

const errorOf = ({ status, text }: Received) => [status, at(text, "error"), at(text, "error_description")]

layer(clientsOf(sandboxAt(now)))("Authorization", (it) => {
  it.effect("shows a consent page with the application and the scopes", () =>
    Effect.gen(function*() {
      const { status, text } = yield* authorize({ login_hint: "<script>@fernhill.example" })
      assert.strictEqual(status, 200)
      assert.include(text, "built-in provider sandbox")
      assert.include(text, scopes.webmastersReadonly)
      assert.include(text, "127.0.0.1:8787")
      assert.notInclude(text, "<script>")
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&#38;", "&"))
      const answers = yield* Effect.forEach(links, (link) => send("googleAuth", link))
      assert.deepStrictEqual(answers.map((answer) => [answer.status, locationOf(answer).searchParams.get("error")]), [
        [302, null],
        [302, "access_denied"]
      ])
    }))

  it.effect("redirects with a code, the scopes and the state", () =>
    Effect.gen(function*() {
      const answer = yield* authorize({ prompt: "none" })
      assert.strictEqual(answer.status, 302)
      const location = locationOf(answer)
      assert.strictEqual(`${location.origin}${location.pathname}`, redirectUri)
      assert.strictEqual(location.searchParams.get("state"), "a state")
      assert.strictEqual(location.searchParams.get("scope"), authorizationRequest.scope)
      assert.isNotEmpty(location.searchParams.get("code"))
    }))

  for (
    const [changed, status, error] of [
      [{ client_id: "someone" }, 401, "invalid_client"],
      [{ redirect_uri: "/callback" }, 400, "redirect_uri_mismatch"],
      [{ redirect_uri: "javascript:alert(1)" }, 400, "redirect_uri_mismatch"],
      [{ response_type: "token" }, 400, "unsupported_response_type"],
      [{ scope: "https://www.googleapis.com/auth/gmail" }, 400, "invalid_scope"]
    ] as const
  ) {
    it.effect(`shows an error page without a redirect for ${JSON.stringify(changed)}`, () =>
      Effect.gen(function*() {
        const answer = yield* authorize({ ...changed, prompt: "none" })
        assert.strictEqual(answer.status, status)
        assert.include(answer.text, error)
        assert.isNull(answer.headers.get("location"))
      }))
  }

  it.effect("lets the service sign in, get tokens and the account, refresh and revoke", () =>
    Effect.gen(function*() {
      const oauth = yield* OAuth
      const url = yield* oauth.authorizeUrl({
        identity: google,
        scopes: [scopes.webmastersReadonly],
        redirectUri,
        state: "s",
        codeChallenge
      })
      const googleAuth = (yield* Sandbox).urlOf("googleAuth")
      assert.isTrue(url.startsWith(googleAuth))
      const back = yield* send("googleAuth", `${url.slice(googleAuth.length)}&consent=allow`)
      const tokens = yield* oauth.exchangeCode({
        identity: google,
        code: Redacted.make(locationOf(back).searchParams.get("code") ?? ""),
        redirectUri,
        codeVerifier: Redacted.make(verifier)
      })
      assert.strictEqual(yield* oauth.account(google, tokens.accessToken), "demo@fernhill.example")
      assert.sameMembers([...tokens.scopes ?? []], [scopes.webmastersReadonly, "openid", "email"])
      const refreshToken = tokens.refreshToken ?? Redacted.make("")
      const again = yield* oauth.refresh(google, refreshToken)
      assert.isUndefined(again.refreshToken)
      yield* oauth.revoke(google, refreshToken)
      const error = yield* Effect.flip(oauth.refresh(google, refreshToken))
      assert.strictEqual(error._tag, "CredentialsExpired")
      assert.strictEqual((yield* sites(Redacted.value(again.accessToken))).status, 401)
    }))

  it.effect("lets the service sign in to site search without PKCE", () =>
    Effect.gen(function*() {
      const oauth = yield* OAuth
      const url = yield* oauth.authorizeUrl({
        identity: sitesearchIdentity,
        scopes: [scopes.webmasterManage],
        redirectUri,
        state: "s",
        codeChallenge
      })
      const sitesearchAuth = (yield* Sandbox).urlOf("sitesearchAuth")
      const back = yield* send("sitesearchAuth", `${url.slice(sitesearchAuth.length)}&consent=allow`)
      const tokens = yield* oauth.exchangeCode({
        identity: sitesearchIdentity,
        code: Redacted.make(locationOf(back).searchParams.get("code") ?? ""),
        redirectUri,
        codeVerifier: Redacted.make(verifier)
      })
      const again = yield* oauth.refresh(sitesearchIdentity, tokens.refreshToken ?? Redacted.make(""))
      assert.isDefined(again.refreshToken)
    }))
})

layer(clientsOf(sandboxAt(now)))("Tokens", (it) => {
  it.effect("a code works once", () =>
    Effect.gen(function*() {
      const code = yield* consent()
      assert.strictEqual((yield* exchange(code)).status, 200)
      assert.deepStrictEqual(errorOf(yield* exchange(code)), [400, "invalid_grant", "Malformed auth code."])
    }))

  it.effect("a code requires its verifier, its redirect URI and the client secret", () =>
    Effect.gen(function*() {
      const code = yield* consent()
      assert.deepStrictEqual(errorOf(yield* exchange(code, { code_verifier: "another" })), [
        400,
        "invalid_grant",
        "Invalid code verifier."
      ])
      assert.deepStrictEqual(errorOf(yield* exchange(code, { redirect_uri: `${redirectUri}/` })).slice(0, 2), [
        400,
        "redirect_uri_mismatch"
      ])
      assert.deepStrictEqual(errorOf(yield* exchange(code, { client_secret: "no" })), [
        401,
        "invalid_client",
        "Unauthorized"
      ])
      assert.strictEqual((yield* exchange(code)).status, 200)
    }))

  it.effect("a refresh token requires offline access", () =>
    Effect.gen(function*() {
      const online = yield* exchange(yield* consent({ access_type: "online" }))
      assert.isUndefined(at(online.text, "refresh_token"))
      const offline = yield* exchange(yield* consent())
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
      assert.deepStrictEqual(errorOf(yield* send("googleToken", "", { form })), [
        401,
        "invalid_client",
        "The OAuth client was not found."
      ])
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
      assert.strictEqual((yield* sites(access)).status, 401)
      assert.deepStrictEqual(errorOf(yield* refresh(mine)), [
        400,
        "invalid_grant",
        "Token has been expired or revoked."
      ])
      assert.deepStrictEqual(errorOf(yield* send("googleRevoke", "", { form: { token: mine } })).slice(0, 2), [
        400,
        "invalid_token"
      ])
      assert.strictEqual((yield* refresh(other)).status, 200)
    }))

  it.effect("a provider responds with 401 without a token and with an unknown token", () =>
    Effect.gen(function*() {
      const missing = yield* send("gsc", "/webmasters/v3/sites")
      assert.deepStrictEqual([missing.status, at(missing.text, "error", "details", 0, "reason")], [
        401,
        "CREDENTIALS_MISSING"
      ])
      const unknown = yield* sites("ya29.unknown")
      assert.strictEqual(unknown.status, 401)
      assert.include(unknown.headers.get("www-authenticate") ?? "", "invalid_token")
      assert.strictEqual(at(unknown.text, "error", "status"), "UNAUTHENTICATED")
    }))

  it.effect("a token without the scope is 403, with the accepted scopes", () =>
    Effect.gen(function*() {
      const { headers, status, text } = yield* sites(yield* accessToken("google", scopes.spreadsheets))
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
      assert.strictEqual((yield* sites(token)).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* sites(token)).status, 401)
    }))

  it.effect("a code expires after ten minutes", () =>
    Effect.gen(function*() {
      const code = yield* consent()
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(errorOf(yield* exchange(code)).slice(0, 2), [400, "invalid_grant"])
    }))
})

const jwt = (header: unknown, claims: unknown) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")

layer(clientsOf(sandboxAt(now)))("Service accounts", (it) => {
  const seconds = Date.parse(now) / 1000
  const claims = {
    iss: keyFile.client_email,
    scope: scopes.webmasters,
    aud: "https://oauth2.googleapis.com/token",
    iat: seconds,
    exp: seconds + 3600
  }
  const assertWith = (changed: object, header: object = { alg: "RS256", typ: "JWT" }) =>
    send("googleToken", "", {
      form: {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: `${jwt(header, { ...claims, ...changed })}.signature`
      }
    })

  it.effect("any key file gets a working token", () =>
    Effect.gen(function*() {
      const oauth = yield* OAuth
      const key = { ...keyFile, private_key: Redacted.make(keyFile.private_key) }
      const { accessToken } = yield* oauth.assertServiceAccount(google, key, [scopes.webmasters])
      assert.strictEqual((yield* sites(Redacted.value(accessToken))).status, 200)
    }))

  for (
    const [what, changed, error, description] of [
      ["another audience", { aud: "https://example.com/" }, "invalid_grant", "Invalid JWT: Failed audience check."],
      ["two hours", { exp: seconds + 7200 }, "invalid_grant", "Invalid JWT: Token must be a short-lived token"],
      [
        "yesterday's times",
        { iat: seconds - 90_000, exp: seconds - 86_400 },
        "invalid_grant",
        "Invalid JWT: Token must"
      ],
      ["no account", { iss: "nobody" }, "invalid_grant", "Invalid grant: account not found"],
      ["no such user", { sub: "nobody" }, "invalid_grant", "Not a valid email."],
      ["no scope", { scope: "" }, "invalid_scope", "Invalid OAuth scope or ID token audience provided."],
      ["no times", { iat: undefined }, "invalid_grant", "Invalid JWT"]
    ] as const
  ) {
    it.effect(`an assertion with ${what} is refused`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* assertWith(changed)
        assert.deepStrictEqual([status, at(text, "error")], [400, error])
        assert.include(String(at(text, "error_description")), description)
      }))
  }

  it.effect("an unsigned assertion is refused", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* assertWith({}, { alg: "none" })).status, 400)
    }))
})
