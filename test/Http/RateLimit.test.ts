import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type Answer, assertError, assertLimited, errorIn, issuesIn } from "../support/Answer.ts"
import { newGrant, newToken } from "../support/NewGrant.ts"
import { signedIn } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { loggedCall, memberWith, noSites, seededServer, sitesList } from "./Fixture.ts"

const quotaOf = ({ headers }: Answer) => ({
  limit: headers.get("ratelimit-limit"),
  remaining: headers.get("ratelimit-remaining"),
  policy: headers.get("ratelimit-policy")
})

const none = { limit: null, remaining: null, policy: null }

const left = (remaining: number) => ({ limit: "5", remaining: `${remaining}`, policy: "\"key\";q=5;w=3600" })

layer(TestServer.make({ RATE_LIMIT: "5/hour" }), { excludeTestServices: true })("RATE_LIMIT", (it) => {
  it.effect("counts every request of a key and answers how many are left", () =>
    Effect.gen(function*() {
      const { member, readOnly, server, upstream, writer } = yield* seededServer(noSites)
      assert.deepStrictEqual(quotaOf(yield* server.call(readOnly, sitesList)), left(4))
      assert.deepStrictEqual(quotaOf(yield* server.request("GET", "/v1/providers", { key: readOnly })), left(3))
      const unknown = yield* server.request("GET", "/v1/logs/x", { key: readOnly })
      assertError(unknown, 404, "call_not_found")
      assert.deepStrictEqual(quotaOf(unknown), left(2))
      const invalid = yield* server.call(readOnly, {})
      assert.isNotEmpty(issuesIn(invalid))
      assert.deepStrictEqual(quotaOf(invalid), left(1))
      assert.deepStrictEqual(quotaOf(yield* server.request("GET", "/v1/logs", { key: readOnly })), left(0))

      const refused = yield* server.call(readOnly, sitesList)
      const seconds = assertLimited(refused, "key")
      assert.deepStrictEqual(quotaOf(refused), left(0))
      const reset = Number(refused.headers.get("ratelimit-reset"))
      assert.isTrue(reset > 3500 && reset <= 3600)
      assert.strictEqual(seconds, reset)
      const list = yield* server.request("GET", "/v1/connections", { key: readOnly })
      assertLimited(list, "key")
      assert.deepStrictEqual(quotaOf(list), left(0))

      assert.lengthOf(upstream.requests, 1)
      const unlimited = yield* memberWith(null)
      const call = yield* loggedCall(unlimited.readWrite, refused.callId)
      assert.deepInclude(call, { http_status: 429, error_code: "rate_limited", request: null, response: refused.json })
      const { keys } = yield* server.admin.keys.list({ query: {} })
      assert.strictEqual(keys.find(({ id }) => id === call.key_id)?.member_id, member.id)
      yield* writer.call.call({ payload: sitesList })
    }))

  it.effect("counts the tokens of a grant together, apart from its member's keys and other grants", () =>
    Effect.gen(function*() {
      const { member, readOnly, server } = yield* seededServer(noSites)
      const [one, two] = [yield* newGrant({ memberId: member.id }), yield* newGrant({ memberId: member.id })]
      const second = Redacted.value(yield* newToken({ grantId: one.grant.id }))
      const answers = yield* Effect.forEach(
        [one.token, second, one.token, second, one.token, second, two.token, readOnly],
        (key) => server.call(key, sitesList)
      )
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 200, 429, 200, 200])
      assert.deepStrictEqual(answers.slice(4).map((answer) => quotaOf(answer).remaining), ["0", "0", "4", "4"])
    }))

  it.effect("applies neither to requests without a key nor to the operator", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      for (let i = 0; i < 7; i++) {
        const anonymous = yield* server.call(undefined, sitesList)
        assertError(anonymous, 401, "unauthenticated")
        assert.deepStrictEqual(quotaOf(anonymous), none)
        assert.deepStrictEqual(quotaOf(yield* server.request("GET", "/healthz")), none)
        const managed = yield* server.request("GET", "/admin/v1/keys", { key: server.adminToken })
        assert.deepStrictEqual([managed.status, quotaOf(managed)], [200, none])
      }
    }))
})

const times = <A>(count: number, effect: Effect.Effect<A>) =>
  Effect.all(Array.from({ length: count }, () => effect), { concurrency: 20 })

const assertOverShare = (answer: Answer | undefined, message: RegExp) => {
  if (answer === undefined) return assert.fail("no request was refused")
  assertLimited(answer, "member_share")
  assert.match(errorIn(answer).message, message)
}

const refused = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 429)

layer(TestServer.layer, { excludeTestServices: true })("A member's session", (it) => {
  it.effect("makes at most 100 live keys, and one more after a revocation", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const ada = yield* signedIn()
      const make = ada.request("POST", "/admin/v1/keys", { body: { member_id: ada.member.id, name: "x" } })
      const answers = yield* times(105, make)
      assert.lengthOf(answers.filter(({ status }) => status === 201), 100)
      assertOverShare(refused(answers)[0], /has 100 live keys. Revoke one/)
      yield* admin.keys.create({ payload: { member_id: ada.member.id, name: "by the operator" } })
      for (const { json } of answers.filter(({ status }) => status === 201).slice(0, 2)) {
        assert.strictEqual((yield* ada.request("DELETE", `/admin/v1/keys/${Object(json).id}`)).status, 200)
      }
      assert.strictEqual((yield* make).status, 201)
    }))

  it.effect("makes at most 100 open links", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const make = ada.request("POST", "/admin/v1/connect-links", { body: { connection_id: connection.id } })
      const answers = yield* times(105, make)
      const made = answers.filter(({ status }) => status === 201)
      assert.lengthOf(made, 100)
      assertOverShare(refused(answers)[0], /has 100 open links. End one/)
      assert.strictEqual(
        (yield* ada.request("DELETE", `/admin/v1/connect-links/${Object(made[0]?.json).id}`)).status,
        200
      )
      assert.strictEqual((yield* make).status, 201)
    }))

  it.effect("tests connections at most 20 times a minute, and the audit has each test", () =>
    Effect.gen(function*() {
      const { admin, client, connection, upstream } = yield* seededServer(noSites)
      const ada = yield* signedIn({ client_ids: [client.id] })
      const before = upstream.requests.length
      const answers = yield* times(25, ada.request("POST", `/admin/v1/connections/${connection.id}/test`))
      assert.lengthOf(refused(answers), 5)
      assertOverShare(refused(answers)[0], /Too many connection tests: at most 20 a minute/)
      assert.strictEqual(upstream.requests.length - before, 20)
      const { entries } = yield* admin.audit.list({ query: { subject: connection.id, action: "connection.tested" } })
      assert.lengthOf(entries, 20)
      assert.deepInclude(entries[0], { details: { ok: true }, actor: { type: "member", member_id: ada.member.id } })
    }))

  it.effect("is limited alone: another member and the operator go on", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const ada = yield* signedIn()
      const grace = yield* signedIn()
      const answers = yield* times(605, ada.request("GET", "/admin/v1/keys"))
      assertOverShare(refused(answers)[0], /Too many management requests: at most 600 a minute/)
      assert.strictEqual((yield* grace.request("GET", "/admin/v1/keys")).status, 200)
      yield* admin.keys.list({ query: {} })
    }))
})
