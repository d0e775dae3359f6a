import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertError, issuePaths } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { connectionsOf, manage } from "./Fixture.ts"

const html = "text/html,application/xhtml+xml,*/*;q=0.8"
const scope = "https://www.googleapis.com/auth/webmasters.readonly"
const scopeOf = (name: string) => `https://www.googleapis.com/auth/${name}`
const tokens = { access_token: "ya29.linked-0123456789", refresh_token: "1//linked-0123456789", expires_in: 3599 }

const provider = (account: string, granted = `${scope} openid email`): Handler => ({ url }) => {
  switch (url) {
    case "/googleToken":
      return { body: { ...tokens, scope: granted } }
    case "/googleUserinfo":
      return { body: { email: account } }
    default:
      return { body: { siteEntry: [] } }
  }
}

let clients = 0

const makeLink = Effect.fnUntraced(function*(more: object = {}) {
  const { admin } = yield* TestServer
  const client = yield* admin.clients.create({ payload: { name: `Fernhill & Sons ${++clients}` } })
  const answer = yield* manage("POST", "/connect-links", {
    ...Object.hasOwn(more, "connection_id") ? {} : { client_id: client.id, providers: ["gsc"] },
    ...more
  })
  const { id, url } = Object(answer.json)
  return { client, id, path: new URL(url).pathname }
})

interface Ask {
  readonly form?: Record<string, string>
  readonly cookie?: string | undefined
  readonly headers?: Record<string, string>
}

const ask = Effect.fnUntraced(function*(path: string, { cookie, form, headers = {} }: Ask = {}) {
  const { request } = yield* TestServer
  return yield* request(form === undefined ? "GET" : "POST", path, {
    headers: {
      accept: html,
      ...cookie === undefined ? {} : { cookie },
      ...form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" },
      ...headers
    },
    ...form === undefined ? {} : { rawBody: new URLSearchParams(form).toString() }
  })
})

const locationOf = ({ headers }: { readonly headers: Headers }) => headers.get("location") ?? ""

const begin = Effect.fnUntraced(function*(path: string, form: Record<string, string> = {}) {
  const started = yield* ask(path, { form: { provider: "gsc", ...form } })
  assert.strictEqual(started.status, 303, started.text)
  const state = new URL(locationOf(started)).searchParams.get("state") ?? ""
  const cookie = started.headers.getSetCookie()[0]?.split(";")[0] ?? assert.fail()
  return { started, state, cookie }
})

const comeBack = (parameters: Record<string, string>, ask_: Ask = {}) =>
  ask(`/connect/callback?${new URLSearchParams(parameters)}`, ask_)

const hiddenIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""

const signInAs = Effect.fnUntraced(function*(
  path: string,
  account: string,
  form: Record<string, string> = {},
  granted?: string
) {
  const upstream = yield* LoopbackUpstream
  upstream.handle(provider(account, granted))
  const { cookie, state } = yield* begin(path, form)
  const back = yield* comeBack({ state, code: "4/0code" }, { cookie })
  assert.deepStrictEqual([back.status, locationOf(back)], [303, path])
  const page = yield* ask(path, { cookie })
  return { cookie, page, pending: hiddenIn(page.text, "pending"), state }
})

layer(
  TestServer.make({
    BASE_URL: "https://oa.example",
    APP_NAME: "Acme <Reports>",
    APP_PRIVACY_URL: "https://acme.example/privacy",
    CONNECT_REDIRECT_ORIGINS: "https://app.example.com"
  }),
  { excludeTestServices: true }
)("The page of a connect link", (it) => {
  it.effect("names who asks for which access, connects only after the confirmation, and works once", () =>
    Effect.gen(function*() {
      const { client, id, path } = yield* makeLink()
      const first = yield* ask(path)
      assert.strictEqual(first.status, 200)
      for (
        const text of [
          "Acme &#60;Reports&#62; asks to read your Search Console data",
          "Fernhill &#38; Sons",
          "View Search Console data for your verified sites",
          "It cannot change or delete anything",
          "Sign in with Google",
          "https://acme.example/privacy"
        ]
      ) assert.include(first.text, text)
      const policy = first.headers.get("content-security-policy") ?? ""
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; base-uri 'none'; form-action 'self' http:\/\/127\.0\.0\.1:\d+; frame-ancestors 'none'$/
      )
      assert.strictEqual(first.headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(first.headers.get("cache-control"), "no-store")

      const { cookie, page, pending, state } = yield* signInAs(path, "jane@example.com")
      assert.match(cookie, /^__Host-openaccounts_connect=[\w-]{43}$/)
      assert.include(page.text, "jane@example.com")
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
      const sql = yield* SqlClient.SqlClient
      const stored = JSON.stringify(yield* sql`SELECT * FROM pending_connections WHERE id = ${pending}`)
      for (const secret of [tokens.refresh_token, cookie.split("=")[1] ?? "", path.slice(9)]) {
        assert.notInclude(stored, secret)
      }

      for (const other of [undefined, `__Host-openaccounts_connect=${"x".repeat(43)}`]) {
        const refused = yield* ask(`${path}/confirm`, { form: { pending }, cookie: other })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, refused.callId)
      }
      const confirmed = yield* ask(`${path}/confirm`, { form: { pending }, cookie })
      assert.deepStrictEqual([confirmed.status, locationOf(confirmed)], [303, `${path}/connected`])
      const done = yield* ask(locationOf(confirmed), { cookie })
      const [connection = assert.fail()] = yield* connectionsOf(client.id)
      assert.include(done.text, "Google Search Console is connected")
      assert.include(done.text, "jane@example.com")
      assert.include(done.text, "https://myaccount.google.com/connections")
      assert.notInclude(done.text, connection.id)
      assert.deepInclude(connection, {
        status: "active",
        auth_type: "oauth",
        external_account: "jane@example.com",
        label: `${client.name} Search Console`
      })

      assert.strictEqual((yield* ask(locationOf(confirmed))).status, 404)
      assert.strictEqual((yield* ask(`${path}/confirm`, { form: { pending }, cookie })).status, 410)
      assert.deepStrictEqual(
        issuePaths(yield* comeBack({ state, code: "4/0code" }, { cookie, headers: { accept: "*/*" } })),
        ["state"]
      )
      const over = yield* ask(path, { cookie })
      assert.strictEqual(over.status, 410)
      assert.include(over.text, "This link is used up")
      assertError(yield* ask(path, { headers: { accept: "application/json" } }), 410, "link_over")
      assert.strictEqual((yield* ask(path, { form: { provider: "gsc" } })).status, 410)

      const { admin } = yield* TestServer
      const { connect_links } = yield* admin.connectLinks.list({ query: { limit: 200 } })
      const link = connect_links.find((link) => link.id === id)
      assert.deepInclude(link, { status: "used" })
      assert.deepStrictEqual(link?.connected.map(({ connection_id }) => connection_id), [connection.id])
      const { entries } = yield* admin.audit.list({ query: { subject: id } })
      assert.deepInclude(entries[0], {
        action: "link.used",
        address: "127.0.0.1",
        details: { provider: "gsc", connection_id: connection.id }
      })
    }))

  it.effect("finishes in the browser that it began in, and another one takes nothing from it", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { path } = yield* makeLink()
      upstream.handle(provider("jane@example.com"))
      const { cookie, state } = yield* begin(path)
      const asked = upstream.requests.length
      for (const other of [undefined, `__Host-openaccounts_connect=${"x".repeat(43)}`, `${cookie}x`]) {
        const refused = yield* comeBack({ state, code: "4/0code" }, { cookie: other })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "began in another browser")
      }
      const { request } = yield* TestServer
      assert.strictEqual(
        (yield* request("HEAD", `/connect/callback?state=${state}&code=x`, { headers: { cookie } })).status,
        204
      )
      assert.strictEqual(upstream.requests.length, asked)
      assert.strictEqual((yield* comeBack({ state, code: "4/0code" }, { cookie })).status, 303)
      assert.strictEqual((yield* comeBack({ state, code: "4/0code" }, { cookie })).status, 400)
    }))

  it.effect("starts a sign-in only from its own forms", () =>
    Effect.gen(function*() {
      const { path } = yield* makeLink()
      const foreign: ReadonlyArray<Record<string, string>> = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { origin: "https://evil.example" }
      ]
      for (const headers of foreign) {
        for (const where of [path, `${path}/confirm`, `${path}/cancel`]) {
          const refused = yield* ask(where, { form: { provider: "gsc" }, headers: { ...headers, accept: "*/*" } })
          assertError(refused, 403, "forbidden")
          assert.deepStrictEqual(refused.headers.getSetCookie(), [])
        }
      }
      const own = { "sec-fetch-site": "same-origin", origin: "null" }
      assert.strictEqual((yield* ask(path, { form: { provider: "gsc" }, headers: own })).status, 303)
      for (const form of [{ provider: "ga4" }, { provider: "" }, { provider: "gsc", method: "x" }]) {
        assert.strictEqual((yield* ask(path, { form })).status, 400)
      }
      assertError(
        yield* ask(path, { form: { provider: "x".repeat(20_000) }, headers: { accept: "*/*" } }),
        413,
        "payload_too_large"
      )
    }))

  it.effect("returns to the operator's site with what happened", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const back = "https://app.example.com/done?tab=1&status=x"
      const { client, path } = yield* makeLink({ redirect_url: back })
      upstream.handle(provider("jane@example.com"))
      const denied = yield* begin(path)
      const refused = yield* comeBack({ state: denied.state, error: "access_denied" }, { cookie: denied.cookie })
      assert.strictEqual(locationOf(refused), "https://app.example.com/done?tab=1&status=denied&provider=gsc")
      upstream.handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const failed = yield* begin(path)
      assert.strictEqual(
        locationOf(yield* comeBack({ state: failed.state, code: "4/0code" }, { cookie: failed.cookie })),
        "https://app.example.com/done?tab=1&status=failed&provider=gsc"
      )
      const { state } = yield* begin(path)
      assert.strictEqual((yield* comeBack({ state, error: "access_denied" })).status, 400)
      const { cookie, page, pending } = yield* signInAs(path, "jane@example.com")
      assert.include(page.headers.get("content-security-policy"), "https://app.example.com")
      const confirmed = yield* ask(`${path}/confirm`, {
        form: { pending, redirect_url: "https://evil.example" },
        cookie
      })
      const [connection] = yield* connectionsOf(client.id)
      assert.strictEqual(
        locationOf(confirmed),
        `https://app.example.com/done?tab=1&status=connected&provider=gsc&connection_id=${connection?.id}` +
          `&connection_ids=${connection?.id}`
      )
      const again = yield* ask(`${path}/confirm`, { form: { pending }, cookie })
      assert.strictEqual(again.status, 410)
      assert.include(again.text, "Go back to app.example.com")
      assert.strictEqual(locationOf(yield* ask(`${path}/finish`, { form: {} })), locationOf(confirmed))
    }))

  it.effect("tells the window that opened it, if its site is allowed", () =>
    Effect.gen(function*() {
      const { path } = yield* makeLink()
      const opener = "https://app.example.com"
      const query = `?opener=${encodeURIComponent(opener)}`
      for (
        const other of ["https://evil.example", "https://app.example.com/", "https://app.example.com:444", "null", ""]
      ) {
        const refused = yield* ask(`${path}?opener=${encodeURIComponent(other)}`)
        assert.strictEqual(refused.status, 400, other)
        assert.notInclude(refused.text, "<script>")
        assert.strictEqual((yield* ask(path, { form: { provider: "gsc", opener: other } })).status, 400)
      }
      assert.strictEqual(hiddenIn((yield* ask(path + query)).text, "opener"), opener)
      const denied = yield* begin(path, { opener })
      const refused = yield* comeBack({ state: denied.state, error: "access_denied" }, { cookie: denied.cookie })
      assert.include(refused.text, `data-origin="${opener}" data-status="denied" data-provider="gsc"`)
      assert.match(refused.headers.get("content-security-policy") ?? "", /script-src 'sha256-[^']+';/)
      const { cookie, pending } = yield* signInAs(path, "jane@example.com", { opener })
      const confirmed = yield* ask(`${path}/confirm`, { form: { pending }, cookie })
      assert.strictEqual(locationOf(confirmed), `${path}/connected${query}`)
      assert.include(
        (yield* ask(locationOf(confirmed), { cookie })).text,
        `data-origin="${opener}" data-status="connected"`
      )
    }))

  it.effect("reconnects one connection, which keeps its id, name and client", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed({
        credentials: expiredGrant("to-reconnect"),
        external_account: "jane@example.com"
      })
      const { path } = yield* makeLink({ connection_id: connection.id })
      assert.include((yield* ask(path)).text, "<strong>jane@example.com</strong> was connected before")
      const { cookie, page, pending } = yield* signInAs(path, "joe@example.com")
      assert.include(page.text, "This is another account than before")
      assert.strictEqual((yield* ask(`${path}/confirm`, { form: { pending }, cookie })).status, 303)
      const connections = yield* connectionsOf(client.id)
      assert.deepStrictEqual(connections.map(({ id }) => id), [connection.id])
      assert.deepInclude(connections[0], {
        status: "active",
        external_account: "joe@example.com",
        label: connection.label
      })
      assert.strictEqual((yield* ask(path)).status, 410)
    }))

  it.effect("connects each provider once, also when two devices confirm at the same time", () =>
    Effect.gen(function*() {
      const { client, path } = yield* makeLink({ providers: ["gsc", "ga4"] })
      const both = `${scope} ${scopeOf("analytics.readonly")} openid email`
      const one = yield* signInAs(path, "jane@example.com", {}, both)
      const two = yield* signInAs(path, "joe@example.com", {}, both)
      const answers = yield* Effect.all(
        [one, two].map(({ cookie, pending }) => ask(`${path}/confirm`, { form: { pending }, cookie })),
        { concurrency: 2 }
      )
      assert.sameMembers(answers.map(({ status }) => status), [303, 410])
      const connections = yield* connectionsOf(client.id)
      assert.deepStrictEqual(connections.map(({ provider }) => provider), ["ga4", "gsc"])
      assert.lengthOf(new Set(connections.map(({ external_account }) => external_account)), 1)
      const again = yield* ask(path, { cookie: one.cookie })
      assert.strictEqual(again.status, 410)
      assert.include(again.text, "This link is used up")
    }))

  it.effect("asks once for all products of Google, and offers again what was not allowed", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const back = "https://app.example.com/done"
      const { client, id, path } = yield* makeLink({
        providers: ["gsc", "sitesearch", "ga4", "gsheets"],
        access: "read_only",
        redirect_url: back
      })
      const first = yield* ask(path)
      assert.lengthOf(first.text.match(/Sign in with Google/g) ?? [], 1)
      upstream.handle(provider("jane@example.com", `${scope} ${scopeOf("analytics.readonly")} openid email`))
      const { cookie, started, state } = yield* begin(path, { provider: "ga4" })
      assert.sameMembers((new URL(locationOf(started)).searchParams.get("scope") ?? "").split(" "), [
        scope,
        scopeOf("analytics.readonly"),
        scopeOf("spreadsheets.readonly"),
        "openid",
        "email"
      ])
      assert.strictEqual((yield* comeBack({ state, code: "4/0code" }, { cookie })).status, 303)
      const page = yield* ask(path, { cookie })
      assert.include(page.text, "Not allowed: Google Sheets")
      const confirmed = yield* ask(`${path}/confirm`, { form: { pending: hiddenIn(page.text, "pending") }, cookie })
      assert.deepStrictEqual([confirmed.status, locationOf(confirmed)], [303, path])
      const [analytics, console_] = yield* connectionsOf(client.id)
      assert.deepStrictEqual(
        [console_, analytics].map((connection) => [connection?.provider, connection?.scopes, connection?.status]),
        [
          ["gsc", [scope, "openid", "email"], "active"],
          ["ga4", [scopeOf("analytics.readonly"), "openid", "email"], "active"]
        ]
      )

      const next = yield* ask(path, { cookie })
      assert.include(next.text, "2 of 4 connected")
      assert.include(next.text, "Connected: jane@example.com")
      assert.notInclude((yield* ask(path)).text, "jane@example.com")
      for (const text of ["Google Sheets", "Sign in with Google", "Bing Webmaster Tools", "Enough, go back to"]) {
        assert.include(next.text, text)
      }
      const other = yield* begin(path, { provider: "sitesearch" })
      const denied = yield* comeBack({ state: other.state, error: "access_denied" }, { cookie: other.cookie })
      assert.strictEqual(denied.status, 400)
      assert.include(denied.text, "Enough, go back to app.example.com")
      assert.include(denied.headers.get("content-security-policy"), "https://app.example.com")
      assert.strictEqual(
        locationOf(yield* ask(`${path}/finish`, { form: {} })),
        `${back}?${new URLSearchParams({
          status: "connected",
          provider: "ga4",
          connection_id: `${analytics?.id}`,
          connection_ids: `${console_?.id},${analytics?.id}`
        })}`
      )

      upstream.handle(provider("jane@example.com", `${scopeOf("spreadsheets.readonly")} openid email`))
      const rest = yield* begin(path, { provider: "gsheets" })
      assert.notInclude(locationOf(rest.started), "analytics")
      yield* comeBack({ state: rest.state, code: "4/0code" }, { cookie: rest.cookie })
      yield* manage("DELETE", `/connect-links/${id}`)
      assert.strictEqual((yield* ask(path, { cookie: rest.cookie })).status, 410)
      assert.lengthOf(yield* connectionsOf(client.id), 2)
    }))

  it.effect("asks the provider for nothing once the link has ended", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { id, path } = yield* makeLink({ redirect_url: "https://app.example.com/done" })
      upstream.handle(provider("jane@example.com"))
      const { cookie, state } = yield* begin(path)
      const asked = upstream.requests.length
      yield* manage("DELETE", `/connect-links/${id}`)
      assert.strictEqual((yield* comeBack({ state, code: "4/0code" }, { cookie })).status, 410)
      assert.strictEqual(upstream.requests.length, asked)
    }))

  it.effect("lets the person choose another account, or allow what was left out", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { client, path } = yield* makeLink()
      const { cookie, pending } = yield* signInAs(path, "jane@example.com")
      const cancelled = yield* ask(`${path}/cancel`, { form: { pending }, cookie })
      assert.deepStrictEqual([cancelled.status, locationOf(cancelled)], [303, path])
      assert.include((yield* ask(path, { cookie })).text, "Sign in with Google")
      assert.strictEqual((yield* ask(`${path}/confirm`, { form: { pending }, cookie })).status, 400)
      upstream.handle(provider("jane@example.com", "openid email"))
      const partly = yield* begin(path)
      const refused = yield* comeBack({ state: partly.state, code: "4/0code" }, { cookie: partly.cookie })
      assert.strictEqual(refused.status, 400)
      for (const text of ["Not everything was allowed", `href="${path}"`, refused.callId]) {
        assert.include(refused.text, text)
      }
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
    }))

  it.effect("takes an API key that works, and names the place where it is found", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { client, path } = yield* makeLink({ providers: ["sitesearch"] })
      assert.include((yield* ask(path)).text, "Open API access, then API key")
      const form = { provider: "sitesearch", method: "api_key", api_key: " 0123456789abcdef0123456789abcdef " }
      upstream.handle(() => ({ status: 400, body: { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" } }))
      const refused = yield* ask(path, { form })
      assert.strictEqual(refused.status, 502)
      assert.include(refused.text, "The key was refused")
      assert.notInclude(refused.text, form.api_key.trim())
      upstream.handle(() => ({ body: { d: [] } }))
      const held = yield* ask(path, { form })
      assert.strictEqual(held.status, 303, held.text)
      const cookie = held.headers.getSetCookie()[0]?.split(";")[0]
      const pending = hiddenIn((yield* ask(path, { cookie })).text, "pending")
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
      assert.strictEqual((yield* ask(`${path}/confirm`, { form: { pending }, cookie })).status, 303)
      const [connection] = yield* connectionsOf(client.id)
      assert.deepInclude(connection, { auth_type: "api_key", status: "active", scopes: [] })
      for (const form of [{ provider: "sitesearch", method: "service_account", resource: "x" }]) {
        assert.strictEqual((yield* ask((yield* makeLink({ providers: ["sitesearch"] })).path, { form })).status, 400)
      }
    }))

  it.effect("that is too old, ended, unknown or of a member who is gone says what to do next", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { admin } = yield* TestServer
      const old = yield* makeLink()
      const started = yield* begin(old.path)
      yield* sql`UPDATE connect_links SET expires_at = now() - interval '1 second' WHERE id = ${old.id}`
      const ended = yield* makeLink()
      yield* admin.connectLinks.end({ params: { id: ended.id } })
      const held = yield* makeLink()
      const member = yield* admin.members.create({
        payload: { email: "leaver@example.com", client_ids: [held.client.id] }
      })
      yield* sql`UPDATE connect_links SET actor_type = 'member', member_id = ${member.id} WHERE id = ${held.id}`
      assert.strictEqual((yield* ask(held.path)).status, 200)
      yield* admin.members.delete({ params: { id: member.id } })
      for (
        const [path, status, title] of [
          [old.path, 410, "This link has ended"],
          [ended.path, 410, "This link has ended"],
          [held.path, 410, "This link has ended"],
          [`/connect/oac_${"x".repeat(43)}`, 404, "This link is unknown"],
          ["/connect/x", 404, "This link is unknown"]
        ] as const
      ) {
        const page = yield* ask(path)
        assert.strictEqual(page.status, status, path)
        for (const text of [title, "the person who sent it", page.callId]) assert.include(page.text, text)
        assertError(
          yield* ask(path, { headers: { accept: "application/json" } }),
          status,
          status === 410 ? "link_over" : "link_not_found"
        )
      }
      const back = yield* comeBack({ state: started.state, error: "access_denied" }, { cookie: started.cookie })
      assert.strictEqual(back.status, 410)
    }))

  it.effect("limits how often it is tried", () =>
    Effect.gen(function*() {
      const { path } = yield* makeLink()
      const answers = yield* Effect.forEach(Array.from({ length: 31 }), () => ask(path, { form: { provider: "gsc" } }))
      assert.deepStrictEqual(answers.slice(0, 30).map(({ status }) => status), Array.from({ length: 30 }, () => 303))
      const [last = assert.fail()] = answers.slice(-1)
      assert.strictEqual(last.status, 429)
      assert.isAtMost(Number(last.headers.get("retry-after")), 600)
      assert.include(last.text, "Wait ten minutes")
    }))
})
