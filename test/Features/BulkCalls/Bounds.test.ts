import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { BulkCallBounds } from "../../../src/Features/BulkCalls/BulkCallBounds.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { assertError } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { withSession } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { callTool } from "../Mcp/McpFixture.ts"
import { bulkIn, daily, ofSecond, setUp, tokens } from "./Fixture.ts"

const Server = TestServer.make({ WEBHOOK_ALLOW_PRIVATE: "true" }).pipe(
  Layer.provide(Layer.succeed(BulkCallBounds, { runs: 3, rows: 3, bytes: 10_000 }))
)

const refused = { status: 403, body: { error: { code: 403, message: "no", status: "PERMISSION_DENIED", errors: [] } } }

layer(Server, { excludeTestServices: true })("A bulk call", (it) => {
  it.effect("says that rows are missing beyond its bound", () =>
    Effect.gen(function*() {
      const row = { clicks: 1, impressions: 1, ctr: 1, position: 1 }
      const { run } = yield* setUp(() => ({ body: { rows: [{ keys: ["a"], ...row }, { keys: ["b"], ...row }] } }))
      const bulk = yield* run(daily)
      assert.deepInclude(bulk, { status: "done", done: 2, failed: 0, truncated: true })
      assert.strictEqual(bulk.result?.rows, 2)
    }))

  it.effect("has a failure for an account whose resources would be too many runs", () =>
    Effect.gen(function*() {
      const siteEntry = ["a", "b"].map((name) => ({
        siteUrl: `sc-domain:${name}.example`,
        permissionLevel: "siteOwner"
      }))
      const { run } = yield* setUp((sent) => sent.url.endsWith("/sites") ? { body: { siteEntry } } : tokens(sent))
      const bulk = yield* run({ ...daily, input: { body: daily.input.body }, resources: "all" })
      assert.deepInclude(bulk, { status: "done", total: 3, failed: 1, failures_by_code: { payload_too_large: 1 } })
      assert.strictEqual(bulk.result?.rows, 2)
    }))

  it.effect("belongs to its session alone", () =>
    Effect.gen(function*() {
      const { key, member, request } = yield* setUp()
      const session = yield* withSession(member)
      const started = yield* session.request("POST", "/v1/bulk-calls", { body: daily })
      const { id } = bulkIn(started)
      const done = bulkIn(yield* session.request("GET", `/v1/bulk-calls/${id}?wait=60`))
      assert.deepInclude(done, { status: "done", total: 2, failed: 0 })
      assert.strictEqual((yield* session.request("GET", `/v1/results/${done.result?.id}`)).status, 200)
      assertError(yield* request("GET", `/v1/bulk-calls/${id}`, { key }), 404, "bulk_call_not_found")
      assertError(yield* request("GET", `/v1/results/${done.result?.id}`, { key }), 404, "result_not_found")
    }))

  it.effect("of a member with two of five clients tells of two, in every path", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { adminToken, request } = yield* TestServer
      const set = yield* setUp((sent) => sent.url === "/hooks" ? {} : ofSecond(sent) ? refused : tokens(sent))
      const { client, connection, key, others, run, second } = set
      const webhook = { url: `${upstream.url}/hooks`, events: ["bulk_call.completed"] }
      assert.strictEqual((yield* request("POST", "/admin/v1/webhooks", { key: adminToken, body: webhook })).status, 201)
      const { id, result } = yield* run(daily)
      const get = (path: string) => Effect.map(request("GET", path, { key }), ({ text }) => text)
      const events = Effect.map(
        eventually(
          Effect.sync(() => upstream.requests.filter(({ body, url }) => url === "/hooks" && body.includes(id))),
          ({ length }) => length > 0
        ),
        (received) => received.map(({ body }) => body).join()
      )
      const sql = { sql: "SELECT count(*) AS all_rows, client_id FROM result GROUP BY 2" }
      const asked = Effect.map(
        request("POST", `/v1/results/${result?.id}/query`, { key, body: sql }),
        ({ text }) => text
      )
      const call = ["call", daily.provider, daily.endpoint, "--input", JSON.stringify(daily.input), "--all", "--json"]
      const ok = [client.id, connection.id]
      const failed = [second.client.id, second.id]
      const counts = ["\"total\":2", "\"failed\":1"]
      const paths: ReadonlyArray<readonly [string, Effect.Effect<string, unknown, TestServer>, ReadonlyArray<string>]> =
        [
          ["bulk call", get(`/v1/bulk-calls/${id}`), [...counts, ...ok, ...failed]],
          ["list", get("/v1/bulk-calls"), counts],
          ["progress", get(`/v1/bulk-calls/${id}/events`), counts],
          ["rows", get(`/v1/results/${result?.id}`), ["\"total\":1", ...ok]],
          ["csv", get(`/v1/results/${result?.id}?format=csv`), [client.name, ...ok]],
          ["results", get("/v1/results"), ["\"rows\":1"]],
          ["sql", asked, [`[[1,"${client.id}"]]`]],
          ["log", get(`/v1/logs?bulk_call_id=${id}`), [connection.id, second.id]],
          ["event", events, counts],
          ["agent", Effect.map(callTool(key, "ask_all", daily), ({ text }) => text), [...counts, ...ok, second.id]],
          ["oa", Effect.map(runOaOnServer(call, { key }), ({ stdout }) => stdout.replaceAll(": ", ":")), [
            ...ok,
            ...failed
          ]]
        ]
      for (const [path, read, expected] of paths) {
        const text = yield* read
        for (const part of expected) assert.include(text, part, path)
        for (const other of others) {
          for (const hidden of [other.id, other.client.id, other.client.name]) assert.notInclude(text, hidden, path)
        }
      }
    }))
})
