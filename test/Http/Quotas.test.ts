import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { answering, clearRange, seededServer } from "./Fixture.ts"

const range = { ...clearRange, endpoint: "values.get" }
const sheets = { provider: "gsheets" }

const callAs = Effect.fnUntraced(function*(key: string, body: unknown = range, prefer = "wait=0") {
  const server = yield* TestServer
  return yield* server.request("POST", "/v1/call", { key, body, headers: { prefer } })
})

const Listed = Schema.Struct({
  quotas: Schema.Array(Schema.Struct({
    name: Schema.String,
    connection_id: Schema.NullOr(Schema.String),
    limit: Schema.Finite,
    used: Schema.Finite,
    remaining: Schema.Finite
  }))
})
const quotasOf = Effect.fnUntraced(function*(key: string) {
  const answer = yield* (yield* TestServer).request("GET", "/v1/quotas", { key })
  return Schema.decodeUnknownSync(Listed)(answer.json).quotas
})

layer(TestServer.make({ QUOTAS: JSON.stringify({ "gsheets.read.account": 5 }) }), { excludeTestServices: true })(
  "QUOTAS",
  (it) => {
    it.effect("refuses a call beyond a limit before it is sent, and takes nothing from other quotas", () =>
      Effect.gen(function*() {
        const { connection, readOnly, upstream } = yield* seededServer(() => ({ body: { values: [] } }), sheets)
        for (let sent = 1; sent <= 5; sent++) {
          const answer = yield* callAs(readOnly)
          assert.strictEqual(answer.status, 200, answer.text)
          assert.strictEqual(answer.headers.get("ratelimit-policy"), `"gsheets.read.account";q=5;w=60`)
          const left = new RegExp(`^"gsheets.read.account";r=${5 - sent};t=\\d+$`)
          assert.match(answer.headers.get("ratelimit") ?? "", left)
        }
        const refused = yield* callAs(readOnly)
        const { details } = errorIn(refused)
        const { resets_at, retry_after_seconds } = Object(details)
        assertError(refused, 429, "rate_limited", {
          limited_by: "provider_quota",
          quota: "gsheets.read.account",
          limit: 5,
          resets_at,
          retry_after_seconds
        })
        assert.strictEqual(refused.headers.get("retry-after"), `${retry_after_seconds}`)
        assert.isTrue(retry_after_seconds > 0 && retry_after_seconds <= 61)
        assert.match(resets_at, /^\d{4}-.*Z$/)
        assert.lengthOf(upstream.requests, 5)
        const [account, project = assert.fail("no quota")] = yield* quotasOf(readOnly)
        assert.deepStrictEqual(account, {
          name: "gsheets.read.account",
          connection_id: connection.id,
          limit: 5,
          used: 5,
          remaining: 0
        })
        const { used, ...rest } = project
        assert.isAtLeast(used, 5)
        assert.deepStrictEqual(rest, {
          name: "gsheets.read.project",
          connection_id: null,
          limit: 300,
          remaining: 300 - used
        })
      }))

    it.effect("is empty for all calls of an account whose quota the provider calls exceeded", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const error = {
          code: 429,
          status: "RESOURCE_EXHAUSTED",
          message: "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user'.",
          details: [{ metadata: { quota_limit: "ReadRequestsPerMinutePerUser" } }]
        }
        upstream.handle(() => ({ status: 429, body: { error } }))
        const [{ readOnly }, other] = [yield* seed(sheets), yield* seed(sheets)]
        assert.strictEqual(errorIn(yield* callAs(readOnly)).code, "upstream_error")
        upstream.handle(() => ({ body: { values: [] } }))
        const refused = yield* callAs(readOnly)
        assert.strictEqual(refused.status, 429)
        assert.include(refused.text, `"quota":"gsheets.read.account"`)
        assert.lengthOf(upstream.requests, 0)
        // Another account of the project goes on.
        assert.strictEqual((yield* callAs(other.readOnly)).status, 200)
      }))

    it.effect.each([
      { status: 200, ErrorCode: 4, shown: 502 },
      { status: 503, ErrorCode: 4, shown: 503 }
    ])(
      "sends site search nothing after it throttles with the status $status and the code $ErrorCode",
      ({ ErrorCode, shown, status }) =>
        Effect.gen(function*() {
          const upstream = yield* answering(() => ({ status, body: { ErrorCode, Message: "ERROR!!! Throttle" } }))
          const { readOnly } = yield* seed({ provider: "sitesearch" })
          const call = callAs(readOnly, { provider: "sitesearch", endpoint: "GetUserSites", input: {} })
          const first = yield* call
          assert.deepStrictEqual([first.status, errorIn(first).code], [shown, "upstream_error"])
          const refused = yield* call
          assert.strictEqual(refused.status, 429)
          assert.include(refused.text, `"quota":"sitesearch.calls.account"`)
          assert.lengthOf(upstream.requests, 1)
        })
    )
  }
)

layer(TestServer.layer, { excludeTestServices: true })("A budget", (it) => {
  it.effect("of a key and of its member limit the calls of a day that reach the provider", () =>
    Effect.gen(function*() {
      const { member, readOnly, server } = yield* seededServer(() => ({ body: { values: [] } }), sheets)
      const { key } = yield* server.admin.keys.create({
        payload: { member_id: member.id, name: "small", access: "read_only", budget: { calls_per_day: 2 } }
      })
      const call = (key: string, max_age = 0) => server.call(key, { ...range, max_age })
      // The cache answers the second.
      for (const max_age of [0, 60, 0]) assert.strictEqual((yield* call(key, max_age)).status, 200)
      const refused = yield* call(key)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, `"limited_by":"budget","quota":"calls_per_day","limit":2`)
      assert.match(refused.text, /"resets_at":"[\d-]+T00:00:00\.000Z"/)
      assert.strictEqual((yield* call(readOnly)).status, 200)

      yield* server.admin.members.change({ params: { id: member.id }, payload: { budget: { calls_per_day: 0 } } })
      yield* eventually(call(readOnly), ({ status }) => status === 429)
    }))
})
