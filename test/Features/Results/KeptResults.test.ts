import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  answering,
  clearRange,
  Hosted,
  loggedCall,
  manage,
  report,
  seededServer,
  site,
  sitesList
} from "../../Http/Fixture.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { newGrant } from "../../support/NewGrant.ts"
import { withSession } from "../../support/SignedIn.ts"
import { type Seed, seed, type TestServer } from "../../support/TestServer.ts"
import { callTool } from "../Mcp/McpFixture.ts"
import { keep, keptIn } from "./Fixture.ts"

const daily = report(["query", "date"])

const day = (index: number) => `2026-01-${String(index % 28 + 1).padStart(2, "0")}`

const long = (index: number) => `${index} ${"é<|".repeat(1500)}`

const row = (index: number) => [`query ${index}`, day(index), index, index * 10, 0.1, 1.5] as const

const reportOf = (count: number) => ({
  rows: Array.from({ length: count }, (_, index) => {
    const [query, date, clicks, impressions, ctr, position] = row(index)
    return { keys: [query, date], clicks, impressions, ctr, position }
  })
})

const columns = [
  { name: "query", type: "text" },
  { name: "date", type: "date" },
  ...["clicks", "impressions", "ctr", "position"].map((name) => ({ name, type: "number" }))
]

const setUp = (count = 3) => keep(daily, reportOf(count))

type Request = TestServer["Service"]["request"]

const byKey = ({ request }: TestServer["Service"], key: string): Request => (method, path, options) =>
  request(method, path, { ...options, key })

/** All ways to ask for a result over HTTP. */
const answersTo = (id: string, request: Request) =>
  Effect.all([
    request("GET", `/v1/results/${id}`),
    request("GET", `/v1/results/${id}?format=csv`),
    request("POST", `/v1/results/${id}/query`, { body: { sql: "SELECT 1 FROM result" } })
  ])

const assertHiddenFromAgents = Effect.fnUntraced(function*(result: string, ...keys: ReadonlyArray<string>) {
  for (const key of keys) {
    const { isError, value } = yield* callTool(key, "query_result", { result, sql: "SELECT 1 FROM result" })
    assert.deepStrictEqual([isError, value["error"].code], [true, "result_not_found"])
  }
})

layer(Hosted, { excludeTestServices: true })("A kept result", (it) => {
  it.effect("has columns, rows and a preview, and is read page by page", () =>
    Effect.gen(function*() {
      const count = 12_345
      const before = Date.now()
      const { ask, get, has_more: more, next_offset: next, path, preview, query, readOnly, result } = yield* setUp(
        count
      )
      assert.deepStrictEqual<unknown>(result.columns, columns)
      assert.strictEqual(result.rows, count)
      // Without `rowLimit` an answer of 1000 rows or more may be a part.
      const part = { has_more: true, next_offset: count }
      assert.deepStrictEqual([more, next], [true, count])
      assert.deepStrictEqual(preview, Array.from({ length: 20 }, (_, index) => row(index)))
      const lives = Date.parse(result.expires_at) - before
      assert.isTrue(lives >= 20 * 60_000 && lives < 40 * 60_000)

      const first = yield* get(readOnly)
      assert.deepStrictEqual(first.json, {
        columns,
        rows: Array.from({ length: 100 }, (_, index) => row(index)),
        total: count,
        part
      })
      const seen: Array<unknown> = []
      for (let offset = 0; offset < count + 5000; offset += 5000) {
        const { json } = yield* get(readOnly, `${path}?offset=${offset}&limit=5000`)
        seen.push(...Object(json).rows)
      }
      assert.deepStrictEqual(seen, Array.from({ length: count }, (_, index) => row(index)))

      const sql = "SELECT count(*) FROM result"
      assert.deepInclude((yield* ask(sql)).json, { rows: [[count]], parts: { result: part } })
      const answered = yield* query({ sql, format: "csv" })
      assert.strictEqual(answered.headers.get("openaccounts-part"), "true")
      const listed = yield* get(readOnly, "/v1/results")
      assert.deepStrictEqual(listed.json, { results: [{ ...result, part }], cursor: null })

      const csv = yield* get(readOnly, `${path}?offset=12344&format=csv`)
      assert.strictEqual(csv.headers.get("openaccounts-part"), "true")
      assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.strictEqual(
        csv.text,
        `query,date,clicks,impressions,ctr,position\r\nquery 12344,${day(12_344)},12344,123440,0.1,1.5\r\n`
      )
      assert.deepStrictEqual(issuePaths(yield* get(readOnly, `${path}?limit=10001&offset=-1&format=x`)).toSorted(), [
        "format",
        "limit",
        "offset"
      ])
    }))

  it.effect("has all rows of a tab, however long it is", () =>
    Effect.gen(function*() {
      const [rowCount, columnCount] = [40_000, 20]
      const cells = Array.from({ length: rowCount }, (_, index) => index === 0 ? ["n"] : index % 2 === 0 ? [] : [index])
      const { readOnly, server } = yield* seededServer(({ url }) => {
        const [, from, to] = /A(\d+):T(\d+)/.exec(decodeURIComponent(url)) ?? []
        const properties = { sheetId: 0, title: "Data", gridProperties: { rowCount, columnCount } }
        return {
          body: from === undefined
            ? { spreadsheetId: "s1", properties: { title: "S" }, sheets: [{ properties }] }
            : { range: "x", values: cells.slice(Number(from) - 1, Number(to)) }
        }
      }, { provider: "gsheets" })
      const call = {
        provider: "gsheets",
        tool: "sheets_read",
        input: { spreadsheet: "1".repeat(44), limit: 5, offset: 10 }
      }
      const kept = yield* server.call(readOnly, { ...call, keep: true })
      assert.deepStrictEqual([keptIn(kept).result.rows, keptIn(kept).has_more], [rowCount / 2 - 5, false], kept.text)
      assert.deepStrictEqual(
        keptIn(kept).preview,
        cells.slice(11, 51).flatMap((row, index) => row[0] === undefined ? [] : [[index + 12, row[0]]])
      )
      const page = yield* server.call(readOnly, { ...call, format: "csv" })
      assert.deepInclude(page.json, { page: { has_more: true, next_offset: 16 } })
    }))

  it.effect("has pages of at most 8 MB, which together have every row", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 2500 }, (_, index) => ({ keys: [long(index), day(index)], clicks: index }))
      const { get, path, readOnly } = yield* keep(daily, { rows })
      for (const format of ["json", "csv", "csv_raw", "markdown"]) {
        const seen: Array<string> = []
        while (seen.length < rows.length) {
          const page = yield* get(readOnly, `${path}?limit=10000&offset=${seen.length}&format=${format}`)
          assert.isAtMost(Buffer.byteLength(page.text), 8_000_000)
          const clicks = format === "json"
            ? Object(page.json).rows.map((row: ReadonlyArray<unknown>) => String(row[2]))
            : [...page.text.matchAll(/(?:,| \| )(\d+)(?:\r| \|)?\n/g)].map(([, click = ""]) => click)
          const isLast = seen.length + clicks.length === rows.length
          assert.strictEqual(page.headers.get("openaccounts-truncated"), format === "json" || isLast ? null : "true")
          if (format === "json") {
            assert.deepInclude({ truncated: undefined, ...Object(page.json) }, { truncated: isLast ? undefined : true })
          }
          assert.isAbove(clicks.length, 0)
          for (const click of clicks) seen.push(click)
        }
        assert.deepStrictEqual(seen, rows.map(({ clicks }) => String(clicks)))
      }
    }))

  it.effect("is listed and deleted by its owner", () =>
    Effect.gen(function*() {
      const { get, path, readOnly, readWrite, result, server } = yield* setUp()
      const again = keptIn(yield* server.call(readOnly, { ...daily, keep: true, select: "rows[:1]", format: "csv" }))
      assert.strictEqual(
        again.preview,
        "query,date,clicks,impressions,ctr,position\r\nquery 0,2026-01-01,0,0,0.1,1.5\r\n"
      )
      const listed = yield* get(readOnly, "/v1/results")
      assert.deepStrictEqual(listed.json, { results: [again.result, result], cursor: null })
      assert.deepStrictEqual((yield* get(readWrite, "/v1/results")).json, { results: [], cursor: null })
      assert.strictEqual((yield* server.request("DELETE", path, { key: readWrite })).status, 404)
      assert.strictEqual((yield* server.request("DELETE", path, { key: readOnly })).status, 204)
      assertError(yield* get(readOnly), 404, "result_not_found")
      assert.deepStrictEqual((yield* get(readOnly, "/v1/results")).json, { results: [again.result], cursor: null })
    }))

  it.effect("is encrypted, while the log has the whole response", () =>
    Effect.gen(function*() {
      const { readOnly, result, server } = yield* setUp()
      const sql = yield* SqlClient.SqlClient
      const chunks = yield* sql<{ readonly text: string }>`
        SELECT encode(bytes, 'escape') AS text FROM result_chunks WHERE result_id = ${result.id}`
      assert.lengthOf(chunks, 2)
      for (const { text } of chunks) for (const part of ["query", "clicks"]) assert.notInclude(text, part)
      const answer = yield* server.call(readOnly, { ...daily, keep: true })
      assert.deepInclude((yield* loggedCall(readOnly, answer.callId)).response, { data: reportOf(3) })
    }))

  const ends: ReadonlyArray<readonly [when: string, end: (seeded: Seed) => ReturnType<typeof manage>]> = [
    ["its connection is revoked", ({ connection }) => manage("DELETE", `/connections/${connection.id}`)],
    ["the member has other clients", ({ member }) => manage("PATCH", `/members/${member.id}`, { client_ids: [] })],
    [
      "the connection is bound to something else",
      ({ connection }) => manage("PATCH", `/connections/${connection.id}`, { resources: ["gsc:sc-domain:other.com"] })
    ]
  ]

  it.effect.each(ends)(
    "is not found in any way by others, nor by its owner once %s",
    ([, end]) =>
      Effect.gen(function*() {
        const made = yield* setUp()
        const { connection, get, member, path, readOnly, readWrite, result, server } = made
        const dashboard = yield* withSession(member)
        const call = { body: { ...daily, keep: true, connection_id: connection.id } }
        const ofDashboard = keptIn(yield* dashboard.request("POST", "/v1/call", call)).result
        const own = [
          ...yield* answersTo(result.id, byKey(server, readOnly)),
          ...yield* answersTo(ofDashboard.id, dashboard.request)
        ]
        assert.deepStrictEqual(own.map(({ status }) => status), own.map(() => 200))

        const { token } = yield* newGrant({ memberId: member.id })
        const others = [readWrite, token, (yield* seed()).readOnly].map((key) => byKey(server, key))
        for (const request of [...others, dashboard.request, (yield* withSession(member)).request]) {
          for (const answer of yield* answersTo(result.id, request)) assertError(answer, 404, "result_not_found")
        }
        yield* assertHiddenFromAgents(result.id, readWrite, token)

        yield* end(made)
        const ended = [
          ...yield* answersTo(result.id, byKey(server, readOnly)),
          ...yield* answersTo(ofDashboard.id, dashboard.request)
        ]
        for (const answer of ended) assertError(answer, 404, "result_not_found")
        yield* assertHiddenFromAgents(result.id, readOnly)
        assertError(yield* server.request("DELETE", path, { key: readOnly }), 404, "result_not_found")
        assert.deepStrictEqual((yield* get(readOnly, "/v1/results")).json, { results: [], cursor: null })
      })
  )

  it.effect("stays inside bounds that allow what its call named, but not if its call listed resources", () =>
    Effect.gen(function*() {
      const { connection, get, readOnly, server } = yield* setUp()
      yield* answering(() => ({ body: { siteEntry: [{ siteUrl: "sc-domain:other.com" }] } }))
      const list = keptIn(yield* server.call(readOnly, { ...sitesList, keep: true }))
      yield* manage("PATCH", `/connections/${connection.id}`, { resources: [`gsc:${site}`] })
      assert.strictEqual((yield* get(readOnly)).status, 200)
      assertError(yield* get(readOnly, `/v1/results/${list.result.id}`), 404, "result_not_found")
    }))

  it.effect("takes a table of a read, and room of its member", () =>
    Effect.gen(function*() {
      const { member, readOnly, readWrite, result, server } = yield* setUp()
      assert.deepStrictEqual(issuePaths(yield* server.call(readWrite, { ...clearRange, keep: true })), ["keep"])
      assert.deepStrictEqual(
        issuePaths(yield* server.call(readOnly, { ...daily, keep: true, select: "rows[0].clicks" })),
        ["keep"]
      )
      const wide = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`c${index}`, index]))
      yield* answering(() => ({ body: { rows: [wide] } }))
      const refused = yield* server.call(readOnly, { ...daily, keep: true })
      assert.deepStrictEqual(issuePaths(refused), ["keep"])
      assert.include(refused.text, "has 2001")
      yield* answering(() => ({ body: reportOf(3) }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE results SET bytes = ${1_073_741_824 - 10}::bigint WHERE member_id = ${member.id}`
      assertError(yield* server.call(readOnly, { ...daily, keep: true }), 413, "payload_too_large")
      const left = yield* sql`SELECT id FROM results WHERE member_id = ${member.id}`
      assert.deepStrictEqual(left, [{ id: result.id }])
    }))
})
