import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import type { IdentityProvider } from "../../../src/Providers/IdentityProvider.ts"
import { OAuth } from "../../../src/Providers/OAuth/OAuth.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { clientsOf, now, sandboxAt, send } from "../SandboxFixture.ts"
import { authorize, codeChallenge, listSites, locationOf, redirectUri, verifier } from "./Fixture.ts"

const signIn = Effect.fnUntraced(function*(identity: IdentityProvider, origin: string, scope: string) {
  const oauth = yield* OAuth
  const url = yield* oauth.authorizeUrl({ identity, scopes: [scope], redirectUri, state: "s", codeChallenge })
  const base = (yield* Sandbox).urlOf(origin)
  assert.isTrue(url.startsWith(base))
  const back = yield* send(origin, `${url.slice(base.length)}&consent=allow`)
  const code = Redacted.make(locationOf(back).searchParams.get("code") ?? "")
  return yield* oauth.exchangeCode({ identity, code, redirectUri, codeVerifier: Redacted.make(verifier) })
})

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

  it.effect("lets the service sign in, get tokens and the account, refresh and revoke", () =>
    Effect.gen(function*() {
      const oauth = yield* OAuth
      const tokens = yield* signIn(google, "googleAuth", scopes.webmastersReadonly)
      const account = { email: "demo@fernhill.example", isVerified: true }
      assert.deepStrictEqual(yield* oauth.account(google, tokens.accessToken), account)
      assert.sameMembers([...tokens.scopes ?? []], [scopes.webmastersReadonly, "openid", "email"])
      const refreshToken = tokens.refreshToken ?? Redacted.make("")
      const again = yield* oauth.refresh(google, refreshToken)
      assert.isUndefined(again.refreshToken)
      yield* oauth.revoke(google, refreshToken)
      assert.strictEqual((yield* Effect.flip(oauth.refresh(google, refreshToken)))._tag, "CredentialsExpired")
      assert.strictEqual((yield* listSites(Redacted.value(again.accessToken))).status, 401)
    }))
})
