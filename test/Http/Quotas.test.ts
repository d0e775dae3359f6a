import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { errorIn } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const spreadsheetId = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde"
const range = { provider: "gsheets", endpoint: "values.get", input: { path: { spreadsheetId, range: "A1:B2" } } }
const sheets = { provider: "gsheets" }

const impatient = { prefer: "wait=0" }

const Listed = Schema.Struct({
  quotas: Schema.Array(Schema.Struct({
    name: Schema.String,
    connection_id: Schema.NullOr(Schema.String),
    limit: Schema.Finite,
    used: Schema.Finite,
    remaining: Schema.Finite
  }))
})
const quotasOf = Effect.fnUntraced(function*(key: string, query = "") {
  const answer = yield* (yield* TestServer).request("GET", `/v1/quotas${query}`, { key })
  return Schema.decodeUnknownSync(Listed)(answer.json).quotas
})

layer(TestServer.make({ QUOTAS: JSON.stringify({ "gsheets.read.account": 5 }) }), { excludeTestServices: true })(
  "QUOTAS",
  (it) => {
    it.effect("refuses a call beyond a limit before it is sent, and takes nothing from other quotas", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { values: [] } }))
        const { connection, readOnly } = yield* seed(sheets)
        const call = () => server.request("POST", "/v1/call", { key: readOnly, body: range, headers: impatient })
        for (let sent = 1; sent <= 5; sent++) {
          const answer = yield* call()
          assert.strictEqual(answer.status, 200, answer.text)
          assert.strictEqual(answer.headers.get("ratelimit-policy"), `"gsheets.read.account";q=5;w=60`)
          assert.match(
            answer.headers.get("ratelimit") ?? "",
            new RegExp(`^"gsheets.read.account";r=${5 - sent};t=\\d+$`)
          )
        }
        const before = upstream.requests.length
        const refused = yield* call()
        assert.strictEqual(refused.status, 429)
        const { code, details } = errorIn(refused)
        assert.strictEqual(code, "rate_limited")
        const { resets_at, retry_after_seconds, ...rest } = Schema.decodeUnknownSync(
          Schema.Struct({
            limited_by: Schema.String,
            quota: Schema.String,
            limit: Schema.Finite,
            resets_at: Schema.String,
            retry_after_seconds: Schema.Finite
          })
        )(details)
        assert.deepStrictEqual(rest, { limited_by: "provider_quota", quota: "gsheets.read.account", limit: 5 })
        assert.strictEqual(refused.headers.get("retry-after"), `${retry_after_seconds}`)
        assert.isTrue(retry_after_seconds > 0 && retry_after_seconds <= 61)
        assert.isAbove(Date.parse(resets_at), Date.now())
        assert.strictEqual(upstream.requests.length, before)
        assert.deepStrictEqual(yield* quotasOf(readOnly), [
          { name: "gsheets.read.account", connection_id: connection.id, limit: 5, used: 5, remaining: 0 },
          { name: "gsheets.read.project", connection_id: null, limit: 300, used: 5, remaining: 295 }
        ])
      }))
  }
)

layer(TestServer.make({ QUOTAS: JSON.stringify({ "gsheets.read.account": 1000, "gsheets.read.project": 1000 }) }), {
  excludeTestServices: true
})("A quota error of the provider", (it) => {
  const refusal = {
    status: 429,
    body: {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user'.",
        details: [{ metadata: { quota_limit: "ReadRequestsPerMinutePerUser" } }]
      }
    }
  }

  it.effect("empties the quota that it names, for all calls", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => refusal)
      const { readOnly } = yield* seed(sheets)
      const call = () => server.request("POST", "/v1/call", { key: readOnly, body: range, headers: impatient })
      assert.strictEqual(errorIn(yield* call()).code, "upstream_error")
      upstream.handle(() => ({ body: { values: [] } }))
      const refused = yield* call()
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, `"quota":"gsheets.read.account"`)
      assert.lengthOf(upstream.requests, 0)
      // Another account of the project goes on.
      const other = yield* seed(sheets)
      const answer = yield* server.request("POST", "/v1/call", { key: other.readOnly, body: range, headers: impatient })
      assert.strictEqual(answer.status, 200, answer.text)
    }))
})

layer(TestServer.make({ QUOTAS: "{}" }), { excludeTestServices: true })("Site search that throttles", (it) => {
  const throttled = [
    { status: 200, ErrorCode: 4, shown: 502 },
    { status: 200, ErrorCode: 17, shown: 502 },
    { status: 400, ErrorCode: 5, shown: 400 },
    { status: 503, ErrorCode: 4, shown: 503 }
  ]
  it.effect.each(throttled)(
    "in a body with the status $status and the code $ErrorCode gets no further call",
    (answer) =>
      Effect.gen(function*() {
        const { ErrorCode, shown, status } = answer
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ status, body: { ErrorCode, Message: "ERROR!!! Throttle" } }))
        const { readOnly } = yield* seed({ provider: "sitesearch" })
        const call = server.request("POST", "/v1/call", {
          key: readOnly,
          body: { provider: "sitesearch", endpoint: "GetUserSites", input: {} },
          headers: impatient
        })
        const first = yield* call
        assert.deepStrictEqual([first.status, errorIn(first).code], [shown, "upstream_error"])
        assert.lengthOf(upstream.requests, 1)
        const refused = yield* call
        assert.strictEqual(refused.status, 429)
        assert.include(refused.text, `"quota":"sitesearch.calls.account"`)
        assert.lengthOf(upstream.requests, 1)
      })
  )
})

layer(TestServer.make({ QUOTAS: "{}" }), { excludeTestServices: true })("Server errors of GA4", (it) => {
  it.effect("stop the calls of a property after eight, also at the same time", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      let errors = 0
      upstream.handle(({ url }) => {
        if (!url.includes("runReport")) return { body: { access_token: "ya29.new", expires_in: 3600 } }
        errors++
        return { status: 500, body: { error: { code: 500, message: "Internal error." } } }
      })
      const { readOnly } = yield* seed({ provider: "ga4" })
      const report = {
        provider: "ga4",
        endpoint: "properties.runReport",
        input: {
          path: { property: "123" },
          body: { dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }], metrics: [{ name: "sessions" }] }
        }
      }
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        server.request("POST", "/v1/call", { key: readOnly, body: report, headers: { prefer: "wait=1" } }), {
        concurrency: "unbounded"
      })
      assert.strictEqual(errors, 8)
      const refused = answers.filter(({ status }) =>
        status === 429
      )
      assert.lengthOf(refused, 12)
      for (const { text } of refused) assert.include(text, `"quota":"ga4.server_errors.project_resource"`)
    }))
})

layer(TestServer.make({ QUOTAS: "off" }), { excludeTestServices: true })("A budget", (it) => {
  it.effect("of a key and of its member limit the calls of a day that reach the provider", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { values: [] } }))
      const { member, readOnly } = yield* seed(sheets)
      const { key } = yield* server.admin.keys.create({
        payload: { member_id: member.id, name: "small", access: "read_only", budget: { calls_per_day: 2 } }
      })
      const call = (key: string, maxAge = 0) => server.call(key, { ...range, max_age: maxAge })
      assert.strictEqual((yield* call(key)).status, 200)
      // From the cache.
      assert.strictEqual((yield* call(key, 60)).status, 200)
      assert.strictEqual((yield* call(key)).status, 200)
      const refused = yield* call(key)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, `"limited_by":"budget","quota":"calls_per_day","limit":2`)
      assert.match(refused.text, /"resets_at":"[\d-]+T00:00:00\.000Z"/)
      assert.strictEqual((yield* call(readOnly)).status, 200)

      yield* server.admin.members.change({ params: { id: member.id }, payload: { budget: { calls_per_day: 0 } } })
      yield* eventually(call(readOnly), ({ status }) => status === 429)
    }))
})
