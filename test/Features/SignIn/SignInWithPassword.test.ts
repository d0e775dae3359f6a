import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { MemberId } from "../../../src/Domain/Ids.ts"
import { Session } from "../../../src/Domain/Session.ts"
import { clearRange, Hosted, manage, sitesList, timestamp } from "../../Http/Fixture.ts"
import { assertError, assertLimited, errorIn, issuePaths } from "../../support/Answer.ts"
import { cookieOf, originOf, ownPage, signedIn } from "../../support/SignedIn.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const password = "three quiet harbours"

const decodeSessions = Schema.decodeUnknownSync(Schema.Struct({ sessions: Schema.Array(Schema.toEncoded(Session)) }))

let members = 0

const invited = Effect.gen(function*() {
  const server = yield* TestServer
  const email = `invited-${++members}@example.com`
  const member = yield* server.admin.members.create({ payload: { email } })
  const { url } = yield* server.admin.memberLinks.create({ params: { id: member.id } })
  const opened = yield* server.request("POST", "/auth/link", { body: { token: new URL(url).hash.slice(1) } })
  const headers = { cookie: cookieOf(opened), ...ownPage }
  const set = yield* server.request("PUT", "/auth/password", { headers, body: { password } })
  assert.deepStrictEqual([set.status, set.text], [204, ""])
  const signIn = (body: object = { email, password }, headers = {}) =>
    server.request("POST", "/auth/sign-in", { body, headers })
  return { member, email, url, opened, headers, signIn }
})

const attributes = (cookie: string) => cookie.split("; ").slice(1).toSorted()

layer(TestServer.layer, { excludeTestServices: true })("Signing in", (it) => {
  it.effect("begins with an invitation, which signs in once and leads to a password", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { member, opened, url } = yield* invited
      const { hash, href } = new URL(url)
      assert.strictEqual(href, `${originOf(server)}/dashboard/link${hash}`)
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(Object(opened.json).member.id, member.id)
      const [cookie = "", ...others] = opened.headers.getSetCookie()
      assert.lengthOf(others, 0)
      assert.match(cookie, /^openaccounts_session=[\w-]{43,}; /)
      assert.deepStrictEqual(attributes(cookie), ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"])
      const again = yield* server.request("POST", "/auth/link", { body: { token: hash.slice(1) } })
      assertError(again, 401, "unauthenticated")
      assert.match(errorIn(again).message, /used before/)
      assert.deepStrictEqual(again.headers.getSetCookie(), [])
      assertError(yield* manage("POST", "/members/mem_x/links"), 404, "member_not_found")
      const link = yield* manage("POST", `/members/${member.id}/links`)
      assert.strictEqual(link.status, 201)
      assert.match(Object(link.json).expires_at, timestamp)
    }))

  it.effect("by a link ends with the rights of the admin who made it, and with a new password", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const { headers, member } = yield* invited
      const losses = [
        (id: MemberId) => admin.members.delete({ params: { id } }),
        (id: MemberId) => admin.members.change({ params: { id }, payload: { role: "member" } })
      ]
      const refused = Effect.fnUntraced(function*(link: { readonly json: unknown }, message: RegExp) {
        const token = new URL(Object(link.json).url).hash.slice(1)
        const answer = yield* request("POST", "/auth/link", { body: { token } })
        assertError(answer, 401, "unauthenticated")
        assert.match(errorIn(answer).message, message)
      })
      yield* signedIn({ role: "admin" })
      for (const lose of losses) {
        const maker = yield* signedIn({ role: "admin" })
        const link = yield* maker.request("POST", `/admin/v1/members/${member.id}/links`)
        yield* lose(maker.member.id)
        yield* refused(link, /ended with the rights of the admin/)
      }
      const link = yield* manage("POST", `/members/${member.id}/links`)
      const body = { password: "four quiet harbours", current_password: password }
      assert.strictEqual((yield* request("PUT", "/auth/password", { headers, body })).status, 204)
      yield* refused(link, /set a password since/)
    }))

  it.effect("with a password starts a new session each time, which the member sees and ends", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { email, headers, member, signIn } = yield* invited
      const [first, second] = [yield* signIn({ email: email.toUpperCase(), password }), yield* signIn()]
      assert.deepStrictEqual([first.status, second.status], [200, 200])
      assert.notStrictEqual(cookieOf(first), cookieOf(second))
      const ask = (method: string, path: string, cookie = cookieOf(second)) =>
        server.request(method, path, { headers: { cookie, ...ownPage } })

      const session = yield* ask("GET", "/auth/session")
      assert.deepStrictEqual(session.json, JSON.parse(JSON.stringify({ member, methods: ["password"] })))
      const rename = (name: unknown, headers: Readonly<Record<string, string>> = ownPage) =>
        server.request("PATCH", "/auth/session", { headers: { cookie: cookieOf(second), ...headers }, body: { name } })
      assert.deepInclude(Object((yield* rename("Ada")).json).member, { ...Object(session.json).member, name: "Ada" })
      assert.strictEqual((yield* rename(5)).status, 400)
      assert.strictEqual((yield* rename("Eve", { origin: "https://evil.example" })).status, 403)
      assert.strictEqual(Object((yield* ask("GET", "/auth/session")).json).member.name, "Ada")
      assert.isNull(Object((yield* rename(null)).json).member.name)
      const { sessions } = decodeSessions((yield* ask("GET", "/auth/sessions")).json)
      assert.deepStrictEqual(sessions.map(({ current }) => current), [true, false, false])
      for (const each of sessions) {
        assert.deepStrictEqual(Object.keys(each), "id created_at last_used_at current address user_agent".split(" "))
        assert.strictEqual(each.address, "127.0.0.1")
        assert.match(each.created_at, timestamp)
      }

      assert.strictEqual((yield* ask("DELETE", `/auth/sessions/${sessions[1]?.id}`)).status, 204)
      assertError(yield* ask("GET", "/auth/session", cookieOf(first)), 401, "unauthenticated")
      assertError(yield* ask("DELETE", `/auth/sessions/${sessions[1]?.id}`), 404, "session_not_found")
      const stranger = yield* signedIn()
      const others = yield* stranger.request("DELETE", `/auth/sessions/${sessions[0]?.id}`)
      assertError(others, 404, "session_not_found")
      assert.strictEqual((yield* ask("DELETE", "/auth/sessions")).status, 204)
      assertError(yield* ask("GET", "/auth/session", headers.cookie), 401, "unauthenticated")

      const out = yield* ask("POST", "/auth/sign-out")
      assert.strictEqual(out.status, 204)
      assert.match(out.headers.getSetCookie()[0] ?? "", /^openaccounts_session=; Max-Age=0;/)
      assertError(yield* ask("GET", "/auth/session"), 401, "unauthenticated")
      assertError(yield* server.request("GET", "/auth/session"), 401, "unauthenticated")
    }))

  it.effect("fails alike for a wrong password and an unknown address, and only five times a minute", () =>
    Effect.gen(function*() {
      const { email, signIn } = yield* invited
      const unknown = yield* signIn({ email: "nobody@example.com", password })
      assertError(unknown, 401, "unauthenticated")
      for (let attempt = 1; attempt <= 5; attempt++) {
        const wrong = yield* signIn({ email, password: `${password}!` })
        assertError(wrong, 401, "unauthenticated")
        assert.strictEqual(errorIn(wrong).message, errorIn(unknown).message)
      }
      const limited = yield* signIn()
      assert.isAtMost(assertLimited(limited, "sign_in"), 60)
    }))

  it.effect("takes no short, common or repeated password, and says why", () =>
    Effect.gen(function*() {
      const ada = yield* signedIn()
      const set = (body: unknown) => ada.request("PUT", "/auth/password", { body })
      const refused = ["", "eleven char", "password1234", "QWERTYUIOP123", "123123123123", "x".repeat(1001), 1e9]
      for (const password of refused) {
        const answer = yield* set({ password })
        assert.deepStrictEqual(issuePaths(answer), ["password"])
        if (password !== "") assert.notInclude(answer.text, String(password))
      }
      assert.deepStrictEqual(issuePaths(yield* set({})), ["password"])
      assert.deepStrictEqual(issuePaths(yield* set({ password, more: 1 })), ["more"])
      assert.strictEqual((yield* set({ password: "twelve chars" })).status, 204)
    }))

  it.effect("lets a session read, and write only where the request says so", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const call = (body: unknown, headers = {}) => ada.request("POST", "/v1/call", { body, headers })
      assertError(yield* call(clearRange), 403, "read_only")
      assertError(yield* call(clearRange, { "x-oa-access": "read-write" }), 403, "read_only")
      assertError(yield* call(clearRange, { "x-oa-access": "read_write" }), 404, "connection_not_found")
      assertError(yield* call({ ...sitesList, connection_id: "con_x" }), 404, "connection_not_found")
      const { text } = yield* ada.request("GET", "/v1/connections")
      assert.include(text, connection.id)
      const logged = yield* ada.request("GET", "/v1/logs?limit=1")
      assert.include(logged.text, `"member_id":"${ada.member.id}"`)
      assert.include(logged.text, "\"via\":\"session\"")
    }))
})

layer(Hosted, { excludeTestServices: true })("Signing in over https", (it) => {
  it.effect("sets a cookie that stays on this host and on https, and shows in the audit without secrets", () =>
    Effect.gen(function*() {
      const { email, member, opened, signIn, url } = yield* invited
      const [cookie = ""] = opened.headers.getSetCookie()
      assert.match(cookie, /^__Host-openaccounts_session=/)
      assert.deepStrictEqual(attributes(cookie), ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"])

      yield* signIn({ email, password: "not the password" }, { "x-forwarded-for": "203.0.113.9" })
      const { text } = yield* manage("GET", "/audit?limit=200")
      for (const action of ["link_created", "link_used", "password_set", "sign_in_refused"]) {
        assert.match(text, new RegExp(`"action":"member.${action}","subject":{"type":"member","id":"${member.id}"}`))
      }
      assert.include(text, `"action":"session.started"`)
      for (const secret of [password, "not the password", new URL(url).hash.slice(1)]) assert.notInclude(text, secret)
    }))
})
