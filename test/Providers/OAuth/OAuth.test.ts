import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { jwtVerify } from "jose"
import type { ProviderError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { strict } from "../../../src/Domain/Validation/Validation.ts"
import { ProviderHttp } from "../../../src/Outbound/UndiciHttpClient.ts"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import { OAuth, type OAuthNotConfigured } from "../../../src/Providers/OAuth/OAuth.ts"
import { signAssertion } from "../../../src/Providers/OAuth/ServiceAccountAssertion.ts"
import { ServiceAccountKey } from "../../../src/Providers/OAuth/ServiceAccountKey.ts"
import { sitesearchIdentity } from "../../../src/Providers/Sitesearch/IdentityProvider.ts"
import { Upstream } from "../../../src/Providers/Upstream.ts"
import { LoopbackUpstream, type Reply } from "../../support/LoopbackUpstream.ts"
import { keyFile, publicKey } from "../../support/ServiceAccountFile.ts"
import { handle } from "../ClientOnLoopback.ts"

const CLIENT_SECRET = "GOCSPX-client/secret"
const REFRESH_TOKEN = "1//refresh+token"
const CODE = "4/authorization-code"
const VERIFIER = "code-verifier"
const secrets = [CLIENT_SECRET, REFRESH_TOKEN, CODE, VERIFIER]

const identities = { google, sitesearch: sitesearchIdentity }

const oauthLayer = (settings: Record<string, string>) =>
  Layer.fresh(OAuth.layer(Object.values(identities))).pipe(
    Layer.provide(Upstream.layer),
    Layer.provide(ProviderHttp.layer),
    Layer.provide(LoopbackUpstream.originsLayer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )

const TestLayer = oauthLayer({
  GOOGLE_CLIENT_ID: "google-id",
  GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
  SITESEARCH_CLIENT_ID: "sitesearch-id",
  SITESEARCH_CLIENT_SECRET: CLIENT_SECRET
}).pipe(Layer.provideMerge(LoopbackUpstream.layer))

const refresh = Effect.flatMap(OAuth, (oauth) => oauth.refresh(google, Redacted.make(REFRESH_TOKEN)))
const exchange = (identity: "google" | "sitesearch") =>
  Effect.flatMap(OAuth, (oauth) =>
    oauth.exchangeCode({
      identity: identities[identity],
      code: Redacted.make(CODE),
      redirectUri: "https://oa.example/connect/callback",
      codeVerifier: Redacted.make(VERIFIER)
    }))

const revoke = (identity: "google" | "sitesearch") =>
  Effect.flatMap(OAuth, (oauth) => oauth.revoke(identities[identity], Redacted.make(REFRESH_TOKEN)))

const account = (identity: "google" | "sitesearch") =>
  Effect.flatMap(OAuth, (oauth) => oauth.account(identities[identity], Redacted.make("ya29.x")))

const failure = <R>(effect: Effect.Effect<unknown, ProviderError | OAuthNotConfigured, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    for (const secret of secrets) assert.notInclude(JSON.stringify([error.message, Object.entries(error)]), secret)
    if (error._tag === "OAuthNotConfigured") return assert.fail(error.message)
    return error
  })

const assertAccount = Effect.flatMap(OAuth, (oauth) =>
  oauth.assertServiceAccount(
    google,
    Schema.decodeUnknownSync(ServiceAccountKey)({ ...keyFile, token_uri: "https://audience.example/token" }),
    ["https://scope/a"]
  ))

const refused = (status: number, error: string, error_description?: string): Reply => ({
  status,
  body: { error, error_description }
})

// Real sockets need the real clock.
layer(TestLayer, { excludeTestServices: true })("OAuth", (it) => {
  it.effect("asks site search only what it supports: no PKCE, and a lifetime in quotes", () =>
    Effect.gen(function*() {
      const { authorizeUrl } = yield* OAuth
      const url = new URL(
        yield* authorizeUrl({
          identity: sitesearchIdentity,
          scopes: ["https://scope/a", "email"],
          redirectUri: "https://oa.example/connect/callback",
          state: "a state",
          codeChallenge: "challenge"
        })
      )
      assert.strictEqual(url.pathname, "/sitesearchAuth")
      assert.deepStrictEqual(Object.fromEntries(url.searchParams), {
        client_id: "sitesearch-id",
        response_type: "code",
        redirect_uri: "https://oa.example/connect/callback",
        scope: "https://scope/a email",
        state: "a state"
      })
      const loopback = yield* handle({ body: { access_token: "a", expires_in: "3599", token_type: "bearer" } })
      const tokens = yield* exchange("sitesearch")
      assert.isTrue(tokens.expiresAtMillis > (yield* Clock.currentTimeMillis) + 3_000_000)
      assert.strictEqual(loopback.requests[0]?.url, "/sitesearchToken")
      assert.notInclude(loopback.requests[0]?.body, VERIFIER)
      yield* revoke("sitesearch")
      assert.lengthOf(loopback.requests, 1, "it has no endpoint to revoke")
    }))

  it.effect("refreshes tokens again after an outage, but sends a code and a revocation once", () =>
    Effect.gen(function*() {
      const loopback = yield* handle({ status: 503 }, { body: { access_token: "ya29.new" } })
      const tokens = yield* refresh
      assert.strictEqual(Redacted.value(tokens.accessToken), "ya29.new")
      for (const kept of ["refreshToken", "scopes"]) assert.notProperty(tokens, kept)
      const form = {
        grant_type: "refresh_token",
        refresh_token: REFRESH_TOKEN,
        client_id: "google-id",
        client_secret: CLIENT_SECRET
      }
      const sent = loopback.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
      assert.deepStrictEqual(sent, [form, form])
      for (const once of [exchange("google"), revoke("google")]) {
        yield* handle({ status: 503 })
        yield* failure(once)
        assert.lengthOf(loopback.requests, 1)
      }
    }))

  it.effect("requires an OAuth application, and the error names the settings", () =>
    Effect.gen(function*() {
      const error = yield* failure(refresh)
      assert.strictEqual(error.code, "credentials_rejected")
      assert.strictEqual(error.message, "The OAuth application is not configured; set GOOGLE_CLIENT_SECRET.")
      const missing = yield* Effect.flip(exchange("sitesearch"))
      if (missing._tag !== "OAuthNotConfigured") return assert.fail(missing._tag)
      assert.deepStrictEqual(missing.missing, ["SITESEARCH_CLIENT_ID", "SITESEARCH_CLIENT_SECRET"])
    }).pipe(Effect.provide(oauthLayer({ GOOGLE_CLIENT_ID: "google-id", GOOGLE_CLIENT_SECRET: "" }))))

  it.effect.each([{ body: { sub: "1" } }, { status: 401, body: {} }, { status: 403, body: {} }])(
    "knows no account after %j",
    (reply) =>
      Effect.gen(function*() {
        yield* handle(reply)
        assert.isUndefined(yield* account("google"))
      })
  )

  it.effect.each<
    readonly [
      what: string,
      call: Effect.Effect<unknown, ProviderError | OAuthNotConfigured, OAuth>,
      reply: Reply,
      code: ProviderError["code"],
      says?: RegExp
    ]
  >([
    ["a refresh without an access token", refresh, { body: { access_token: "" } }, "credentials_rejected"],
    [
      "a refresh with a token that no header can hold",
      refresh,
      { body: { access_token: "a\r\nb" } },
      "credentials_rejected"
    ],
    [
      "a refresh with a token that is too long",
      refresh,
      { body: { access_token: "a".repeat(16_385) } },
      "credentials_rejected"
    ],
    [
      "a refresh that ends in no year",
      refresh,
      { body: { access_token: "a", expires_in: 1e300 } },
      "credentials_rejected"
    ],
    ["a refresh that gets HTML", refresh, { body: "<html>" }, "upstream_unreachable"],
    [
      "a refresh too many, whose message echoes the token",
      refresh,
      { ...refused(429, "slow_down", `Too many ${REFRESH_TOKEN}.`), headers: { "retry-after": "9" } },
      "upstream_error",
      /^Google answered 429: slow_down: Too many \[redacted\]\.$/
    ],
    [
      "a refresh of a dead grant",
      refresh,
      refused(400, "invalid_grant", "Token has been expired or revoked."),
      "credentials_expired",
      /reconnect the connection: invalid_grant: Token has been expired or revoked\./
    ],
    ["a code that is used up", exchange("google"), refused(400, "invalid_grant"), "upstream_error"],
    ["a code of a client that is gone", exchange("google"), refused(401, "deleted_client"), "credentials_rejected"],
    [
      "a service account that Google refuses",
      assertAccount,
      refused(400, "invalid_grant", "Invalid JWT Signature."),
      "credentials_rejected",
      /refused the service account: invalid_grant: Invalid JWT Signature\./
    ],
    ["a service account too often", assertAccount, refused(403, "rate_limit_exceeded"), "upstream_error"],
    ["a revocation during an outage", revoke("google"), { status: 503, body: REFRESH_TOKEN }, "upstream_error"],
    ["a look at the account during an outage", account("google"), { status: 500, body: "oops" }, "upstream_error"]
  ])("%s fails, without secrets in the error", ([, call, reply, code, says = /./]) =>
    Effect.gen(function*() {
      yield* handle(reply)
      const error = yield* failure(call)
      assert.strictEqual(error.code, code)
      assert.match(error.message, says)
      if (code === "upstream_error") assert.strictEqual(error.status, reply.status)
      assert.strictEqual(error.retryAfter, reply.headers && "9")
    }))
})

const decode = Schema.decodeUnknownSync(ServiceAccountKey, strict)

const sign = (changes: object = {}) => signAssertion(decode({ ...keyFile, ...changes }), ["https://a", "https://b"])

const NOW = Date.UTC(2026, 0, 1)

describe("a service account's key file", () => {
  it("is read and written back unchanged, and printed without its key", () => {
    assert.deepStrictEqual(Schema.encodeSync(ServiceAccountKey)(decode(keyFile)), keyFile)
    assert.notInclude(JSON.stringify(decode(keyFile)), "PRIVATE")
  })

  it("has Google's token endpoint if it names none", () => {
    const { token_uri: _, ...without } = keyFile
    assert.strictEqual(decode(without).token_uri, "https://oauth2.googleapis.com/token")
  })
})

describe("the assertion of a service account", () => {
  it.effect("names account, user, audience and scopes, and is valid for an hour", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const assertion = yield* sign({ token_uri: "https://audience.example/token", subject: "person@example.com" })
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        jwtVerify(Redacted.value(assertion), publicKey, { currentDate: new Date(NOW) })
      )
      assert.deepStrictEqual(protectedHeader, { alg: "RS256", typ: "JWT", kid: "key-1" })
      assert.deepStrictEqual(payload, {
        iss: keyFile.client_email,
        sub: "person@example.com",
        scope: "https://a https://b",
        aud: "https://audience.example/token",
        iat: NOW / 1000,
        exp: NOW / 1000 + 3600
      })
    }))
})
