import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type Answer, assertError, assertLimited, issuesIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant, newToken } from "../support/NewGrant.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { loggedCall, memberWith, sitesList } from "./Fixture.ts"

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
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { member, readOnly, writer } = yield* seed()
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
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [] } }))
      const { member, readOnly } = yield* seed()
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
