import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import { baseUrl, manage } from "../../Http/Fixture.ts"
import { assertError, errorIn, issuesIn } from "../../support/Answer.ts"
import { listening } from "../../support/Listening.ts"
import { OidcIssuer } from "../../support/OidcIssuer.ts"
import { cookieOf, ownPage, signedIn } from "../../support/SignedIn.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const TestLayer = Layer.unwrap(
  Effect.map(OidcIssuer, ({ settings }) => TestServer.make({ BASE_URL: baseUrl, ...settings }))
).pipe(Layer.provideMerge(OidcIssuer.layer(`${baseUrl}/auth/oidc/callback`)))

const browser = { accept: "text/html,application/xhtml+xml" }

let subjects = 0
const newSubject = () => `subject-${++subjects}`

const start = Effect.fnUntraced(function*(cookie?: string, headers: Record<string, string> = ownPage) {
  const { request } = yield* TestServer
  const answer = yield* request("GET", "/auth/oidc", { headers: { ...headers, ...(cookie && { cookie }) } })
  return { answer, url: new URL(answer.headers.get("location") ?? assert.fail(answer.text)), cookie: cookieOf(answer) }
})

const callback = Effect.fnUntraced(function*({ search }: URL, cookie?: string, headers: Record<string, string> = {}) {
  const { request } = yield* TestServer
  return yield* request("GET", `/auth/oidc/callback${search}`, {
    headers: { "sec-fetch-site": "cross-site", ...headers, ...(cookie && { cookie }) }
  })
})

const go = Effect.fnUntraced(function*(subject: string, session?: string, headers?: Record<string, string>) {
  const issuer = yield* OidcIssuer
  const { cookie, url } = yield* start(session, headers)
  return yield* callback(yield* issuer.authorize(url.href, { subject }), cookie)
})

const changed = (change: (parameters: URLSearchParams) => void) => (url: URL) => {
  change(url.searchParams)
  return url
}

const sessionIn = ({ headers }: { readonly headers: Headers }) =>
  headers.getSetCookie().find((each) => each.startsWith("__Host-openaccounts_session="))?.split(";")[0]

const newMember = Effect.gen(function*() {
  const { cookie, member } = yield* signedIn()
  return { member, session: `__Host-${cookie}` }
})

const boundMember = Effect.gen(function*() {
  const subject = newSubject()
  const { member, session } = yield* newMember
  assert.strictEqual((yield* go(subject, session)).status, 302)
  return { member, session, subject }
})

layer(TestLayer, { excludeTestServices: true })("A sign-in at an OpenID provider", (it) => {
  it.effect("is bound in a session of the member, and signs in from then on", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { member, subject } = yield* boundMember
      const { answer, url } = yield* start()
      assert.strictEqual(answer.status, 302)
      assert.match(
        answer.headers.getSetCookie()[0] ?? "",
        /^__Host-openaccounts_oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      const { client_id, code_challenge_method, redirect_uri, scope } = Object.fromEntries(url.searchParams)
      assert.deepStrictEqual({ client_id, code_challenge_method, redirect_uri, scope }, {
        client_id: "openaccounts",
        code_challenge_method: "S256",
        redirect_uri: `${baseUrl}/auth/oidc/callback`,
        scope: "openid"
      })
      for (const name of ["state", "nonce", "code_challenge"]) assert.lengthOf(url.searchParams.get(name) ?? "", 43)

      const signedIn = yield* go(subject)
      assert.deepStrictEqual([signedIn.status, signedIn.headers.get("location")], [302, "/dashboard"], signedIn.text)
      const mine = yield* request("GET", "/auth/session", { headers: { cookie: sessionIn(signedIn) ?? "" } })
      assert.deepStrictEqual(mine.json, JSON.parse(JSON.stringify({ member, methods: ["oidc"] })))
      const { text } = yield* manage("GET", "/audit?limit=200")
      assert.include(text, `"action":"member.oidc_bound","subject":{"type":"member","id":"${member.id}"}`)
      assert.include((yield* request("GET", "/auth/methods")).text, "\"oidc\"")

      const unbind = { headers: { cookie: sessionIn(signedIn) ?? "", ...ownPage } }
      assert.strictEqual((yield* request("DELETE", "/auth/oidc", unbind)).status, 204)
      assertError(yield* go(subject), 401, "unauthenticated")
    }))

  it.effect("of an account without a member ends with a page in a browser, and with JSON elsewhere", () =>
    Effect.gen(function*() {
      const issuer = yield* OidcIssuer
      const subject = newSubject()
      const json = yield* go(subject)
      assertError(json, 401, "unauthenticated")
      assert.isUndefined(sessionIn(json))
      const { cookie, url } = yield* start()
      const page = yield* callback(yield* issuer.authorize(url.href, { subject }), cookie, browser)
      assert.strictEqual(page.status, 401)
      assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
      for (const text of ["You are not signed in", "Ask an admin", page.callId]) assert.include(page.text, text)
    }))

  it.effect("can begin in several tabs of a browser, and each of them can finish", () =>
    Effect.gen(function*() {
      const issuer = yield* OidcIssuer
      const { subject } = yield* boundMember
      const [first, second] = [yield* start(), yield* start()]
      const third = yield* start(second.cookie)
      for (const { url } of [third, second]) {
        const back = yield* callback(yield* issuer.authorize(url.href, { subject }), third.cookie)
        assert.isDefined(sessionIn(back), back.text)
      }
      const other = yield* callback(yield* issuer.authorize(first.url.href, { subject }), third.cookie)
      assertError(other, 401, "unauthenticated")
    }))

  it.effect("is not finished by HEAD, twice, in another browser, or with another state, nonce or code", () =>
    Effect.gen(function*() {
      const issuer = yield* OidcIssuer
      const { subject } = yield* boundMember
      const same = changed(() => {})
      const attempt = Effect.fnUntraced(function*(outward: (url: URL) => URL, inward = same, cookie?: string) {
        const started = yield* start()
        const back = inward(yield* issuer.authorize(outward(started.url).href, { subject }))
        return yield* callback(back, cookie ?? started.cookie)
      })
      const begun = yield* start()
      const right = { back: yield* issuer.authorize(begun.url.href, { subject }), cookie: begun.cookie }
      const { request } = yield* TestServer
      yield* request("HEAD", `/auth/oidc/callback${right.back.search}`, { headers: { cookie: right.cookie } })
      assert.strictEqual((yield* callback(right.back, right.cookie)).status, 302)
      assertError(yield* callback(right.back, right.cookie), 401, "unauthenticated")

      const set = (name: string, value: string) => changed((parameters) => parameters.set(name, value))
      const other = (yield* start()).cookie
      const refused = [
        attempt(same, same, other),
        attempt(same, same, "x=y"),
        attempt(set("nonce", "another")),
        attempt(set("code_challenge", "x".repeat(43))),
        attempt(set("state", "another")),
        attempt(same, set("state", "another")),
        attempt(same, set("code", "another")),
        attempt(same, set("iss", "https://evil.example.com")),
        attempt(same, changed((parameters) => parameters.delete("code"))),
        attempt(same, changed((parameters) => parameters.append("state", "another"))),
        attempt(
          same,
          changed((parameters) => {
            parameters.delete("code")
            parameters.set("error", "access_denied")
          })
        )
      ]
      for (const [index, each] of refused.entries()) {
        const answer = yield* each
        assert.deepStrictEqual([index, answer.status, errorIn(answer).code], [index, 401, "unauthenticated"])
        assert.isUndefined(sessionIn(answer))
      }
    }))

  it.effect("binds nothing when another site starts it, for another member's account, an overlong subject, or in an ended session", () =>
    Effect.gen(function*() {
      const issuer = yield* OidcIssuer
      const { request } = yield* TestServer
      const { subject } = yield* boundMember
      const eve = yield* newMember
      assertError(yield* go(newSubject(), eve.session, { "sec-fetch-site": "cross-site" }), 401, "unauthenticated")
      assertError(yield* go(subject, eve.session), 403, "forbidden")
      assertError(yield* go("x".repeat(256), eve.session), 401, "unauthenticated")

      const { cookie, url } = yield* start(eve.session)
      const back = yield* issuer.authorize(url.href, { subject: newSubject() })
      yield* request("POST", "/auth/sign-out", { headers: { cookie: eve.session, ...ownPage } })
      assertError(yield* callback(back, cookie), 401, "unauthenticated")
    }))
})

layer(TestServer.layer, { excludeTestServices: true })("Without an OpenID provider", (it) => {
  it.effect("its paths do not exist", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      for (const path of ["/auth/oidc", "/auth/oidc/callback?state=x&code=y"]) {
        assertError(yield* request("GET", path), 404, "route_not_found")
      }
      assert.notInclude((yield* request("GET", "/auth/methods")).text, "oidc")
    }))
})

const settings = {
  SITESEARCH_CLIENT_ID: "",
  OIDC_ISSUER: "http://127.0.0.1:9/oidc",
  OIDC_CLIENT_ID: "x",
  OIDC_CLIENT_SECRET: "y"
}

layer(TestServer.make(settings), { excludeTestServices: true })("A service that is not set up for all", (it) => {
  it.effect("names the setting of the OAuth application that a sign-in needs, and offers an API key in links", () =>
    Effect.gen(function*() {
      const [issue] = issuesIn(yield* manage("POST", "/connect", { provider: "sitesearch", label: "Acme" }))
      assert.deepStrictEqual(issue?.path, ["provider"])
      assert.include(issue?.message, "SITESEARCH_CLIENT_ID")
      const { client } = yield* seed()
      const { json } = yield* manage("POST", "/connect-links", { client_id: client.id })
      assert.deepStrictEqual(Object(json).providers, ["gsc", "ga4", "sitesearch", "gsheets", "gdocs"])
    }))

  it.effect("names an OpenID provider that does not answer in an error, or a page", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const json = yield* request("GET", "/auth/oidc")
      assertError(json, 502, "upstream_unreachable")
      assert.include(errorIn(json).message, settings.OIDC_ISSUER)
      const page = yield* request("GET", "/auth/oidc", { headers: { accept: "text/html" } })
      assert.strictEqual(page.status, 502)
      assert.include(page.text, "The provider does not answer")
    }))
})

const metadata = { issuer: "", authorization_endpoint: "", token_endpoint: "", jwks_uri: "" }

const Unfinished = Layer.unwrap(Effect.gen(function*() {
  const port = yield* listening(createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(metadata))
  }))
  metadata.issuer = `http://127.0.0.1:${port}`
  return TestServer.make({ ...settings, OIDC_ISSUER: metadata.issuer })
}))

layer(Unfinished, { excludeTestServices: true })("An OpenID provider whose metadata lacks an endpoint", (it) => {
  it.effect("cannot be used until it names all", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      for (const endpoint of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
        assertError(yield* request("GET", "/auth/oidc"), 502, "upstream_unreachable")
        metadata[endpoint] = `${metadata.issuer}/${endpoint}`
      }
      assert.strictEqual((yield* request("GET", "/auth/oidc")).status, 302)
    }))
})
