import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { errorIn } from "../support/Answer.ts"
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
