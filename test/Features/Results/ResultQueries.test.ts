import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { report } from "../../Http/Fixture.ts"
import { type Answer, assertError, issuesIn } from "../../support/Answer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { keep, keptIn } from "./Fixture.ts"

const countryReport = report(["query", "country"])

const count = 5000

const countries = ["che", "deu", "per"]

const rows = Array.from({ length: count }, (_, index) => ({
  keys: [`query ${index % 700}`, countries[index % 3] ?? ""],
  clicks: index * 7 % 1000,
  impressions: index + 1,
  ctr: index % 100 / 100,
  position: index % 50 + 0.5
}))

const setUp = (text = JSON.stringify({ rows })) => keep(countryReport, text)

const sqlIssue = (answer: Answer): string => {
  const [issue] = issuesIn(answer)
  assert.deepStrictEqual(issue?.path, ["sql"])
  return issue?.message ?? ""
}

layer(TestServer.layer, { excludeTestServices: true })("A query of a kept result", (it) => {
  it.effect("answers as a reference over the whole data does", () =>
    Effect.gen(function*() {
      const { ask } = yield* setUp()
      const answers: ReadonlyArray<readonly [sql: string, expected: ReadonlyArray<ReadonlyArray<unknown>>]> = [
        [
          "SELECT country, count(*), sum(impressions) FROM result GROUP BY country ORDER BY country",
          countries.map((country) => {
            const group = rows.filter(({ keys }) => keys[1] === country)
            return [country, group.length, group.reduce((sum, { impressions }) => sum + impressions, 0)]
          })
        ],
        [
          "SELECT query, impressions FROM result WHERE clicks > 990 AND country = 'per' ORDER BY impressions DESC LIMIT 3",
          rows.filter(({ clicks, keys }) => clicks > 990 && keys[1] === "per")
            .toSorted((one, other) => other.impressions - one.impressions).slice(0, 3)
            .map(({ impressions, keys }) => [keys[0], impressions])
        ]
      ]
      for (const [sql, expected] of answers) {
        const answer = yield* ask(sql)
        assert.deepInclude(answer.json, { rows: expected, truncated: false }, answer.text)
      }
    }))

  it.effect("names and types its columns, keeps digits, and stops after 10,000 rows", () =>
    Effect.gen(function*() {
      const { ask, query } = yield* setUp(
        "{\"rows\":[{\"keys\":[\"a\",\"b\"],\"clicks\":9007199254740993},{\"keys\":[\"c\",null],\"clicks\":0.50}]}"
      )
      const all = yield* ask("SELECT *, clicks AS clicks FROM result ORDER BY query")
      assert.strictEqual(
        all.text,
        "{\"columns\":[{\"name\":\"query\",\"type\":\"text\"},{\"name\":\"country\",\"type\":\"text\"}," +
          "{\"name\":\"clicks\",\"type\":\"number\"},{\"name\":\"clicks_2\",\"type\":\"number\"}]," +
          "\"rows\":[[\"a\",\"b\",9007199254740993,9007199254740993],[\"c\",null,0.5,0.5]],\"truncated\":false}"
      )
      const csv = yield* query({ sql: "SELECT query FROM result", format: "csv" })
      assert.strictEqual(csv.text, "query\r\na\r\nc\r\n")
      const numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10001) SELECT x FROM n"
      const many = yield* query({ sql: numbers })
      assert.deepInclude(many.json, { truncated: true })
      assert.lengthOf(JSON.parse(many.text).rows, 10_000)
    }))

  it.effect.each(["json", "csv", "csv_raw", "markdown"])(
    "has at most 8 MB, as %s too, and says so",
    (format) =>
      Effect.gen(function*() {
        const { query } = yield* setUp()
        const wide = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10000) " +
          "SELECT x, printf('%.*c', 6000, '\"') AS quotes FROM n"
        const { headers, json, text } = yield* query({ sql: wide, format })
        const bytes = Buffer.byteLength(text)
        assert.isTrue(bytes <= 8_000_000 && bytes > 7_900_000)
        assert.strictEqual(headers.get("openaccounts-truncated"), format === "json" ? null : "true")
        if (format === "json") assert.deepInclude(json, { truncated: true })
        const few = yield* query({ sql: "SELECT 1 AS one", format })
        assert.isNull(few.headers.get("openaccounts-truncated"))
      })
  )

  it.effect("joins further results of the caller", () =>
    Effect.gen(function*() {
      const { again, query, readWrite, server } = yield* setUp()
      const { result: { id: other } } = yield* again
      const sql = "SELECT count(*) FROM result JOIN before USING (impressions)"
      assert.deepInclude((yield* query({ sql, results: { before: other } })).json, { rows: [[count]] })
      const { result: foreign } = keptIn(yield* server.call(readWrite, { ...countryReport, keep: true }))
      assertError(yield* query({ sql, results: { before: foreign.id } }), 404, "result_not_found")
      assertError(yield* query({ sql }, readWrite), 404, "result_not_found")
      for (const results of [{ Result: other }, { "a b": other }, { sqlite_x: other }]) {
        assertError(yield* query({ sql, results }), 400, "invalid_input", issuesIn(yield* query({ sql, results })))
      }
    }))

  it.effect("refuses what is no SELECT, or would load more than 256 MB of results, and says why", () =>
    Effect.gen(function*() {
      const { ask, result } = yield* setUp()
      assert.strictEqual(sqlIssue(yield* ask("DELETE FROM result")), "not authorized")
      assert.deepInclude((yield* ask("SELECT count(*) FROM result")).json, { rows: [[count]] })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE results SET bytes = ${256 * 1024 * 1024 + 1} WHERE id = ${result.id}`
      assert.strictEqual(sqlIssue(yield* ask("SELECT 1")), "out of memory: the results need more than 256 MB")
    }))
})
