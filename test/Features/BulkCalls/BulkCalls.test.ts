import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createClient } from "../../../src/Client/Client.ts"
import { BulkCallBounds } from "../../../src/Features/BulkCalls/BulkCallBounds.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { clearRange, site } from "../../Http/Fixture.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { holdReplies, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { withSession } from "../../support/SignedIn.ts"
import { bySitesearchKey, TestServer } from "../../support/TestServer.ts"
import { callTool } from "../Mcp/McpFixture.ts"
import { bulkIn, daily, setUp, tokens, tokensOfFirst } from "./Fixture.ts"

layer(TestServer.layer, { excludeTestServices: true })("A bulk call", (it) => {
  it.effect("makes one table of the accounts that its member sees", () =>
    Effect.gen(function*() {
      const { client, connection, key, name, request, run, second, start } = yield* setUp()
      const started = yield* start(daily)
      assert.strictEqual(started.status, 202)
      assert.strictEqual(bulkIn(started).total, 2)
      const { result, ...bulk } = yield* run(daily)
      assert.deepInclude(bulk, { status: "done", total: 2, done: 2, failed: 0, failures: [], failures_by_code: {} })
      const resource = `gsc:${site}`
      assert.sameDeepMembers([...bulk.preview], [
        [client.name, client.id, connection.id, name, resource, `${name}-0123456789`, 2, 4, 0.5, 1],
        [second.client.name, second.client.id, second.id, name, resource, `${name}-2-0123456789`, 2, 4, 0.5, 1]
      ])
      assert.deepStrictEqual(
        result?.columns.map((column) => column.name),
        "client client_id connection_id account resource query clicks impressions ctr position".split(" ")
      )
      const sql = "SELECT client_id, sum(clicks) FROM result GROUP BY 1"
      const asked = yield* request("POST", `/v1/results/${result?.id}/query`, { key, body: { sql } })
      assert.sameDeepMembers(Object(asked.json).rows, [[client.id, 2], [second.client.id, 2]])
    }))

  it.effect("has a line for each account that fails", () =>
    Effect.gen(function*() {
      const { key, request, run, second, start } = yield* setUp(tokensOfFirst)
      const { failures, id, ...bulk } = yield* run(daily)
      assert.deepInclude(bulk, { status: "done", total: 2, done: 2, failed: 1 })
      assert.strictEqual(bulk.result?.rows, 1)
      const [failure] = failures
      assert.deepInclude(failure, { connection_id: second.id, client_id: second.client.id, resource: `gsc:${site}` })
      assert.deepStrictEqual(bulk.failures_by_code, { [`${failure?.code}`]: 1 })
      const logged = yield* request("GET", `/v1/logs?bulk_call_id=${id}`, { key })
      const calls: ReadonlyArray<{ readonly id: string; readonly outcome: string }> = Object(logged.json).calls
      assert.sameMembers(calls.map(({ outcome }) => outcome), ["ok", "error"])
      assert.include(calls.map((call) => call.id), failure?.call_id)
      assert.strictEqual((yield* start({ ...daily, connection_ids: [second.id] })).status, 202)
    }))

  it.effect("says which accounts have answered with a part of their rows", () =>
    Effect.gen(function*() {
      const { connection, key, request, run } = yield* setUp((sent) =>
        /seed-\d+-2-/.test(sent.headers.authorization ?? "") ? { body: { rows: [] } } : tokens(sent)
      )
      const { input: { body, path } } = daily
      const asked = { ...daily, input: { path, body: { ...body, rowLimit: 1 } } }
      const { partial, parts, result } = yield* run(asked)
      assert.strictEqual(partial, 1)
      const page = { has_more: true, next_offset: 1 }
      assert.containSubset(parts, [{ connection_id: connection.id, resource: `gsc:${site}`, page }])
      const part = { has_more: true }
      const results = yield* request("GET", "/v1/results", { key })
      assert.containSubset(results.json, { results: [{ id: result?.id, part }] })
      const sql = { sql: "SELECT sum(clicks) FROM result" }
      const sum = yield* request("POST", `/v1/results/${result?.id}/query`, { key, body: sql })
      assert.deepStrictEqual(Object(sum.json).parts, { result: part })
      assert.containSubset((yield* callTool(key, "ask_all", asked)).value, { partial: 1, parts: [{ page }] })
      const command = ["call", daily.provider, daily.endpoint, "--input", JSON.stringify(asked.input), "--all"]
      const printed = yield* runOaOnServer(command, { key })
      assert.include(printed.stderr, "Rows are missing in 1 of the answers")
      assert.strictEqual(printed.exitCode, 0)
    }))

  it.effect("has an example of each cause, also after a hundred failures of another", () =>
    Effect.gen(function*() {
      const { get, run, second } = yield* setUp(tokensOfFirst)
      const { id } = yield* run(daily)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO bulk_runs (id, bulk_call_id, place, connection_id, resource, is_list, status, code, message)
        SELECT ${id} || number, ${id}, -1, ${second.id}, 'gsc:' || number, false, 'failed', 'not_permitted',
          'No access to ' || number
        FROM generate_series(1, 150) AS number`
      const { failures, failures_by_code } = bulkIn(yield* get(id))
      assert.deepStrictEqual(failures_by_code, { not_permitted: 150, upstream_error: 1 })
      assert.deepStrictEqual(failures.map(({ code }) => code), [...Array(99).fill("not_permitted"), "upstream_error"])
    }))

  it.effect("ends also with a failure whose message quotes what the database cannot hold", () =>
    Effect.gen(function*() {
      const { run } = yield* setUp(() => ({ body: { siteEntry: [] } }))
      const { failures, status } = yield* run({ provider: "gsc", tool: "gsc_top_queries", input: { site: "a\0b" } })
      assert.strictEqual(status, "done")
      assert.deepStrictEqual(failures.map(({ code }) => code), ["invalid_input", "invalid_input"])
      assert.include(failures[0]?.message, "a\uFFFDb")
    }))

  it.effect("runs for each resource that the accounts list", () =>
    Effect.gen(function*() {
      const sites = ["sc-domain:a.example", "https://b.example/"]
      const { connection, run, start } = yield* setUp((sent) =>
        sent.url.endsWith("/sites")
          ? { body: { siteEntry: sites.map((siteUrl) => ({ siteUrl, permissionLevel: "siteOwner" })) } }
          : tokens(sent)
      )
      const { input, ...without } = daily
      const body = { ...without, input: { body: input.body } }
      assert.deepStrictEqual(issuePaths(yield* start(body)), ["input.path"])
      const all = yield* run({ ...body, resources: "all" })
      assert.deepInclude(all, { total: 4, done: 4, failed: 0 })
      const places = all.preview.map((row) => row.slice(2, 5))
      assert.includeDeepMembers(places, sites.map((name) => [connection.id, places[0]?.[1], `gsc:${name}`]))
      const some = yield* run({ ...body, resources: ["gsc:sc-domain:a.example", "gsc:sc-domain:other.example"] })
      assert.deepStrictEqual(some.preview.map((row) => row[4]), ["gsc:sc-domain:a.example", "gsc:sc-domain:a.example"])
    }))

  it.effect("makes one row of an answer that is no table", () =>
    Effect.gen(function*() {
      const { run } = yield* setUp(() => ({ body: { siteUrl: site, permissionLevel: "siteOwner" } }))
      const { preview, result } = yield* run({
        provider: "gsc",
        endpoint: "sites.get",
        input: { path: { siteUrl: site } }
      })
      assert.deepStrictEqual(result?.columns.slice(5).map(({ name }) => name), ["siteUrl", "permissionLevel"])
      assert.deepStrictEqual(preview.map((row) => row.slice(5)), [[site, "siteOwner"], [site, "siteOwner"]])
    }))

  it.effect("makes one row of an object in the place of rows", () =>
    Effect.gen(function*() {
      const { connect, run } = yield* setUp(() => ({ body: { d: { DailyQuota: 5, MonthlyQuota: 24 } } }))
      yield* connect(bySitesearchKey)
      const input = { query: { siteUrl: site } }
      const { preview, result } = yield* run({ provider: "sitesearch", endpoint: "GetUrlSubmissionQuota", input })
      assert.deepStrictEqual(result?.columns.slice(5).map(({ name }) => name), ["DailyQuota", "MonthlyQuota"])
      assert.deepStrictEqual(preview.map((row) => row.slice(5)), [[5, 24]])
    }))

  it.effect("refuses what no run could use", () =>
    Effect.gen(function*() {
      const { connection, others, start } = yield* setUp()
      assert.deepStrictEqual(issuePaths(yield* start({ provider: "gsc", tool: "x", endpoint: "y" })), ["endpoint"])
      assertError(yield* start({ provider: "gsc", tool: "x" }), 404, "tool_not_found")
      assert.deepStrictEqual(issuePaths(yield* start(clearRange)), ["endpoint"])
      assert.deepStrictEqual(issuePaths(yield* start({ provider: 1, select: "[" })), ["provider", "endpoint", "select"])
      const hidden = { ...daily, connection_ids: others.map(({ id }) => id) }
      assertError(yield* start(hidden), 404, "connection_not_found")
      yield* (yield* TestServer).admin.managedConnections.revoke({ params: { id: connection.id } })
      assertError(yield* start({ ...daily, connection_ids: [connection.id] }), 409, "connection_inactive")
      assertError(yield* start({ ...daily, provider: "ga4" }), 404, "endpoint_not_found")
    }))

  it.effect("is found by the key or the session that began it alone", () =>
    Effect.gen(function*() {
      const { key, member, readWrite, request, run } = yield* setUp()
      const session = yield* withSession(member)
      const ofKey = yield* run(daily)
      const { id } = bulkIn(yield* session.request("POST", "/v1/bulk-calls", { body: daily }))
      const ofSession = bulkIn(yield* session.request("GET", `/v1/bulk-calls/${id}?wait=60`))
      assert.deepInclude(ofSession, { status: "done", total: 2, failed: 0 })
      assert.strictEqual((yield* session.request("GET", `/v1/results/${ofSession.result?.id}`)).status, 200)
      for (const [{ id, result }, other] of [[ofKey, readWrite], [ofSession, key]] as const) {
        for (const path of [`/v1/bulk-calls/${id}`, `/v1/bulk-calls/${id}/events`]) {
          assertError(yield* request("GET", path, { key: other }), 404, "bulk_call_not_found")
        }
        assertError(yield* request("GET", `/v1/results/${result?.id}`, { key: other }), 404, "result_not_found")
      }
    }))

  it.effect("shows a caller that has waited what it may still see by then", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, get, key, member, request, start } = yield* setUp()
      const { arrived, holding, release } = yield* holdReplies(tokens)
      ;(yield* LoopbackUpstream).handle(holding)
      const { id } = bulkIn(yield* start(daily))
      yield* arrived
      const waiting = yield* Effect.forkScoped(get(id))
      yield* request("GET", `/v1/bulk-calls/${id}`, { key })
      yield* admin.members.change({ params: { id: member.id }, payload: { client_ids: [client.id] } })
      yield* release
      const shown = bulkIn(yield* Fiber.join(waiting))
      assert.strictEqual(shown.total, 1)
      assert.isAtMost(shown.preview.length, 1)
    }).pipe(Effect.scoped))

  it.effect("cuts its events off when their key is revoked", () =>
    Effect.gen(function*() {
      const { admin, url } = yield* TestServer
      const { key, member, start } = yield* setUp()
      const { arrived, holding, release } = yield* holdReplies(tokens)
      ;(yield* LoopbackUpstream).handle(holding)
      const { id } = bulkIn(yield* start(daily))
      yield* arrived
      const headers = { authorization: `Bearer ${key}` }
      const events = yield* Effect.promise(() => fetch(`${url}/v1/bulk-calls/${id}/events`, { headers }))
      const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
      const own = keys.filter(({ member_id }) => member_id === member.id)
      yield* Effect.forEach(own, ({ id }) => admin.keys.revoke({ params: { id } }))
      yield* release
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => events.text()))))
    }))

  it.effect("leaves out the rows of an account that its caller no longer sees", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, get, key, member, request, run } = yield* setUp()
      const { id, result } = yield* run(daily)
      yield* admin.members.change({ params: { id: member.id }, payload: { client_ids: [client.id] } })
      const shown = yield* eventually(Effect.map(get(id), bulkIn), ({ total }) => total === 1)
      assert.deepInclude(shown, { total: 1, done: 1 })
      assert.deepStrictEqual(shown.preview.map(([name]) => name), [client.name])
      const body = { sql: "SELECT count(*) FROM result" }
      const asked = yield* request("POST", `/v1/results/${result?.id}/query`, { key, body })
      assert.deepStrictEqual(Object(asked.json).rows, [[1]])
      const page = yield* request("GET", `/v1/results/${result?.id}`, { key })
      assert.strictEqual(Object(page.json).total, 1)
    }))

  it.effect("can be cancelled, waits behind others of its member, and says how it goes on", () =>
    Effect.gen(function*() {
      const { get, key, request, start } = yield* setUp(() => () => undefined)
      const ids = yield* Effect.forEach(
        [1, 2, 3, 4, 5, 6],
        () => Effect.map(start(daily), (answer) => bulkIn(answer).id)
      )
      const seventh = yield* start(daily)
      assert.strictEqual(seventh.status, 429)
      assert.nestedPropertyVal(seventh.json, "error.details.limited_by", "member_share")
      for (const id of ids.toReversed()) {
        assert.strictEqual((yield* request("DELETE", `/v1/bulk-calls/${id}`, { key })).status, 204)
      }
      const [first = ""] = ids
      const cancelled = bulkIn(yield* get(first))
      assert.deepInclude(cancelled, { status: "cancelled", total: 2, result: null })
      const { text } = yield* request("GET", `/v1/bulk-calls/${first}/events`, { key })
      assert.match(text, /^data: \{.*"status":"cancelled".*\}\n\n$/)
    }))

  it.effect("ends with failures when its encryption key is missing", () =>
    Effect.gen(function*() {
      const { get, key, request, start } = yield* setUp(() => () => undefined)
      const [first, second] = [bulkIn(yield* start(daily)), bulkIn(yield* start(daily))]
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE bulk_calls SET encryption_key_id = 'gone' WHERE id = ${second.id}`
      yield* request("DELETE", `/v1/bulk-calls/${first.id}`, { key })
      const { failures, ...ended } = bulkIn(yield* get(second.id))
      assert.deepInclude(ended, { status: "done", total: 2, done: 2, failed: 2, result: null })
      assert.deepStrictEqual(ended.failures_by_code, { internal_error: 2 })
      assert.include(failures[0]?.message, "encryption key is missing")
    }))

  it.effect("answers an agent with a table, and failures by their cause", () =>
    Effect.gen(function*() {
      const { client, key, second } = yield* setUp(tokensOfFirst)
      const { value } = yield* callTool(key, "ask_all", daily)
      assert.deepInclude(value, { status: "done", total: 2, failed: 1 })
      assert.deepStrictEqual(value.preview.map(([name]: ReadonlyArray<unknown>) => name), [client.name])
      const [failure] = value.failures
      assert.deepInclude(failure, { code: "upstream_error", count: 1, connection_ids: [second.id] })
      assert.include(value.next, value.result.id)
      const again = yield* callTool(key, "ask_all", { bulk_call: value.id })
      assert.strictEqual(again.value.result.id, value.result.id)
      const joined = yield* callTool(key, "query_result", {
        result: value.result.id,
        results: { before: value.result.id },
        sql: "SELECT count(*) AS count FROM result JOIN before USING (query)"
      })
      assert.deepStrictEqual(joined.value.rows, [[1]])
      assert.strictEqual((yield* callTool(key, "ask_all", {})).value["error"].code, "invalid_input")
    }))

  it.effect("fits into what an agent can read, also with many long columns", () =>
    Effect.gen(function*() {
      const wide = Object.fromEntries(
        Array.from({ length: 1900 }, (_, index) => [`${"long ".repeat(12)}${index}`, index])
      )
      const { key } = yield* setUp(() => ({ body: wide }))
      const args = { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: site } } }
      const { text, value } = yield* callTool(key, "ask_all", args)
      assert.isAtMost(text.length, 48_000)
      assert.strictEqual(value.result.columns.length + value["columns_not_shown"], 1905)
    }))

  it.effect("is printed by oa, and read by the typed client", () =>
    Effect.gen(function*() {
      const { client, connection, key, name } = yield* setUp(tokensOfFirst)
      const { endpoint, input, provider } = daily
      const command = ["call", provider, endpoint, "--input", JSON.stringify(input)]
      const all = yield* runOaOnServer([...command, "--all"], { key })
      assert.strictEqual(all.exitCode, 5, all.stderr)
      const [head, ...rows] = all.stdout.trimEnd().split("\r\n")
      assert.match(head ?? "", /^client,client_id,connection_id,account,resource,query,/)
      const place = [client.name, client.id, connection.id, name, `gsc:${site}`]
      assert.deepStrictEqual(rows, [`${place.join()},${name}-0123456789,2,4,0.5,1`])
      assert.match(
        all.stderr,
        /^blk_\w+: 1 of 2 succeeded; 1 rows are kept as res_\w+.*\n1 failed with upstream_error: /
      )
      const [, kept = ""] = /kept as (res_\w+)/.exec(all.stderr) ?? []
      const sql = "SELECT count(*) AS both FROM result JOIN before USING (query)"
      const joined = yield* runOaOnServer(["results", "query", kept, sql, "--table", `before=${kept}`], { key })
      assert.strictEqual(joined.stdout, "both\r\n1\r\n", joined.stderr)
      for (const flags of [["--client", client.id], ["--all", "--connection", connection.id]]) {
        const one = yield* runOaOnServer([...command, ...flags, "--json"], { key })
        assert.deepInclude(JSON.parse(one.stdout), { total: 1, failed: 0 })
      }
      const { url } = yield* TestServer
      const statuses: Array<string> = []
      const queries = yield* Effect.promise(async () => {
        const oa = createClient({ baseUrl: url, apiKey: key })
        const bulk = await oa.bulk<{ readonly query: string }>(daily, {
          onProgress: ({ status }) => statuses.push(status)
        })
        const found: Array<readonly [string | null, string]> = []
        for await (const { client_id, query } of bulk.rows()) found.push([client_id, query])
        return found
      })
      assert.deepStrictEqual(queries, [[client.id, `${name}-0123456789`]])
      assert.strictEqual(statuses.at(-1), "done")
    }))

  it.effect("is cancelled when oa is interrupted", () =>
    Effect.gen(function*() {
      const { key, request } = yield* setUp(() => () => undefined)
      const begun = yield* Deferred.make<void>()
      const { endpoint, input, provider } = daily
      const running = yield* Effect.forkScoped(
        runOaOnServer(["call", provider, endpoint, "--input", JSON.stringify(input), "--all"], {
          key,
          terminal: "stderr",
          onOutput: ({ stderr }) => void (stderr.includes("0 of 2") && Deferred.doneUnsafe(begun, Effect.void))
        })
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(running)
      const { json } = yield* request("GET", "/v1/bulk-calls", { key })
      assert.containSubset(json, { bulk_calls: [{ status: "cancelled" }] })
    }).pipe(Effect.scoped))
})

const Server = TestServer.make({ WEBHOOK_ALLOW_PRIVATE: "true" }).pipe(
  Layer.provide(Layer.succeed(BulkCallBounds, { runs: 3, rows: 3, bytes: 10_000 }))
)

layer(Server, { excludeTestServices: true })("A bulk call with low bounds", (it) => {
  it.effect("says that rows are missing beyond its bound", () =>
    Effect.gen(function*() {
      const row = { clicks: 1, impressions: 1, ctr: 1, position: 1 }
      const { key, request, run } = yield* setUp(() => ({
        body: { rows: [{ keys: ["a"], ...row }, { keys: ["b"], ...row }] }
      }))
      const bulk = yield* run(daily)
      assert.deepInclude(bulk, { status: "done", done: 2, failed: 0, truncated: true })
      assert.strictEqual(bulk.result?.rows, 2)
      const { json } = yield* request("GET", `/v1/results/${bulk.result?.id}`, { key })
      assert.containSubset(json, { part: { truncated: true } })
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

  it.effect("of a member with two of five clients tells of two, in every path", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { adminToken, request } = yield* TestServer
      const set = yield* setUp((sent) => sent.url === "/hooks" ? {} : tokensOfFirst(sent))
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
