import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { connectAll, sandboxServerAt } from "../../Service/SandboxServer.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { callTool } from "./McpFixture.ts"

type Cell = string | number
type Rows = ReadonlyArray<ReadonlyArray<Cell>>

/** On the first Saturday of a month, Harbour Market has more than the 50,000 rows that Search Console gives, in pages. */
const searches = (startRow: number) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: {
    path: { siteUrl: "sc-domain:harbourmarket.example" },
    body: {
      startDate: "2026-11-07",
      endDate: "2026-11-07",
      dimensions: ["query", "page"],
      rowLimit: 25_000,
      startRow
    }
  }
})

/** The last Friday of November. */
const visits = {
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: "430000031" },
    body: {
      dateRanges: [{ startDate: "2025-11-28", endDate: "2025-11-28" }],
      dimensions: [{ name: "landingPage" }, { name: "city" }, { name: "hour" }],
      metrics: [{ name: "sessions" }],
      limit: "250000"
    }
  }
}

const stock = {
  provider: "gsheets",
  endpoint: "values.get",
  input: {
    path: { spreadsheetId: "sandbox-stock", range: "Stock" },
    query: { valueRenderOption: "UNFORMATTED_VALUE" }
  }
}

const Searches = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    keys: Schema.Tuple([Schema.String, Schema.String]),
    clicks: Schema.Number,
    impressions: Schema.Number
  }))
})

const Visits = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    dimensionValues: Schema.Tuple([
      Schema.Struct({ value: Schema.String }),
      Schema.Struct({ value: Schema.String }),
      Schema.Struct({ value: Schema.String })
    ]),
    metricValues: Schema.Tuple([Schema.Struct({ value: Schema.NumberFromString })])
  }))
})

const Stock = Schema.Struct({ values: Schema.Array(Schema.Array(Schema.Union([Schema.String, Schema.Number]))) })

/** What an agent asks of each result, how it joins the answers, and what is true. */
interface Task<Row> {
  readonly sql: string
  readonly join?: (answers: ReadonlyArray<Rows>) => Rows
  readonly truth: (rows: ReadonlyArray<Row>) => Rows
}

const number = (cell: Cell | undefined) => Number(cell ?? Number.NaN)

const sum = <A>(rows: ReadonlyArray<A>, value: (row: A) => number) => rows.reduce((total, row) => total + value(row), 0)

const totals = <A>(rows: ReadonlyArray<A>, name: (row: A) => string, value: (row: A) => number): Rows => {
  const found = new Map<string, number>()
  for (const row of rows) found.set(name(row), (found.get(name(row)) ?? 0) + value(row))
  return [...found].toSorted(([one], [other]) => one < other ? -1 : 1)
}

/** By a number, the largest first, then by a name. */
const largest = (rows: Rows, count: number): Rows =>
  rows.toSorted(([one = "", a], [other = "", b]) => number(b) - number(a) || (one < other ? -1 : 1)).slice(0, count)

const ofSearches: ReadonlyArray<Task<(typeof Searches.Type)["rows"][number]>> = [
  {
    sql: "SELECT sum(clicks) FROM result WHERE query LIKE '%kettle%'",
    join: (answers) => [[sum(answers, ([row]) => number(row?.[0]))]],
    truth: (rows) => [[sum(rows.filter(({ keys }) => keys[0].includes("kettle")), ({ clicks }) => clicks)]]
  },
  {
    sql: "SELECT query || ' ' || page AS pair, impressions FROM result ORDER BY impressions DESC, pair LIMIT 10",
    join: (answers) => largest(answers.flat(), 10),
    truth: (rows) => largest(rows.map(({ impressions, keys }) => [keys.join(" "), impressions]), 10)
  },
  {
    sql: "WITH paths AS (SELECT substr(page, 35) AS path, clicks FROM result) " +
      "SELECT substr(path, 1, instr(path, '/') - 1) AS product, sum(clicks) FROM paths GROUP BY product",
    join: (answers) => totals(answers.flat(), ([name]) => String(name), ([, value]) => number(value)),
    truth: (rows) => totals(rows, ({ keys }) => new URL(keys[1]).pathname.split("/")[1] ?? "", ({ clicks }) => clicks)
  }
]

const ofVisits: ReadonlyArray<Task<(typeof Visits.Type)["rows"][number]>> = [
  {
    sql: "SELECT count(*), sum(sessions) FROM result",
    truth: (rows) => [[rows.length, sum(rows, ({ metricValues }) => metricValues[0].value)]]
  },
  {
    sql: "SELECT city, sum(sessions) FROM result GROUP BY city ORDER BY city",
    truth: (rows) =>
      totals(rows, ({ dimensionValues }) => dimensionValues[1].value, ({ metricValues }) => metricValues[0].value)
  },
  {
    sql: "SELECT count(DISTINCT landingPage) FROM result",
    truth: (rows) => [[new Set(rows.map(({ dimensionValues }) => dimensionValues[0].value)).size]]
  }
]

const ofStock: ReadonlyArray<Task<ReadonlyArray<Cell>>> = [
  { sql: "SELECT sum(\"In stock\") FROM result", truth: (rows) => [[sum(rows, (row) => number(row[3]))]] },
  {
    sql: "SELECT SKU, Sold FROM result ORDER BY Sold DESC, SKU LIMIT 5",
    truth: (rows) => largest(rows.map(([sku = "", , , , sold = 0]) => [sku, sold]), 5)
  },
  {
    sql: "SELECT Article, \"Note for customers\" FROM result WHERE SKU = 'HM-123456'",
    truth: (rows) => rows.filter(([sku]) => sku === "HM-123456").map((row) => [row[1] ?? "", row[7] ?? ""])
  }
]

/** Reads what the calls give as plain JSON, and as results that an agent asks. The service asks once for both. */
const assertAnswers = Effect.fnUntraced(function*<A>(
  key: string,
  calls: ReadonlyArray<object>,
  tasks: ReadonlyArray<Task<A>>,
  decode: (data: unknown) => ReadonlyArray<A>
) {
  const { call } = yield* TestServer
  const rows: Array<A> = []
  const results: Array<string> = []
  let plain = 0
  let characters = 0
  for (const each of calls) {
    const asked = { ...each, max_age: 60 }
    const [whole, kept] = yield* Effect.all(
      [call(key, asked), callTool(key, "call_read_endpoint", asked)],
      { concurrency: "unbounded" }
    )
    assert.isAtMost(kept.text.length, 48_000)
    rows.push(...decode(Object(whole.json).data))
    results.push(kept.value["data"].result.id)
    plain += whole.text.length
    characters += JSON.stringify(asked).length + kept.text.length
  }
  for (const { join = (answers: ReadonlyArray<Rows>) => answers.flat(), sql, truth } of tasks) {
    const answers: Array<Rows> = []
    let all = characters
    for (const result of results) {
      const answer = yield* callTool(key, "query_result", { result, sql })
      assert.isFalse(answer.isError, answer.text)
      answers.push(answer.value["rows"])
      all += JSON.stringify({ result, sql }).length + answer.text.length
    }
    const expected = truth(rows)
    assert.isNotEmpty(expected, sql)
    assert.deepStrictEqual(join(answers), expected, sql)
    assert.isBelow(all / plain, 0.15, sql)
  }
  return { rows: rows.length, plain }
})

layer(sandboxServerAt("2026-11-24T12:00:00Z").pipe(Layer.provideMerge(TestDataDir.layer)))(
  "An agent with large results",
  (it) => {
    it.effect("answers questions about three of them right, in a fraction of their characters", () =>
      Effect.gen(function*() {
        const key = yield* connectAll
        const ofSite = yield* assertAnswers(
          key,
          [searches(0), searches(25_000)],
          ofSearches,
          (data) => Schema.decodeUnknownSync(Searches)(data).rows
        )
        assert.strictEqual(ofSite.rows, 50_000)
        const ofProperty = yield* assertAnswers(
          key,
          [visits],
          ofVisits,
          (data) => Schema.decodeUnknownSync(Visits)(data).rows
        )
        assert.isAbove(ofProperty.rows, 100_000)
        const ofSheet = yield* assertAnswers(
          key,
          [stock],
          ofStock,
          (data) => Schema.decodeUnknownSync(Stock)(data).values.slice(1)
        )
        assert.isAbove(ofSheet.plain, 9_000_000)
      }))
  }
)
