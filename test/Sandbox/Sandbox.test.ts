import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Predicate, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { google } from "../../src/Providers/Google/IdentityProvider.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { OAuth } from "../../src/Providers/OAuth/OAuth.ts"
import { Origins } from "../../src/Providers/Origins.ts"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { registrations } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { oauthClients } from "../../src/Sandbox/Identity/Identity.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { Database } from "../../src/Sql/Database.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
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

const dataHashAt = (instant: string) =>
  Effect.gen(function*() {
    const token = yield* accessToken("google", scopes.webmastersReadonly)
    const { text } = yield* send("gsc", "/webmasters/v3/sites/sc-domain%3Afernhill.example/searchAnalytics/query", {
      token,
      json: {
        startDate: "2024-01-01",
        endDate: "2026-12-31",
        dimensions: ["date", "query", "page", "country", "device"],
        dataState: "all"
      }
    })
    assert.strictEqual(at(text, "rows", "length"), 1000)
    return createHash("sha256").update(text).digest("hex")
  }).pipe(Effect.provide(sandboxAt(instant)))

const Embedded = SandboxStore.layer.pipe(
  Layer.provide(Layer.unwrap(Effect.map(dataFolder, (folder) => Database.layerEmbedded(join(folder, "db"))))),
  Layer.provide(NodeServices.layer)
)

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }
const row = { description: "", method: "GET", origin, writes: false, scopes: [], resources: "none" } as const
const list = endpoint({ ...row, id: "list", path: "/notes", input: Schema.Struct({}) })
const path = Schema.Struct({ id: Schema.String })
const get = endpoint({ ...row, id: "get", path: "/notes/{id}", input: Schema.Struct({ path }) })

const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: {},
  scopes: { read: [], write: [] },
  endpoints: [list, get],
  tools: [],
  resourceName: () => undefined,
  cheapestRead: list,
  classify: () => "ok",
  errorMessage: () => undefined
}

// @ts-expect-error: a connection test has no id to read.
export const needsAnId: Provider = { ...notes, cheapestRead: get }

describe("The sandbox", () => {
  it.effect("has the same data all day, and other data the next day", () =>
    Effect.gen(function*() {
      const morning = yield* dataHashAt("2026-03-18T07:00:00Z")
      assert.strictEqual(yield* dataHashAt("2026-03-19T06:59:59Z"), morning)
      assert.notStrictEqual(yield* dataHashAt("2026-03-19T07:00:00Z"), morning)
    }))

  it.effect.each([{ store: "in memory", layer: SandboxStore.layerMemory }, { store: "on disk", layer: Embedded }])(
    "keeps all concurrent changes $store, and the value when a change fails",
    ({ layer }) =>
      Effect.gen(function*() {
        const store = yield* SandboxStore
        const increment = store.modify("counter", "c1", (current) => {
          const next = Option.match(current, { onNone: () => 1, onSome: (n) => Predicate.isNumber(n) ? n + 1 : NaN })
          return Result.succeed({ result: next, next })
        })
        const results = yield* Effect.all(Array.from({ length: 20 }, () => increment), { concurrency: "unbounded" })
        assert.deepStrictEqual(results.toSorted((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i + 1))
        const refused = yield* Effect.flip(store.modify("counter", "c1", () => Result.fail("refused" as const)))
        assert.strictEqual(refused, "refused")
        assert.deepStrictEqual(yield* store.get("counter", "c1"), Option.some(20))
      }).pipe(Effect.provide(Layer.fresh(layer)))
  )

  it.effect("leaves a provider of one's own its base URL, if it has no fake", () =>
    Effect.gen(function*() {
      const urlOf = yield* Origins
      assert.strictEqual(urlOf(origin), "http://127.0.0.1:9")
      assert.match(urlOf(gsc.endpoints[0]?.origin ?? origin), /^http:\/\/127\.0\.0\.1:\d+\/gsc$/)
    }).pipe(
      Effect.provide(
        Sandbox.originsLayerOf([notes]).pipe(
          Layer.provide(Sandbox.layerMemory(registrations.flatMap(({ fake }) => fake ?? []).slice(0, 1)))
        )
      ),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ NOTES_BASE_URL: "http://127.0.0.1:9/" })
      )
    ))
})
