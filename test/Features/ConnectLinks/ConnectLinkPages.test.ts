import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { answering, connectionsOf, Hosted } from "../../Http/Fixture.ts"
import { assertError } from "../../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { cookieOf } from "../../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../../support/TestServer.ts"
import { ask, hiddenIn, makeLink } from "./Fixture.ts"

const scopeOf = (name: string) => `https://www.googleapis.com/auth/${name}`
const scope = scopeOf("webmasters.readonly")
const tokens = { access_token: "ya29.linked-0123456789", refresh_token: "1//linked-0123456789", expires_in: 3599 }

const provider =
  (account: string, granted = `${scope} openid email`, sites: ReadonlyArray<string> = []): Handler => ({ url }) => {
    switch (url) {
      case "/googleToken":
        return { body: { ...tokens, scope: granted } }
      case "/googleUserinfo":
        return { body: { email: account } }
      default:
        return { body: { siteEntry: sites.map((siteUrl) => ({ siteUrl })) } }
    }
  }

const confirm = (
  path: string,
  { cookie, pending }: { readonly cookie: string | undefined; readonly pending: string }
) => ask(`${path}/confirm`, { form: { pending }, cookie })

const assertIncludes = (text: string, parts: ReadonlyArray<string>) => {
  for (const part of parts) assert.include(text, part)
}

const locationOf = ({ headers }: { readonly headers: Headers }) => headers.get("location") ?? ""

const begin = Effect.fnUntraced(function*(path: string, form: Record<string, string> = {}) {
  const started = yield* ask(path, { form: { provider: "gsc", ...form } })
  assert.strictEqual(started.status, 303, started.text)
  const state = new URL(locationOf(started)).searchParams.get("state") ?? ""
  return { started, state, cookie: cookieOf(started) }
})

const accept = (state: string, cookie?: string) =>
  ask(`/connect/callback?${new URLSearchParams({ state, code: "4/0code" })}`, { cookie })
const deny = ({ cookie, state }: { readonly cookie?: string; readonly state: string }) =>
  ask(`/connect/callback?state=${state}&error=access_denied`, { cookie })

const signInAs = Effect.fnUntraced(
  function*(
    path: string,
    account: string,
    form: Record<string, string> = {},
    granted?: string,
    sites?: ReadonlyArray<string>
  ) {
    yield* answering(provider(account, granted, sites))
    const { cookie, state } = yield* begin(path, form)
    const back = yield* accept(state, cookie)
    assert.deepStrictEqual([back.status, locationOf(back)], [303, path])
    const page = yield* ask(path, { cookie })
    return { cookie, page, pending: hiddenIn(page.text, "pending"), state }
  }
)

layer(Hosted, { excludeTestServices: true })("The page of a connect link", (it) => {
  it.effect("names who asks for which access, connects only after the confirmation, and works once", () =>
    Effect.gen(function*() {
      const { client, id, path } = yield* makeLink()
      const first = yield* ask(path)
      assert.strictEqual(first.status, 200)
      assertIncludes(first.text, [
        "Acme &#60;Reports&#62; asks to read your Search Console data",
        "Fernhill &#38; Sons",
        "View Search Console data for your verified sites",
        "It cannot change or delete anything",
        "Sign in with Google",
        "https://acme.example/privacy"
      ])
      const policy = first.headers.get("content-security-policy") ?? ""
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; base-uri 'none'; form-action 'self' http:\/\/127\.0\.0\.1:\d+; frame-ancestors 'none'$/
      )
      assert.strictEqual(first.headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(first.headers.get("cache-control"), "no-store")

      const { cookie, page, pending } = yield* signInAs(path, "jane@example.com")
      assert.match(cookie, /^__Host-openaccounts_connect=[\w-]{43}$/)
      assert.include(page.text, "jane@example.com")
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
      const sql = yield* SqlClient.SqlClient
      const stored = JSON.stringify(yield* sql`SELECT * FROM pending_connections WHERE id = ${pending}`)
      for (const secret of [tokens.refresh_token, cookie.split("=")[1] ?? "", path.slice(9)]) {
        assert.notInclude(stored, secret)
      }

      for (const other of [undefined, `__Host-openaccounts_connect=${"x".repeat(43)}`]) {
        const refused = yield* confirm(path, { cookie: other, pending })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, refused.callId)
      }
      const confirmed = yield* confirm(path, { cookie, pending })
      assert.deepStrictEqual([confirmed.status, locationOf(confirmed)], [303, `${path}/connected`])
      const done = yield* ask(locationOf(confirmed), { cookie })
      const [connection = assert.fail()] = yield* connectionsOf(client.id)
      assertIncludes(done.text, [
        "Google Search Console is connected",
        "jane@example.com",
        "https://myaccount.google.com/connections"
      ])
      assert.notInclude(done.text, connection.id)
      assert.deepInclude(connection, {
        status: "active",
        auth_type: "oauth",
        external_account: "jane@example.com",
        label: `${client.name} Google Search Console`
      })

      assert.strictEqual((yield* ask(locationOf(confirmed))).status, 404)
      assert.strictEqual((yield* confirm(path, { cookie, pending })).status, 410)
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
        const refused = yield* accept(state, other)
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "began in another browser")
      }
      const { request } = yield* TestServer
      assert.strictEqual(
        (yield* request("HEAD", `/connect/callback?state=${state}&code=x`, { headers: { cookie } })).status,
        204
      )
      assert.strictEqual(upstream.requests.length, asked)
      assert.strictEqual((yield* accept(state, cookie)).status, 303)
      assert.strictEqual((yield* accept(state, cookie)).status, 400)
    }))

  it.effect("lets a person try again after a fault in the database, and does not say that nothing was connected", () =>
    Effect.gen(function*() {
      yield* answering(provider("jane@example.com"))
      const { id, path } = yield* makeLink()
      const { cookie, state } = yield* begin(path)
      const sql = yield* SqlClient.SqlClient
      const failed = yield* Effect.acquireUseRelease(
        sql`ALTER TABLE pending_connections ADD CONSTRAINT fault CHECK (link_id <> ${sql.literal(`'${id}'`)})`,
        () => accept(state, cookie),
        () => Effect.orDie(sql`ALTER TABLE pending_connections DROP CONSTRAINT fault`)
      )
      assert.strictEqual(failed.status, 500)
      assertIncludes(failed.text, ["Try again", `href="${path}"`, failed.callId])
      assert.notMatch(failed.text, /not connected/i)
      const { page } = yield* signInAs(path, "jane@example.com")
      assert.include(page.text, "jane@example.com")
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
      const refused = yield* deny(denied)
      assert.strictEqual(locationOf(refused), "https://app.example.com/done?tab=1&status=denied&provider=gsc")
      upstream.handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const failed = yield* begin(path)
      assert.strictEqual(
        locationOf(yield* accept(failed.state, failed.cookie)),
        "https://app.example.com/done?tab=1&status=failed&provider=gsc"
      )
      const { state } = yield* begin(path)
      assert.strictEqual((yield* deny({ state })).status, 400)
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
      const again = yield* confirm(path, { cookie, pending })
      assert.strictEqual(again.status, 410)
      assert.include(again.text, "Go back to app.example.com")
      assert.strictEqual(locationOf(yield* ask(`${path}/finish`, { form: {} })), locationOf(confirmed))
      const other = yield* makeLink({ redirect_url: back })
      const none = yield* ask(`${other.path}/finish`, { form: {} })
      assert.strictEqual(locationOf(none), "https://app.example.com/done?tab=1&status=denied&provider=gsc")
    }))

  it.effect("tells the window that opened it, if its site is allowed", () =>
    Effect.gen(function*() {
      const { path } = yield* makeLink()
      const opener = "https://app.example.com"
      const query = `?opener=${encodeURIComponent(opener)}`
      for (const other of ["https://evil.example", `${opener}/`, `${opener}:444`, "null", ""]) {
        const refused = yield* ask(`${path}?opener=${encodeURIComponent(other)}`)
        assert.strictEqual(refused.status, 400, other)
        assert.notInclude(refused.text, "<script>")
        assert.strictEqual((yield* ask(path, { form: { provider: "gsc", opener: other } })).status, 400)
      }
      assert.strictEqual(hiddenIn((yield* ask(path + query)).text, "opener"), opener)
      const refused = yield* deny(yield* begin(path, { opener }))
      assert.include(refused.text, `data-origin="${opener}" data-status="denied" data-provider="gsc"`)
      assert.match(refused.headers.get("content-security-policy") ?? "", /script-src 'sha256-[^']+';/)
      const signedIn = yield* signInAs(path, "jane@example.com", { opener })
      const confirmed = yield* confirm(path, signedIn)
      assert.strictEqual(locationOf(confirmed), `${path}/connected${query}`)
      const done = yield* ask(locationOf(confirmed), signedIn)
      assert.include(done.text, `data-origin="${opener}" data-status="connected"`)
    }))

  it.effect("reconnects one connection, which keeps its id, name and client", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed({
        credentials: expiredGrant("to-reconnect"),
        external_account: "jane@example.com"
      })
      const { path } = yield* makeLink({ connection_id: connection.id })
      assert.include((yield* ask(path)).text, "<strong>jane@example.com</strong> was connected before")
      const signedIn = yield* signInAs(path, "joe@example.com")
      assert.include(signedIn.page.text, "This is another account than before")
      assert.strictEqual((yield* confirm(path, signedIn)).status, 303)
      const [{ external_account, id, label, status } = assert.fail(), ...others] = yield* connectionsOf(client.id)
      assert.deepStrictEqual(
        { external_account, id, label, status, others },
        {
          external_account: "joe@example.com",
          id: connection.id,
          label: connection.label,
          status: "active",
          others: []
        }
      )
      assert.strictEqual((yield* ask(path)).status, 410)
    }))

  it.effect("can narrow a connection that is connected again, and never widens it", () =>
    Effect.gen(function*() {
      const sites = ["a", "b", "c"].map((name) => `sc-domain:${name}.example`)
      const resources = sites.slice(0, 2).map((name) => `gsc:${name}`)
      const { client, connection } = yield* seed({ credentials: expiredGrant("bounded"), resources })
      const { path } = yield* makeLink({ connection_id: connection.id })
      const { cookie, page, pending } = yield* signInAs(path, "jane@example.com", {}, undefined, sites)
      const offered = [...page.text.matchAll(/name="of_gsc" value="([^"]*)"/g)].map(([, key = ""]) => key)
      assert.lengthOf(offered, 2)
      const form = { pending, offered: hiddenIn(page.text, "offered"), of_gsc: offered[0] ?? "" }
      assert.strictEqual((yield* ask(`${path}/confirm`, { cookie, form })).status, 303)
      assert.deepStrictEqual((yield* connectionsOf(client.id))[0]?.resources, resources.slice(0, 1))
    }))

  it.effect("connects each provider once, also when two devices confirm at the same time", () =>
    Effect.gen(function*() {
      const { client, path } = yield* makeLink({ providers: ["gsc", "ga4"] })
      const both = `${scope} ${scopeOf("analytics.readonly")} openid email`
      const one = yield* signInAs(path, "jane@example.com", {}, both)
      const two = yield* signInAs(path, "joe@example.com", {}, both)
      const answers = yield* Effect.forEach([one, two], (each) => confirm(path, each), { concurrency: 2 })
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
      const { client, path } = yield* makeLink({
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
      assert.strictEqual((yield* accept(state, cookie)).status, 303)
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
      assertIncludes(next.text, [
        "2 of 4 connected",
        "Connected: jane@example.com",
        "Google Sheets",
        "Sign in with Google",
        "Bing Webmaster Tools",
        "Enough, go back to"
      ])
      assert.notInclude((yield* ask(path)).text, "jane@example.com")
      const other = yield* begin(path, { provider: "sitesearch" })
      const denied = yield* deny(other)
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

      const { path: open } = yield* makeLink({ providers: ["gsc", "gdocs"] })
      const partly = yield* signInAs(open, "jane@example.com")
      yield* confirm(open, partly)
      const enough = yield* ask(`${open}/finish`, { form: {}, cookie: partly.cookie })
      assertIncludes((yield* ask(locationOf(enough), partly)).text, [
        "Google Search Console is connected",
        "Not connected: Google Docs. The link stays open until"
      ])

      const rest = yield* begin(path, { provider: "gsheets" })
      assert.notInclude(locationOf(rest.started), "analytics")
    }))

  it.effect("lets the person choose another account, or allow what was left out", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { client, path } = yield* makeLink()
      const { cookie, pending } = yield* signInAs(path, "jane@example.com")
      const cancelled = yield* ask(`${path}/cancel`, { form: { pending }, cookie })
      assert.deepStrictEqual([cancelled.status, locationOf(cancelled)], [303, path])
      assert.include((yield* ask(path, { cookie })).text, "Sign in with Google")
      assert.strictEqual((yield* confirm(path, { cookie, pending })).status, 400)
      upstream.handle(provider("jane@example.com", "openid email"))
      const partly = yield* begin(path)
      const refused = yield* accept(partly.state, partly.cookie)
      assert.strictEqual(refused.status, 400)
      assertIncludes(refused.text, ["Not everything was allowed", `href="${path}"`, refused.callId, "scopes_granted"])
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
      const cookie = cookieOf(held)
      const pending = hiddenIn((yield* ask(path, { cookie })).text, "pending")
      assert.deepStrictEqual(yield* connectionsOf(client.id), [])
      assert.strictEqual((yield* confirm(path, { cookie, pending })).status, 303)
      const [connection] = yield* connectionsOf(client.id)
      assert.deepInclude(connection, { auth_type: "api_key", status: "active", scopes: [] })
      const other = yield* makeLink({ providers: ["sitesearch"] })
      const invited = { provider: "sitesearch", method: "service_account", resource: "x" }
      assert.strictEqual((yield* ask(other.path, { form: invited })).status, 400)
    }))

  it.effect("that is too old, ended, unknown or of a member who is gone says what to do next", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { admin } = yield* TestServer
      const upstream = yield* answering(provider("jane@example.com"))
      const old = yield* makeLink()
      const [first, second] = [yield* begin(old.path), yield* begin(old.path)]
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
      const pages = [
        [old.path, 410, "This link has ended"],
        [ended.path, 410, "This link has ended"],
        [held.path, 410, "This link has ended"],
        [`/connect/oac_${"x".repeat(43)}`, 404, "This link is unknown"],
        ["/connect/x", 404, "This link is unknown"]
      ] as const
      for (const [path, status, title] of pages) {
        const page = yield* ask(path)
        assert.strictEqual(page.status, status, path)
        assertIncludes(page.text, [title, "the person who sent it", page.callId])
        assertError(
          yield* ask(path, { headers: { accept: "application/json" } }),
          status,
          status === 410 ? "link_over" : "link_not_found"
        )
      }
      const asked = upstream.requests.length
      for (const back of [yield* deny(first), yield* accept(second.state, second.cookie)]) {
        assert.strictEqual(back.status, 410)
      }
      assert.strictEqual(upstream.requests.length, asked)
    }))

  it.effect("limits how often it is tried", () =>
    Effect.gen(function*() {
      const { path } = yield* makeLink()
      const answers = yield* Effect.forEach(Array.from({ length: 31 }), () => ask(path, { form: { provider: "gsc" } }))
      const last = answers.pop() ?? assert.fail()
      for (const { status } of answers) assert.strictEqual(status, 303)
      assert.strictEqual(last.status, 429)
      assert.isAtMost(Number(last.headers.get("retry-after")), 600)
      assert.include(last.text, "Wait ten minutes")
    }))
})
