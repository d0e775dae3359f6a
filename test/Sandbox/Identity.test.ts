import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { google } from "../../src/Providers/Google/IdentityProvider.ts"
import { OAuth } from "../../src/Providers/OAuth/OAuth.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { oauthClients } from "../../src/Sandbox/Identity/Identity.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { accessToken, at, clientOf, now, type ReceivedResponse, sandboxAt, send } from "./SandboxFixture.ts"

const redirectUri = "http://127.0.0.1:8787/connect/callback"
const verifier = "a-verifier-of-at-least-forty-three-characters-0123"
const scope = scopes.webmastersReadonly

const SigningIn = OAuth.layer([google]).pipe(
  Layer.provide(Upstream.layer.pipe(Layer.provide(ProviderHttp.layer))),
  Layer.provide(Sandbox.originsLayer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    GOOGLE_CLIENT_ID: oauthClients.google.id,
    GOOGLE_CLIENT_SECRET: oauthClients.google.secret
  }))),
  Layer.provideMerge(sandboxAt(now))
)

/** The path of the consent page. */
const signInPath = Effect.gen(function*() {
  const { authorizeUrl } = yield* OAuth
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url")
  const url = yield* authorizeUrl({ identity: google, scopes: [scope], redirectUri, state: "s", codeChallenge })
  const base = (yield* Sandbox).urlOf("googleAuth")
  assert.isTrue(url.startsWith(base))
  return url.slice(base.length)
})

const resultOf = ({ headers }: ReceivedResponse) => new URL(headers.get("location") ?? "").searchParams

const consentCode = Effect.gen(function*() {
  const back = yield* send("googleAuth", `${yield* signInPath}&consent=allow`)
  return resultOf(back).get("code") ?? assert.fail("no code")
})

const exchangeCode = (code: string, changed: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    send("googleToken", "", {
      form: {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...clientOf("google"),
        ...changed
      }
    }),
    ({ status, text }) => [status, at(text, "error")]
  )

const statusWith = (token: Redacted.Redacted) =>
  Effect.map(send("gsc", "/webmasters/v3/sites", { token: Redacted.value(token) }), ({ status }) => status)

layer(SigningIn)("Signing in to the sandbox", (it) => {
  it.effect("shows a consent page with the application and the scopes", () =>
    Effect.gen(function*() {
      const page = yield* send("googleAuth", `${yield* signInPath}&login_hint=%3Cscript%3E%40fernhill.example`)
      assert.strictEqual(page.status, 200)
      for (const text of ["built-in provider sandbox", scope, "127.0.0.1:8787"]) assert.include(page.text, text)
      assert.notInclude(page.text, "<script>")
      const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&#38;", "&"))
      const answers = yield* Effect.forEach(links, (link) => send("googleAuth", link))
      assert.deepStrictEqual(answers.map((answer) => [answer.status, resultOf(answer).get("error")]), [
        [302, null],
        [302, "access_denied"]
      ])
    }))

  it.effect("gives the service tokens and the account, which it refreshes and revokes", () =>
    Effect.gen(function*() {
      const { account, exchangeCode, refresh, revoke } = yield* OAuth
      const code = Redacted.make(yield* consentCode)
      const codeVerifier = Redacted.make(verifier)
      const tokens = yield* exchangeCode({ identity: google, code, redirectUri, codeVerifier })
      const expected = { email: "demo@fernhill.example", isVerified: true }
      assert.deepStrictEqual(yield* account(google, tokens.accessToken), expected)
      assert.sameMembers([...tokens.scopes ?? []], [scope, "openid", "email"])
      const refreshToken = tokens.refreshToken ?? Redacted.make("")
      const again = yield* refresh(google, refreshToken)
      assert.isUndefined(again.refreshToken)
      yield* revoke(google, refreshToken)
      assert.strictEqual((yield* Effect.flip(refresh(google, refreshToken)))._tag, "CredentialsExpired")
      assert.strictEqual(yield* statusWith(again.accessToken), 401)
    }))

  it.effect("requires the verifier, the redirect URI and the client secret of a code, which works once", () =>
    Effect.gen(function*() {
      const code = yield* consentCode
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, number, string]> = [
        [{ code_verifier: "another" }, 400, "invalid_grant"],
        [{ redirect_uri: `${redirectUri}/` }, 400, "redirect_uri_mismatch"],
        [{ client_secret: "no" }, 401, "invalid_client"]
      ]
      for (const [changed, ...error] of wrong) assert.deepStrictEqual(yield* exchangeCode(code, changed), error)
      assert.deepStrictEqual(yield* exchangeCode(code), [200, undefined])
      assert.deepStrictEqual(yield* exchangeCode(code), [400, "invalid_grant"])
    }))

  it.effect("lasts for an hour with one access token", () =>
    Effect.gen(function*() {
      const token = Redacted.make(yield* accessToken("google", scope))
      yield* TestClock.adjust("3598 seconds")
      assert.strictEqual(yield* statusWith(token), 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* statusWith(token), 401)
    }))
})
